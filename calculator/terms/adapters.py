"""LoRA adapters: how many parameters they add, and what these weigh."""

from __future__ import annotations

from decimal import Decimal

from calculator.catalogue import Format
from calculator.estimate import Part, Term
from calculator.formula import Formula, Product, Quantity, Sum

SOURCE = (
    "LoRA, arXiv:2106.09685, section 4.1: B (d_out x r) and A (r x d_in) beside a frozen matrix"
)


def adapter_parameters(
    rank: Decimal, input_dimension: Decimal, output_dimension: Decimal, matrices: Decimal
) -> Formula:
    """P = r x (d_in + d_out) x m: the entries of A (r x d_in) and B (d_out x r), m times.

    Source: LoRA, arXiv:2106.09685, section 4.1. For matrices of one shape; with several
    shapes, add up one P for each. DoRA adds d_out a matrix, rsLoRA nothing.
    """
    sides = Sum((Quantity("d_in", input_dimension), Quantity("d_out", output_dimension)))
    expression = Product((Quantity("r", rank), sides, Quantity("m", matrices)))
    return Formula("P", expression, "parameters")


def adapters(parameters: Formula, input_share: Decimal, dtype: Format) -> Term:
    """P x e bytes: what the adapters weigh in memory and, but for a header, in their file.

    ``input_share`` is d_in / (d_in + d_out), the A matrices' part of P.
    """
    expression = Product((parameters.quantity, Quantity("e", dtype.bytes)))
    formula = Formula("V", expression, "bytes")
    total = formula.whole()
    in_a = int((total * input_share).to_integral_value())
    parts = (Part("adapter_a", in_a, dtype.bytes), Part("adapter_b", total - in_a, dtype.bytes))
    return Term("adapters", total, formula, SOURCE, dtype.bytes, parts)
