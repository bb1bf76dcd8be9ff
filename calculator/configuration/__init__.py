"""Hugging Face configuration files: text to object, object to architecture, edits by hand.

Nothing in here trusts its input: a file is measured before it is parsed, every value is checked
against the bounds of :mod:`calculator.configuration.dimensions`, and whatever is wrong is an
:class:`calculator.errors.InputError` that names the field.
"""

from calculator.configuration.overrides import apply_overrides
from calculator.configuration.parse import parse_configuration
from calculator.configuration.read import Configuration, read_configuration

__all__ = ["Configuration", "apply_overrides", "parse_configuration", "read_configuration"]
