"""Dimensions edited by hand, starting from a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from calculator.architecture import Architecture
from calculator.configuration.build import check_architecture, uneven
from calculator.configuration.dimensions import DIMENSIONS
from calculator.configuration.values import check_whole, quoted
from calculator.errors import InputError, Problem
from calculator.nearest import nearest

# fields with a fixed set of words, and what each word is
WORDS: dict[str, tuple[str, ...]] = {
    "mlp_type": ("swiglu", "geglu", "gelu", "relu"),
    "attention_bias": ("none", "qkv", "qkvo", "o"),
    "qk_norm": ("none", "per_head", "per_head_bias", "full"),
    "norm_type": ("rmsnorm", "layernorm", "layernorm_nobias", "nonparametric"),
}
FLAGS = tuple(each.name for each in fields(Architecture) if each.type == "bool")
_NAMES = {key: name for name, each in DIMENSIONS.items() for key in (name, *each.keys)}


def apply_overrides(model: Architecture, overrides: Mapping[str, Any]) -> Architecture:
    """``model`` with some fields replaced; names are ours or Hugging Face's.

    What was derived follows, unless it is given too: heads that shared the hidden size go on
    sharing it, as many key heads as query heads stay as many, a learned position table keeps
    its surplus over the context, experts as wide as the MLP (where no layer has one) follow it,
    and shared experts go on being so many times one expert. A head size that was not the
    hidden size over the heads (Gemma, Qwen 3) stays.
    Raises :class:`InputError` naming unknown names (with the nearest) and bad values.
    """
    if not isinstance(overrides, Mapping):
        raise InputError(Problem("config_not_an_object", "overrides"))
    given: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in overrides.items():
        try:
            name, checked = _checked(key, value)
            given[name] = checked
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    result = replace(model, **_followers(model, given), **given)
    _require(result)
    check_architecture(result, "overrides")
    return result


def _checked(key: object, value: object) -> tuple[str, Any]:
    """The field that ``key`` names, with its value if it is allowed."""
    shown = quoted(key)
    if key in _NAMES and isinstance(key, str):
        return _NAMES[key], check_whole(_NAMES[key], key, value, "overrides")
    params = {"name": shown, "text": quoted(value)}
    if key in FLAGS:
        if not isinstance(value, bool):
            raise InputError(Problem("config_not_a_flag", "overrides", {**params}))
        return shown, value
    if key in WORDS:
        if key == "attention_bias" and isinstance(value, bool):
            return shown, "qkvo" if value else "none"
        if not isinstance(value, str) or value not in WORDS[shown]:
            choices = ", ".join(WORDS[shown])
            raise InputError(
                Problem("config_not_a_choice", "overrides", {**params, "choices": choices})
            )
        return shown, value
    known = [*_NAMES, *FLAGS, *WORDS]
    params = {"key": shown, "nearest": nearest(shown, known)}
    raise InputError(Problem("unknown_key", "overrides", {**params}))


def _followers(model: Architecture, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that move with those given."""

    def now(name: str) -> Any:
        return given.get(name, found.get(name, getattr(model, name)))

    found: dict[str, Any] = {}
    heads = model.num_attention_heads
    if model.head_dim * heads == model.hidden_size and "head_dim" not in given:
        if now("hidden_size") % now("num_attention_heads"):
            raise uneven("hidden_size", "num_attention_heads", "overrides")
        found["head_dim"] = now("hidden_size") // now("num_attention_heads")
    if model.num_key_value_heads == heads:
        found["num_key_value_heads"] = now("num_attention_heads")
    if model.learned_positions:
        surplus = model.learned_positions - model.max_position_embeddings
        found["learned_positions"] = now("max_position_embeddings") + surplus
    if model.expert_layers == model.num_hidden_layers and (
        model.moe_intermediate_size == model.intermediate_size
    ):
        found["moe_intermediate_size"] = now("intermediate_size")
    shared = model.num_shared_experts * model.moe_intermediate_size
    if shared == model.shared_expert_intermediate_size:
        found["shared_expert_intermediate_size"] = now("num_shared_experts") * now(
            "moe_intermediate_size"
        )
    return {name: value for name, value in found.items() if name not in given}


def _require(model: Architecture) -> None:
    """What a model of its kind can't be without."""
    needed = []
    if model.num_experts:
        needed += ["experts_per_token", "moe_intermediate_size"]
    if model.kv_lora_rank:
        needed += ["qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"]
    else:
        needed += ["head_dim"]
    missing = [name for name in needed if not getattr(model, name)]
    if missing:
        params = {"fields": ", ".join(missing)}
        raise InputError(Problem("config_missing", "overrides", {**params}))
