"""The weights of a model that is only read."""

from __future__ import annotations

from decimal import Decimal

from calculator.architecture import Architecture
from calculator.estimate import Part, Term
from calculator.formats import Format
from calculator.formula import BILLION, Formula, Product, Quantity, Sum
from calculator.parameters.count import count, tensors
from calculator.parameters.tensors import Tensor

SIXTEEN_BIT = Decimal(2)


def weights(billions: Decimal, weight_format: Format) -> Term:
    """W = N x b: N parameters in billions, b bytes per weight, so GB (10^9 bytes).

    Source: the format's own size. Scales and zero points of quantised formats, and the
    layers that such formats leave at 16 bits, are not in it.
    """
    expression = Product((Quantity("N", billions), Quantity("b", weight_format.bytes)))
    formula = Formula("W", expression)
    source = "; ".join(weight_format.source)
    return Term("weights", formula.whole(), formula, source, weight_format.bytes)


def model_weights(model: Architecture, weight_format: Format) -> Term:
    """W = N_q x b + N_16 x 2: billions of weights in the format and at 16 bits, so GB.

    N_q are the weights that the format's ``scope`` names, b its bytes a weight; the others,
    with every bias, stay at 2 bytes; a tied embedding is there once. Source: the format's
    own. What quantisers add for a layer as a whole (code books, a scale a row) is not in it.
    """
    total = Decimal(count(model).total) / BILLION
    source = "; ".join(weight_format.source)
    if weight_format.scope in ("all", "file"):
        return weights(total, weight_format)
    inside = Decimal(quantized(model, weight_format)) / BILLION
    outside = total - inside
    terms = (
        (Quantity("N_q", inside), Quantity("b", weight_format.bytes)),
        (Quantity("N_16", outside), Quantity("2", SIXTEEN_BIT)),
    )
    formula = Formula("W", Sum(tuple(Product(factors) for factors in terms)))
    whole = formula.whole()
    first = Formula("W", Product(terms[0])).whole()
    parts = (
        Part("weights_quantized", first, weight_format.bytes),
        Part("weights_16bit", whole - first, SIXTEEN_BIT),
    )
    return Term("weights", whole, formula, source, whole / (total * BILLION), parts)


def quantized(model: Architecture, weight_format: Format) -> int:
    """How many of the model's weights the format holds."""
    if weight_format.scope in ("all", "file"):
        return count(model).total
    experts_alone = weight_format.scope == "experts" and model.num_experts > 0
    return sum(
        tensor.weights
        for tensor in tensors(model)
        if _expert(tensor) or (not experts_alone and tensor.linear and tensor.part != "head")
    )


def _expert(tensor: Tensor) -> bool:
    return tensor.name.startswith("experts.")
