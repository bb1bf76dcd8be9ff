"""Which modules of a model LoRA adapts, matched as PEFT does, and how many parameters that adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calculator.architecture import Architecture
from calculator.errors import InputError, Problem
from calculator.expert_targets import DOWN, FUSED, conversions, rank_factor
from calculator.nearest import nearest
from calculator.parameters.count import tensors
from calculator.parameters.tensors import Tensor

PRESETS = ("all-linear", "qv", "qkvo")
# PEFT adapts these by name, never by "all-linear"
_BY_NAME_ONLY = ("embed_tokens", "lm_head", FUSED, DOWN)


@dataclass(frozen=True)
class Adapted:
    """Copies of one module that carry an adapter of one rank.

    ``saved`` modules are trained and stored whole and have no rank. ``parameters`` counts
    all copies.
    """

    name: str
    part: str
    rows: int
    columns: int
    copies: int
    rank: int
    saved: bool
    parameters: int


def adapted_modules(
    model: Architecture,
    targets: str | Sequence[str],
    rank: int,
    *,
    rank_pattern: Mapping[str, int] | None = None,
    dora: bool = False,
    modules_to_save: Sequence[str] = (),
) -> tuple[Adapted, ...]:
    """The adapters of ``model``: a module each, in the order of the forward pass.

    ``targets`` is one of :data:`PRESETS` or names; ``rank_pattern`` gives some names a rank
    of their own; DoRA adds a magnitude a row. Raises :class:`InputError` (``unknown_module``)
    for a name that no module has.
    """
    every = tensors(model)
    patterns = dict(rank_pattern or {})
    converted = conversions(model, targets)
    wanted = _wanted(model, every, targets, converted)
    for name in (*patterns, *modules_to_save):
        _require(name, every, "modules_to_save" if name in modules_to_save else "rank_pattern")
    found = []
    for tensor in every:
        if any(_matches(tensor, name) for name in modules_to_save):
            found.append(_adapted(tensor, 0, tensor.total, saved=True))
        elif tensor in wanted:
            own = next((r for name, r in patterns.items() if _matches(tensor, name)), rank)
            own *= rank_factor(tensor.name) if converted else 1
            found.append(_adapted(tensor, own, _parameters(tensor, own, dora=dora)))
    return tuple(found)


def _parameters(tensor: Tensor, rank: int, *, dora: bool) -> int:
    """r x (d_in + d_out) a matrix (LoRA, arXiv:2106.09685, section 4.1); DoRA adds d_out
    (arXiv:2402.09353, section 4.1), rsLoRA nothing (arXiv:2312.03732)."""
    return (rank * (tensor.rows + tensor.columns) + dora * tensor.rows) * tensor.copies


def _adapted(tensor: Tensor, rank: int, parameters: int, *, saved: bool = False) -> Adapted:
    shape = (tensor.rows, tensor.columns, tensor.copies)
    return Adapted(tensor.name, tensor.part, *shape, rank, saved, parameters)


def _matches(tensor: Tensor, name: str) -> bool:
    """PEFT's rule: the whole name, or its end after a dot; longer paths match by their end too.

    Experts are parameters, not modules: only their whole name means them.
    """
    if tensor.name.startswith("experts."):
        return name == tensor.name
    return (
        tensor.name == name or tensor.name.endswith(f".{name}") or name.endswith(f".{tensor.name}")
    )


def _adaptable(tensor: Tensor) -> bool:
    return tensor.linear or tensor.name in _BY_NAME_ONLY


def _wanted(
    model: Architecture,
    every: Sequence[Tensor],
    targets: str | Sequence[str],
    converted: Mapping[str, str],
) -> list[Tensor]:
    if converted:
        return _with_experts(every, targets, converted)
    if targets == "all-linear":
        return [t for t in every if t.linear and t.name not in _BY_NAME_ONLY]
    attention = [t for t in every if t.linear and t.part == "attention"]
    if targets == "qkvo":
        return attention
    if targets == "qv":
        return _queries_and_values(model, attention)
    names = [targets] if isinstance(targets, str) else list(targets)
    if not names:
        raise InputError(Problem("empty", "target_modules"))
    for name in names:
        _require(name, every, "target_modules")
    return [t for t in every if _adaptable(t) and any(_matches(t, name) for name in names)]


def _with_experts(
    every: Sequence[Tensor], targets: str | Sequence[str], converted: Mapping[str, str]
) -> list[Tensor]:
    """Experts and router in place of the MLP's layers; all of attention, or what else is named."""
    named = list(converted) if targets == "all-linear" else list(targets)
    experts = {converted[name] for name in named if name in converted}
    others = [name for name in named if name not in converted]
    return [
        tensor
        for tensor in every
        if tensor.name in experts
        or (targets == "all-linear" and tensor.linear and tensor.part == "attention")
        or (_adaptable(tensor) and any(_matches(tensor, name) for name in others))
    ]


def _queries_and_values(model: Architecture, attention: Sequence[Tensor]) -> list[Tensor]:
    """Queries and values; where a matrix holds more than these, the whole of it."""
    if model.kv_lora_rank:
        return [t for t in attention if t.name.startswith(("q_", "kv_b"))]
    if len(attention) == 4:
        return [attention[0], attention[2]]
    return list(attention[:1])


def _require(name: str, every: Sequence[Tensor], field: str) -> None:
    known = [tensor.name for tensor in every if _adaptable(tensor)]
    if not any(_adaptable(tensor) and _matches(tensor, name) for tensor in every):
        params = {"text": name[:60], "nearest": nearest(name, known), "known": ", ".join(known)}
        raise InputError(Problem("unknown_module", field, {**params}))
