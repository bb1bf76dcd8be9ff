"""From a configuration object to an architecture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculator.architecture import Architecture
from calculator.configuration.build import build
from calculator.configuration.classes import (
    classes,
    nested_types,
    type_of_architecture,
    unsupported,
)
from calculator.configuration.dimensions import REQUIRED
from calculator.configuration.values import Reader, quoted
from calculator.errors import InputError, Problem
from calculator.estimate import Assumption

# where multimodal configurations keep the language model's own
_TEXT_PARTS = ("text_config", "llm_config", "language_config", "thinker_config")
_OTHER_PARTS = ("vision_config", "audio_config", "vision_tower", "mm_vision_tower", "visual")
# layers for predicting several tokens at once: in the file, not in the model that is run
_LEFT_OUT = ("num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers")
# keys, or beginnings of keys, of models with layers that are no attention
_OTHER_LAYERS = ("mamba_", "ssm_", "linear_", "rwkv", "lru_", "conv_", "cross_attention_layers")
_ATTENTION = {"full_attention", "sliding_attention", "chunked_attention", "attention"}
_MAXIMUM_PARTS = 3


@dataclass(frozen=True)
class Configuration:
    """What a file says: the architecture, and what was taken for granted in reading it."""

    model_type: str
    architecture: Architecture
    notes: tuple[Assumption, ...]


def read_configuration(config: Mapping[str, Any]) -> Configuration:
    """The architecture that the Hugging Face configuration ``config`` describes.

    Read by its ``model_type`` as Transformers would: with the class's own names and defaults.
    An unknown type with the fields of Llama's is taken for one, and a note says so; of a
    multimodal model the text part is counted. Raises :class:`InputError` with every fault:
    missing or bad fields, each named, or a type that is no plain decoder.
    """
    if not isinstance(config, Mapping):
        raise InputError(Problem("config_not_an_object", "config"))
    notes = []
    text, prefix, model_type = _text_part(config)
    if any(part in config for part in _OTHER_PARTS):
        notes.append(Assumption("config_ignored_vision"))
    _refuse_other_kinds(text, model_type)
    known = classes().get(model_type)
    if known is None:
        notes.append(
            Assumption("config_unknown_type", {"type": model_type})
            if model_type
            else Assumption("config_no_type")
        )
    row = known or classes()["unknown"]
    reader = Reader(text, row.aliases, row.defaults, prefix)
    architecture = build(reader, row, family=model_type or "llama")
    supplied = [name for name in reader.defaulted if name in REQUIRED]
    if supplied:
        notes.append(Assumption("config_defaults", {"fields": ", ".join(supplied)}))
    left_out = [key for key in _LEFT_OUT if text.get(key)]
    if left_out:
        notes.append(Assumption("config_ignored_fields", {"fields": ", ".join(left_out)}))
    return Configuration(model_type, architecture, tuple(notes))


def _text_part(config: Mapping[str, Any]) -> tuple[Mapping[str, Any], str, str]:
    """The language model's own configuration, where it stands, and its type."""
    prefix, model_type, outer = "", _type(config, ""), config
    for _ in range(_MAXIMUM_PARTS):
        key = next((key for key in _TEXT_PARTS if isinstance(outer.get(key), Mapping)), None)
        if key is None:
            break
        inner = outer[key]
        prefix += f"{key}."
        found = _type(inner, prefix)
        if not found:
            found = nested_types().get(model_type, f"{model_type}_text")
        # a composite's own word on tying holds for its text part too
        if "tie_word_embeddings" in outer and "tie_word_embeddings" not in inner:
            inner = {**inner, "tie_word_embeddings": outer["tie_word_embeddings"]}
        model_type, outer = found, inner
    return outer, prefix, model_type


def _type(config: Mapping[str, Any], prefix: str) -> str:
    value = config.get("model_type")
    if value is None or value == "":
        named = config.get("architectures")
        first = named[0] if isinstance(named, list) and named else None
        return (type_of_architecture(first) or "") if isinstance(first, str) else ""
    if not isinstance(value, str):
        params = {"name": f"{prefix}model_type", "text": quoted(value)}
        raise InputError(Problem("config_not_text", "config", {**params}))
    # no type is called so, and it is the row of the types that we don't know
    return value[:80] if value != "unknown" else ""


def _refuse_other_kinds(config: Mapping[str, Any], model_type: str) -> None:
    layer_types = config.get("layer_types")
    kinds = layer_types if isinstance(layer_types, list) else []
    if (
        model_type in unsupported()
        or config.get("is_encoder_decoder") is True
        or any(isinstance(kind, str) and kind not in _ATTENTION for kind in kinds)
        or (
            model_type not in classes()
            and any(str(key).startswith(_OTHER_LAYERS) for key in config)
        )
    ):
        params = {"type": quoted(model_type or "?")}
        raise InputError(Problem("config_unsupported", "config", {**params}))
