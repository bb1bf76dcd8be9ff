"""Inference: V = N x b x (1 + o), by a number of parameters or by a model's own tensors."""

from __future__ import annotations

from decimal import Decimal

from calculator.estimate import Assumption, Estimate, Term
from calculator.formats import Format, every_format
from calculator.formula import BILLION, Formula, Node, Product, Quantity, Sum
from calculator.subject import Subject
from calculator.terms.overhead import overhead
from calculator.terms.weights import model_weights, weights


def inference(parameters: Decimal, weight_format: str, overhead_percent: Decimal) -> Estimate:
    """Memory to run a model on one device.

    ``parameters`` in billions; ``weight_format`` a format's slug; ``overhead_percent`` what
    is added to the weights for KV cache, buffers and context. V = N x b x (1 + o); the
    KV cache is a share here, not computed from context and sequences.
    """
    row = every_format()[weight_format]
    term = weights(parameters, row)
    factors = (Quantity("N", parameters), Quantity("b", row.bytes))
    assumptions = [Assumption("kv_cache_as_share")]
    if row.scope != "all" or row.bytes < 2:
        assumptions.append(Assumption("scales_not_counted"))
    count = int((parameters * BILLION).to_integral_value())
    share = Quantity("o", overhead_percent / 100)
    return Estimate(
        calculator="inference",
        parameters_total=count,
        parameters_trainable=0,
        parameters_active=count,
        terms=(term, overhead(term, share)),
        formulas=(_total(factors, share),),
        assumptions=tuple(assumptions),
    )


def model_inference(subject: Subject, weight_format: str, overhead_percent: Decimal) -> Estimate:
    """The same for a model's own tensors, each in the format that it is kept in.

    All of a model's experts stay in memory.
    """
    row = every_format()[weight_format]
    term = model_weights(subject.architecture, row)
    share = Quantity("o", overhead_percent / 100)
    return Estimate(
        calculator="inference",
        parameters_total=subject.count.total,
        parameters_trainable=0,
        parameters_active=subject.count.active,
        terms=(term, overhead(term, share)),
        formulas=(term.formula, _total((term.formula.quantity,), share)),
        assumptions=(*subject.assumptions, Assumption("kv_cache_as_share"), *_notes(term, row)),
        subject=subject,
    )


def _total(factors: tuple[Node, ...], share: Quantity) -> Formula:
    """V: what ``factors`` multiply to, and ``share`` of it more."""
    return Formula("V", Product((*factors, Sum((Quantity("1", Decimal(1)), share)))))


def _notes(term: Term, row: Format) -> tuple[Assumption, ...]:
    if row.scope == "file":
        return (Assumption("file_average"),)
    if row.scope in ("linear", "experts") and term.parts:
        return (Assumption("rest_at_16_bits"),)
    return (Assumption("scales_not_counted"),) if row.bytes < 2 else ()
