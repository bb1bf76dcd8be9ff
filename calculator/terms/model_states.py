"""What every trained parameter carries along: weight, gradient, master copy, optimizer states."""

from __future__ import annotations

from decimal import Decimal

from calculator.catalogue import Recipe
from calculator.estimate import Part, Term
from calculator.formula import Formula, Product, Quantity

_LETTERS = {
    "weights": "B_w",
    "gradients": "B_g",
    "master_weights": "B_m",
    "optimizer_states": "B_s",
    "model_states": "B",
}


def _term(term_id: str, billions: Decimal, size: Decimal, source: str) -> Term:
    """M_x = N x B_x: N parameters in billions, B_x bytes each, so GB (10^9 bytes).

    Source: ZeRO, arXiv:1910.02054, section 3.1. Holds while every parameter is trained and
    none is sharded or offloaded; padding of tensors by the allocator is not in it.
    """
    letter = _LETTERS[term_id]
    formula = Formula(
        letter.replace("B", "M"), Product((Quantity("N", billions), Quantity(letter, size)))
    )
    return Term(term_id, formula.whole(), formula, source, size)


def from_recipe(billions: Decimal, recipe: Recipe) -> tuple[Term, ...]:
    """The recipe's ledger for ``billions`` (10^9) of parameters; four terms that sum to M."""
    source = "; ".join(recipe.source)
    states = _term("optimizer_states", billions, recipe.states_bytes, source)
    parts = tuple(
        Part(part.id, _term("optimizer_states", billions, part.bytes, source).bytes, part.bytes)
        for part in recipe.optimizer_states
    )
    return (
        _term("weights", billions, recipe.weights, source),
        _term("gradients", billions, recipe.gradients, source),
        _term("master_weights", billions, recipe.master_weights, source),
        Term(states.id, states.bytes, states.formula, source, states.bytes_per_parameter, parts),
    )


def from_bytes(billions: Decimal, size: Decimal) -> tuple[Term, ...]:
    """M as one term, where only the sum B is known and its ledger is not."""
    return (_term("model_states", billions, size, "bytes per parameter as given"),)
