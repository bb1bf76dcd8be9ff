"""VRAM estimates for large language models: training, inference and LoRA adapters.

The package is pure: it needs the standard library alone, touches no file but its own
data, and answers with a tree (:class:`calculator.estimate.Estimate`) that the formatters
of :mod:`calculator.report` turn into JSON, text, HTML, Markdown or CSV.

    >>> import calculator
    >>> calculator.estimate({"calculator": "training", "parameters": 7,
    ...                      "memory_per_parameter": "adam-mixed"}).total_bytes
    112000000000
"""

from calculator.errors import InputError, Problem
from calculator.estimate import Estimate, Term
from calculator.scenario import estimate

__version__ = "0.1.0"
__all__ = ["Estimate", "InputError", "Problem", "Term", "__version__", "estimate"]
