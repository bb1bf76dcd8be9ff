"""Inference, simple form: V = N x b x (1 + o)."""

from __future__ import annotations

from decimal import Decimal

from calculator.catalogue import formats
from calculator.estimate import Assumption, Estimate
from calculator.formula import BILLION, Formula, Product, Quantity, Sum
from calculator.terms.overhead import overhead
from calculator.terms.weights import weights


def inference(parameters: Decimal, weight_format: str, overhead_percent: Decimal) -> Estimate:
    """Memory to run a model on one device.

    ``parameters`` in billions; ``weight_format`` a format's slug; ``overhead_percent`` what
    is added to the weights for KV cache, buffers and context. V = N x b x (1 + o); the
    KV cache is a share here, not computed from context and sequences.
    """
    row = formats()[weight_format]
    share = Quantity("o", overhead_percent / 100)
    weight_term = weights(parameters, row)
    factors = (
        Quantity("N", parameters),
        Quantity("b", row.bytes),
        Sum((Quantity("1", Decimal(1)), share)),
    )
    assumptions = [Assumption("kv_cache_as_share")]
    if row.bytes < 2:
        assumptions.append(Assumption("scales_not_counted"))
    count = int((parameters * BILLION).to_integral_value())
    return Estimate(
        "inference",
        {
            "parameters": parameters,
            "weight_format": weight_format,
            "overhead_percent": overhead_percent,
        },
        count,
        0,
        (weight_term, overhead(weight_term, share)),
        (Formula("V", Product(factors)),),
        tuple(assumptions),
    )
