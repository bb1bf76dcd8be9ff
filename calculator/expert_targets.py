"""Where PEFT sends targets that were experts' linear layers before Transformers 5.

There the experts of a layer are two parameters, gate and up in one. For the families that
``families.toml`` lists, PEFT 0.21 converts the old names: adapters go to these parameters and
to the router, with twice the rank on the fused one, which two of the old names share; dense and
shared layers of the same names get none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calculator.architecture import Architecture
from calculator.parameters.names import experts_are_converted

FUSED, DOWN = "experts.gate_up_proj", "experts.down_proj"
_USUAL = {"gate_proj": FUSED, "up_proj": FUSED, "down_proj": DOWN, "gate": "router"}
_MIXTRAL = {"w1": FUSED, "w3": FUSED, "w2": DOWN, "gate": "router"}


def conversions(model: Architecture, targets: str | Sequence[str]) -> Mapping[str, str]:
    """The old names by what they mean now; empty where PEFT takes ``targets`` as they are."""
    if not model.num_experts or not experts_are_converted(model.family):
        return {}
    names = _MIXTRAL if model.family in ("mixtral", "minimax_m2") else _USUAL
    if targets == "all-linear":
        return names
    return names if not isinstance(targets, str) and any(t in names for t in targets) else {}


def rank_factor(name: str) -> int:
    """What a converted target's rank is multiplied by."""
    return 2 if name == FUSED else 1
