"""The weights of a model that is only read."""

from __future__ import annotations

from decimal import Decimal

from calculator.catalogue import Format
from calculator.estimate import Term
from calculator.formula import Formula, Product, Quantity


def weights(billions: Decimal, weight_format: Format) -> Term:
    """W = N x b: N parameters in billions, b bytes per weight, so GB (10^9 bytes).

    Source: the format's own size. Scales and zero points of quantised formats, and the
    layers that such formats leave at 16 bits, are not in it.
    """
    expression = Product((Quantity("N", billions), Quantity("b", weight_format.bytes)))
    formula = Formula("W", expression)
    source = "; ".join(weight_format.source)
    return Term("weights", formula.whole(), formula, source, weight_format.bytes)
