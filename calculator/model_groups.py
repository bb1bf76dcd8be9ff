"""The lines that models belong to, for lists that people read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calculator.models import Model, models
from calculator.packaged import rows


@dataclass(frozen=True)
class ModelGroup:
    """A line of models, such as Qwen; ``prefixes`` are beginnings of its models' slugs."""

    id: str
    name: str
    prefixes: tuple[str, ...]


@cache
def model_groups() -> dict[str, ModelGroup]:
    """Every group by slug, in the order in which they are shown."""
    return {
        row["id"]: ModelGroup(row["id"], row["name"], tuple(row["prefixes"]))
        for row in rows("model_groups")
    }


def group_of(slug: str) -> ModelGroup:
    """The group whose prefix fits ``slug`` best. Raises LookupError where none does."""
    fits = [
        (len(prefix), group)
        for group in model_groups().values()
        for prefix in group.prefixes
        if slug.startswith(prefix)
    ]
    if not fits:
        raise LookupError(f"no group in data/model_groups.toml fits {slug!r}")
    return max(fits, key=lambda fit: fit[0])[1]


@cache
def grouped_models() -> dict[str, tuple[Model, ...]]:
    """The models of every group by its slug, in the catalogue's order."""
    found: dict[str, list[Model]] = {slug: [] for slug in model_groups()}
    for model in models().values():
        found[group_of(model.id).id].append(model)
    return {slug: tuple(members) for slug, members in found.items()}
