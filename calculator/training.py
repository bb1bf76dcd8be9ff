"""Training, simple form: M = N x B and V = M + A; and the same for a model's exact N."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from calculator.catalogue import recipes
from calculator.estimate import Assumption, Estimate
from calculator.formula import BILLION, Formula, Product, Quantity, Sum
from calculator.subject import Subject
from calculator.terms.activation_input import activation_input
from calculator.terms.model_states import from_bytes, from_recipe


def training(
    parameters: Decimal, memory_per_parameter: Decimal | str, activation_memory: Decimal
) -> Estimate:
    """Memory to train every parameter of a model on one device.

    ``parameters`` in billions; ``memory_per_parameter`` a recipe's slug or a number of bytes;
    ``activation_memory`` in GB (10^9 bytes). V = N x B + A, after ZeRO, arXiv:1910.02054,
    section 3.1; a first-level estimate without temporaries, communication and the
    allocator's reserve.
    """
    assumptions = [Assumption("first_level")]
    if isinstance(memory_per_parameter, str):
        recipe = recipes()[memory_per_parameter]
        states = from_recipe(parameters, recipe)
        size = recipe.total
        if recipe.disputed:
            assumptions.append(Assumption(f"disputed_{recipe.id.replace('-', '_')}"))
    else:
        states = from_bytes(parameters, memory_per_parameter)
        size = memory_per_parameter
        assumptions.append(Assumption("ledger_unknown"))
    if activation_memory == 0:
        assumptions.append(Assumption("activations_not_counted"))
    activations = activation_input(activation_memory)
    model = Formula("M", Product((Quantity("N", parameters), Quantity("B", size))))
    total = Formula("V", Sum((model.quantity, Quantity("A", activation_memory))))
    count = int((parameters * BILLION).to_integral_value())
    return Estimate(
        calculator="training",
        parameters_total=count,
        parameters_trainable=count,
        parameters_active=count,
        terms=(*states, activations),
        formulas=(model, total),
        assumptions=tuple(assumptions),
    )


def model_training(
    subject: Subject, memory_per_parameter: Decimal | str, activation_memory: Decimal
) -> Estimate:
    """The same with the model's own count of parameters; all of its experts are trained."""
    result = training(subject.billions, memory_per_parameter, activation_memory)
    return replace(
        result,
        subject=subject,
        parameters_active=subject.count.active,
        assumptions=(*subject.assumptions, *result.assumptions),
    )
