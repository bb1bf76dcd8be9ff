"""LoRA adapters: how many parameters they add, and what these weigh."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from calculator.catalogue import Format
from calculator.estimate import Part, Term
from calculator.formula import Formula, Product, Quantity, Sum
from calculator.targets import Adapted

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
    total = _size(parameters, dtype).whole()
    in_a = int((total * input_share).to_integral_value())
    parts = (Part("adapter_a", in_a, dtype.bytes), Part("adapter_b", total - in_a, dtype.bytes))
    return Term("adapters", total, _size(parameters, dtype), SOURCE, dtype.bytes, parts)


def model_adapters(parameters: Formula, modules: Sequence[Adapted], dtype: Format) -> Term:
    """P x e bytes for adapters on a model's modules; the parts are those of the model."""
    sums: dict[str, int] = {}
    for module in modules:
        part = "saved" if module.saved else module.part
        sums[part] = sums.get(part, 0) + module.parameters
    parts = tuple(
        Part(f"adapters_{part}", int(count * dtype.bytes), dtype.bytes)
        for part, count in sums.items()
    )
    formula = _size(parameters, dtype)
    return Term("adapters", formula.whole(), formula, SOURCE, dtype.bytes, parts)


def _size(parameters: Formula, dtype: Format) -> Formula:
    expression = Product((parameters.quantity, Quantity("e", dtype.bytes)))
    return Formula("V", expression, "bytes")
