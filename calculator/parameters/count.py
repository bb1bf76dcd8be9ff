"""A model's parameters, all of them: total, active per token, and by part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from calculator.architecture import Architecture
from calculator.parameters.attention import attention
from calculator.parameters.embeddings import embeddings
from calculator.parameters.mlp import mlp
from calculator.parameters.norms import norms
from calculator.parameters.tensors import Tensor

PARTS = ("embedding", "attention", "mlp", "experts", "norms", "head")


@dataclass(frozen=True)
class Count:
    """Whole numbers of parameters; ``by_part`` follows :data:`PARTS` and sums to ``total``."""

    total: int
    active: int
    by_part: dict[str, int]


# bounded: a batch may hold any number of architectures
@lru_cache(maxsize=512)
def tensors(model: Architecture) -> tuple[Tensor, ...]:
    """Every tensor of the model, in the order of the forward pass."""
    return (*embeddings(model), *attention(model), *mlp(model), *norms(model))


@lru_cache(maxsize=512)
def count(model: Architecture) -> Count:
    """The parameters of the text model; a tied head is counted once."""
    every = tensors(model)
    by_part = {part: sum(each.total for each in every if each.part == part) for part in PARTS}
    return Count(sum(by_part.values()), sum(each.active_total for each in every), by_part)
