"""Activation memory as the visitor states it."""

from __future__ import annotations

from decimal import Decimal

from calculator.estimate import Term
from calculator.formula import Formula, Quantity


def activation_input(gigabytes: Decimal) -> Term:
    """A in GB (10^9 bytes), taken as given: measured, or zero where it is not known."""
    formula = Formula("A", Quantity("A", gigabytes))
    return Term("activation_input", formula.whole(), formula, "as given")
