"""How each model type's configuration reads: the rows of ``data/configurations.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from calculator.packaged import table

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class ConfigurationClass:
    """A model type's reading; the fields are told in the data file's head."""

    id: str
    aliases: Mapping[str, list[str]] = field(default_factory=dict)
    defaults: Mapping[str, int | bool] = field(default_factory=dict)
    set: Settings = field(default_factory=dict)
    when: Mapping[str, Settings] = field(default_factory=dict)
    unless: Mapping[str, Settings] = field(default_factory=dict)
    intermediate_factor: int = 0
    intermediate_divisor: int = 1
    position_rows: int = 0


_MERGED = ("aliases", "set", "when", "unless")
_PLAIN = ("defaults", "intermediate_factor", "intermediate_divisor", "position_rows")


@cache
def _data() -> dict[str, Any]:
    return table("data/configurations.toml")


@cache
def classes() -> dict[str, ConfigurationClass]:
    """Every model type that is read by its own rules."""
    rows = {row["id"]: row for row in _data()["row"]}

    def whole(row: dict[str, Any]) -> dict[str, Any]:
        base = whole(rows[row["base"]]) if "base" in row else {}
        merged = {key: {**base.get(key, {}), **row.get(key, {})} for key in _MERGED}
        plain = {**base, **row}
        return merged | {key: plain[key] for key in _PLAIN if key in plain}

    return {id: ConfigurationClass(id=id, **whole(row)) for id, row in rows.items()}


@cache
def unsupported() -> frozenset[str]:
    """Model types that are no plain decoder of attention and MLP, and can't be counted as one."""
    return frozenset(_data()["unsupported"])


def nested_types() -> Mapping[str, str]:
    """What the text part is where a multimodal configuration doesn't say it."""
    found: dict[str, str] = _data()["nested"]
    return found


@cache
def _by_architecture() -> dict[str, str]:
    return {id.replace("_", "").lower(): id for id in classes()}


def type_of_architecture(name: str) -> str | None:
    """``llama`` for ``LlamaForCausalLM``: for files that leave the model type out."""
    return _by_architecture().get(name[:80].removesuffix("ForCausalLM").lower())
