"""LoRA: the parameters that adapters add, by matrices of one shape or on a model's modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from calculator.catalogue import adapter_dtypes, recipes
from calculator.errors import InputError, Problem
from calculator.estimate import Assumption, Estimate
from calculator.expert_targets import conversions
from calculator.formula import BILLION, Formula, Quantity
from calculator.subject import Subject
from calculator.targets import Adapted, adapted_modules
from calculator.terms.adapters import adapter_parameters, adapters, model_adapters

_LARGEST_RANK = 10**5


def lora(
    parameters: Decimal | None,
    lora_rank: Decimal,
    adapter_dtype: str,
    input_dimension: Decimal,
    output_dimension: Decimal,
    adapted_matrices: Decimal,
) -> Estimate:
    """Parameters that LoRA adapters add, and the memory of these weights alone.

    ``parameters`` of the frozen base model in billions, or ``None`` where no share is asked
    for; ``lora_rank`` r; ``adapter_dtype`` a format's slug; the matrices are
    ``adapted_matrices`` of ``output_dimension`` x ``input_dimension`` each.
    """
    count = adapter_parameters(lora_rank, input_dimension, output_dimension, adapted_matrices)
    input_share = input_dimension / (input_dimension + output_dimension)
    term = adapters(count, input_share, adapter_dtypes()[adapter_dtype])
    base = None if parameters is None else int((parameters * BILLION).to_integral_value())
    return Estimate(
        calculator="lora",
        parameters_total=base,
        parameters_trainable=count.whole(),
        parameters_active=base,
        terms=(term,),
        formulas=(count, term.formula),
        assumptions=_assumptions(count.whole()),
    )


def _assumptions(trainable: int) -> tuple[Assumption, ...]:
    training_bytes = int(trainable * recipes()["adam-fp32"].total)
    sizes = {slug: int(trainable * row.bytes) for slug, row in adapter_dtypes().items()}
    return (
        Assumption("adapters_alone"),
        Assumption("adapter_file", {f"{slug}_bytes": size for slug, size in sizes.items()}),
        Assumption("adapter_training", {"training_bytes": training_bytes}),
    )


def adapted(values: Mapping[str, Any]) -> tuple[Adapted, ...]:
    """The modules that the form's fields adapt. Raises :class:`InputError`."""
    return adapted_modules(
        values["subject"].architecture,
        values["target_modules"],
        int(values["lora_rank"]),
        rank_pattern=_ranks(values["rank_pattern"] or {}),
        dora=values["use_dora"],
        modules_to_save=values["modules_to_save"] or (),
    )


def _ranks(pattern: Mapping[str, Any]) -> dict[str, int]:
    for name, rank in pattern.items():
        number = isinstance(rank, (int, Decimal)) and not isinstance(rank, bool)
        if not number or rank != int(rank) or not 1 <= rank <= _LARGEST_RANK:
            params = {"text": f"{name}={rank}"[:60]}
            raise InputError(Problem("not_a_rank", "rank_pattern", {**params}))
    return {name: int(rank) for name, rank in pattern.items()}


def model_lora(
    subject: Subject,
    adapted: Sequence[Adapted],
    lora_rank: Decimal,
    target_modules: str | Sequence[str],
    adapter_dtype: str,
    use_dora: bool,
    use_rslora: bool,
    rank_pattern: Mapping[str, int] | None,
    modules_to_save: Sequence[str] | None,
) -> Estimate:
    """Adapters on a model's modules, as ``adapted`` counts them from the other fields.

    rsLoRA divides by the root of the rank instead of the rank: it adds nothing
    (arXiv:2312.03732, section 3).
    """
    trainable = sum(module.parameters for module in adapted)
    count = Formula("P", Quantity("P", Decimal(trainable)), "parameters")
    term = model_adapters(count, adapted, adapter_dtypes()[adapter_dtype])
    notes = [*subject.assumptions]
    if conversions(subject.architecture, target_modules):
        notes.append(Assumption("experts_converted"))
    elif subject.architecture.num_experts and not any("experts." in m.name for m in adapted):
        notes.append(Assumption("experts_not_adapted"))
    return Estimate(
        calculator="lora",
        parameters_total=subject.count.total,
        parameters_trainable=trainable,
        parameters_active=subject.count.active,
        terms=(term,),
        formulas=(term.formula,),
        assumptions=(*notes, *_assumptions(trainable)),
        subject=subject,
        modules=tuple(adapted),
    )
