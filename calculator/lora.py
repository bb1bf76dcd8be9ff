"""LoRA, simple form: P = r x (d_in + d_out) x m."""

from __future__ import annotations

from decimal import Decimal

from calculator.catalogue import adapter_dtypes, recipes
from calculator.estimate import Assumption, Estimate
from calculator.formula import BILLION
from calculator.terms.adapters import adapter_parameters, adapters


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
    training_bytes = int(count.value * recipes()["adam-fp32"].total)
    base = None if parameters is None else int((parameters * BILLION).to_integral_value())
    return Estimate(
        "lora",
        {
            "parameters": parameters,
            "lora_rank": lora_rank,
            "adapter_dtype": adapter_dtype,
            "input_dimension": input_dimension,
            "output_dimension": output_dimension,
            "adapted_matrices": adapted_matrices,
        },
        base,
        count.whole(),
        (term,),
        (count, term.formula),
        (
            Assumption("adapters_alone"),
            Assumption("adapter_training", {"training_bytes": training_bytes}),
        ),
    )
