"""What a family's linear layers are called."""

from __future__ import annotations

from functools import cache
from typing import Any

from calculator.packaged import table


@cache
def _data() -> dict[str, Any]:
    return table("data/families.toml")


@cache
def _by_family() -> dict[str, dict[str, Any]]:
    return {family: row for row in _data()["row"] for family in row["models"]}


def _row(family: str) -> dict[str, Any]:
    # a family that we don't know is estimated as Llama-like, and named so
    return _by_family().get(family) or _by_family()["llama"]


def known_families() -> tuple[str, ...]:
    """Every family whose layers have their own names here."""
    return tuple(_by_family())


def attention_names(family: str) -> list[str]:
    """Four names (queries, keys, values, output), or two where the first three are fused."""
    return list(_row(family)["attention"])


def mlp_names(family: str) -> list[str]:
    """Three names (gate, up, down), or two: fused, or without a gate."""
    return list(_row(family)["mlp"])


def experts_are_converted(family: str) -> bool:
    """Whether PEFT adapts the experts where MLP layers are named; the data file tells how."""
    return family in _data()["converted_experts"]


def router_is_linear(family: str) -> bool:
    """Whether the router of the experts is a linear layer, and takes an adapter."""
    return family in _data()["linear_routers"]
