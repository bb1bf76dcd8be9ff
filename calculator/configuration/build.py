"""An architecture out of the values that a reader takes, and what must hold between them."""

from __future__ import annotations

from typing import Any

from calculator.architecture import Architecture
from calculator.configuration.classes import ConfigurationClass
from calculator.configuration.dimensions import DIMENSIONS, REQUIRED
from calculator.configuration.experts import sparse_layout
from calculator.configuration.values import Reader
from calculator.errors import InputError, Problem

_LATENT = ("q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")


def build(reader: Reader, row: ConfigurationClass, family: str) -> Architecture:
    """The architecture; raises :class:`InputError` with all that is missing, bad or uneven."""
    found: dict[str, Any] = {
        name: reader.dimension(name) for name in DIMENSIONS if name != "norms_per_layer"
    }
    found |= _traits(reader, row)
    found["tie_word_embeddings"] = reader.flag("tie_word_embeddings")
    if found["intermediate_size"] is not None:
        found["intermediate_size"] //= row.intermediate_divisor
    elif row.intermediate_factor and found["hidden_size"]:
        found["intermediate_size"] = row.intermediate_factor * found["hidden_size"]
    _experts(reader, found)
    _refuse_missing(reader, found)
    _positions(found, row)
    _heads(found)
    if found["word_embed_proj_dim"] == found["hidden_size"]:
        found["word_embed_proj_dim"] = 0
    values: dict[str, Any] = {k: 0 if value is None else value for k, value in found.items()}
    model = Architecture(family=family, **values)
    check_architecture(model, "config")
    return model


def _traits(reader: Reader, row: ConfigurationClass) -> dict[str, Any]:
    """What the type itself says, and what its flags say."""
    found = dict(row.set)
    for key, settings in row.when.items():
        if reader.flag(key):
            found |= settings
    for key, settings in row.unless.items():
        if not reader.flag(key):
            found |= settings
    return {
        name: reader.reference(name, value[1:])
        if isinstance(value, str) and value.startswith("$")
        else value
        for name, value in found.items()
    }


def _experts(reader: Reader, found: dict[str, Any]) -> None:
    """Which layers have experts, and how wide the shared ones are together."""
    layers = found["num_hidden_layers"]
    if found["num_experts"] and layers:
        first, step, sparse = sparse_layout(
            reader, layers, found["first_k_dense_layers"] or 0, found["moe_layer_step"] or 1
        )
        found |= {"first_k_dense_layers": first, "moe_layer_step": step}
        if not sparse:
            found["num_experts"] = 0
        elif sparse == layers:  # no layer has an MLP of its own
            found["intermediate_size"] = (
                found["intermediate_size"] or found["moe_intermediate_size"]
            )
    if not found["num_experts"]:
        found |= dict.fromkeys(
            ("num_experts", "experts_per_token", "moe_intermediate_size", "num_shared_experts",
             "shared_expert_intermediate_size", "first_k_dense_layers"), 0
        )  # fmt: skip
        found |= {"shared_expert_gate": False, "moe_layer_step": 1}
        return
    if found["shared_expert_intermediate_size"] is None:
        found["shared_expert_intermediate_size"] = (found["moe_intermediate_size"] or 0) * (
            found["num_shared_experts"] or 0
        )
    if not found["shared_expert_intermediate_size"]:
        found |= {"num_shared_experts": 0, "shared_expert_gate": False}


def _refuse_missing(reader: Reader, found: dict[str, Any]) -> None:
    """Stop at bad values, and name the fields without which nothing can be counted."""
    needed = list(REQUIRED)
    if found["num_experts"]:
        needed += ["experts_per_token", "moe_intermediate_size"]
    if found["kv_lora_rank"]:
        needed += ["qk_nope_head_dim", "qk_rope_head_dim"]
    if found.get("position") == "learned":
        needed.append("max_position_embeddings")
    missing = [reader.prefix + _usual(reader, name) for name in needed if not found[name]]
    if reader.problems:
        raise InputError(reader.problems)
    if missing:
        raise InputError(Problem("config_missing", "config", {"fields": ", ".join(missing)}))


def _usual(reader: Reader, name: str) -> str:
    keys = reader.aliases.get(name) or DIMENSIONS[name].keys
    return keys[0]


def _positions(found: dict[str, Any], row: ConfigurationClass) -> None:
    if found.get("position") == "learned":
        found["learned_positions"] = found["max_position_embeddings"] + row.position_rows


def _heads(found: dict[str, Any]) -> None:
    """As many keys as queries unless told; heads share the hidden size unless told."""
    heads = found["num_attention_heads"]
    found["num_key_value_heads"] = found["num_key_value_heads"] or heads
    if found["kv_lora_rank"]:
        found["head_dim"] = 0  # queries and keys have one, values another
        found["v_head_dim"] = found["v_head_dim"] or _share(found)
    else:
        found |= dict.fromkeys(_LATENT, 0)
        found["head_dim"] = found["head_dim"] or _share(found)


def _share(found: dict[str, Any]) -> int:
    """A head's share of the hidden size."""
    hidden, heads = found["hidden_size"], found["num_attention_heads"]
    if hidden % heads:
        raise uneven("hidden_size", "num_attention_heads", "config")
    return int(hidden // heads)


def uneven(name: str, divisor: str, field: str) -> InputError:
    """The refusal of a dimension that another must divide."""
    return InputError(Problem("config_uneven", field, {"name": name, "divisor": divisor}))


def check_architecture(model: Architecture, field: str) -> None:
    """Raise :class:`InputError` unless dimensions, each in bounds, go together."""
    if model.num_attention_heads % model.num_key_value_heads and not model.kv_lora_rank:
        raise uneven("num_attention_heads", "num_key_value_heads", field)
    for name, other in (
        ("experts_per_token", "num_experts"),
        ("first_k_dense_layers", "num_hidden_layers"),
        ("moe_layer_step", "num_hidden_layers"),
    ):
        if model.num_experts and getattr(model, name) > getattr(model, other):
            params = {"name": name, "other": other}
            raise InputError(Problem("config_exceeds", field, {**params}))
