"""How a family's blocks are written, where that changes what is kept for backward."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calculator.architecture import Architecture
from calculator.errors import InputError, Problem
from calculator.packaged import rows


@dataclass(frozen=True)
class Traits:
    """A row of ``data/blocks.toml``, whose head explains each field."""

    id: str
    families: tuple[str, ...]
    source: tuple[str, ...]
    counted: bool
    norm: str = "rmsnorm"
    fused_qkv: bool = False
    merged_by_copy: bool = False
    rotary: bool = True
    gelu: str = "fused"
    parallel: bool = False
    dropout: bool = False
    attention_dropout: bool = False
    softmax: str = "fp32"
    softcap: bool = False
    sdpa: bool = True
    sliding: int = 1
    always_masked: bool = False
    causal_buffer: bool = False
    sinks: bool = False
    experts_more: int = 0
    router_fp32: bool = False


@cache
def _by_family() -> dict[str, Traits]:
    found = {}
    for row in rows("blocks"):
        lists = {"families": tuple(row["families"]), "source": tuple(row["source"])}
        traits = Traits(**{**row, **lists})
        found.update(dict.fromkeys(traits.families, traits))
    return found


def traits_of(model: Architecture) -> Traits:
    """The traits of ``model``'s family. Raises :class:`InputError` where nobody wrote them down."""
    traits = _by_family().get(model.family)
    if traits is None:
        raise InputError(Problem("not_modelled", "model", {"text": model.family[:60]}))
    return traits
