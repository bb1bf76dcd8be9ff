"""From an architecture back to a configuration that its type would read as that."""

from dataclasses import asdict
from itertools import product
from typing import Any

from oracle import keys_of

from calculator.architecture import Architecture
from calculator.configuration import read_configuration
from calculator.configuration.classes import classes
from calculator.configuration.dimensions import DIMENSIONS
from calculator.errors import InputError

# what no parameter depends on
_WITHOUT_WEIGHTS = ("sliding_window", "position", "max_position_embeddings")
# null where a model has none, since zero would be taken for a size
_NULLABLE = ("q_lora_rank", "num_shared_experts", "sliding_window")


def spell(model: Architecture) -> dict[str, Any]:
    """A configuration of the model's type that reads as `model`, or a ValueError with what differs.

    Dimensions go under the names of the class; its flags are tried until all traits agree.
    """
    row = classes()[model.family]
    config = {"model_type": model.family, **_dimensions(model)}
    wanted = _counted(model)
    differs: dict[str, Any] = {}
    flags = [*row.when, *row.unless]
    for settings in product((False, True), repeat=len(flags)):
        candidate = {**config, **dict(zip(flags, settings, strict=True))}
        try:
            found = _counted(read_configuration(candidate).architecture)
        except InputError:
            continue
        if found == wanted:
            return candidate
        differs = {key: (found.get(key), wanted[key]) for key in wanted}
    raise ValueError({key: pair for key, pair in differs.items() if pair[0] != pair[1]})


def _dimensions(model: Architecture) -> dict[str, Any]:
    """Each dimension under the first name that the class knows."""
    known = keys_of(model.family)
    aliases = classes()[model.family].aliases
    config: dict[str, Any] = {"tie_word_embeddings": model.tie_word_embeddings}
    for name, dimension in DIMENSIONS.items():
        keys = [key for key in aliases.get(name, dimension.keys) if key in known]
        if name == "head_dim" and not model.head_dim:  # latent attention has others
            continue
        # many classes take it though they don't declare it
        if name == "head_dim" and model.family != "falcon":
            keys = ["head_dim"]
        if keys:
            value = getattr(model, name)
            config.setdefault(keys[0], None if name in _NULLABLE and not value else value)
    if not model.max_position_embeddings:
        for key in DIMENSIONS["max_position_embeddings"].keys:
            config.pop(key, None)
    if model.family == "opt":
        config["word_embed_proj_dim"] = model.word_embed_proj_dim or model.hidden_size
    if model.family == "falcon":
        config["num_kv_heads"] = model.num_key_value_heads
    return config


def _counted(model: Architecture) -> dict[str, Any]:
    fields = asdict(model)
    for name in _WITHOUT_WEIGHTS:
        del fields[name]
    if not model.dense_layers:  # no layer has an MLP of its own
        del fields["intermediate_size"]
    return fields
