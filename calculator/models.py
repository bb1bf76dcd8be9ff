"""The catalogue of models: rows with an architecture, found by name."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Any

from calculator.architecture import Architecture
from calculator.errors import InputError, ParamValue, Problem
from calculator.nearest import nearest
from calculator.packaged import table

_SHAPE = tuple(field.name for field in dataclasses.fields(Architecture))
# more candidates than this are not worth reading in a message
_LISTED = 5


@dataclass(frozen=True)
class Model:
    """One model: ``id`` is its slug, ``repository`` where its weights are published.

    ``published`` is the count of parameters as published; ``stored`` that of the published
    file where it holds more or less than the text model, ``stored_difference`` tells why.
    """

    id: str
    name: str
    repository: str
    architecture: Architecture
    published: int | None
    published_source: str
    stored: int | None
    stored_difference: str
    note: str
    source: tuple[str, ...]


@cache
def models() -> dict[str, Model]:
    """Every model by slug, in the order of the data file: by family, then by size."""
    data = table("data/models.toml")
    return {row["id"]: _model(row, data["sources"]) for row in data["row"]}


def _model(row: dict[str, Any], sources: dict[str, str]) -> Model:
    shape = {name: row[name] for name in _SHAPE if name in row}
    return Model(
        id=row["id"],
        name=row["name"],
        repository=row["repository"],
        architecture=Architecture(**shape),
        published=row.get("published"),
        published_source=row.get("published_source", ""),
        stored=row.get("stored"),
        stored_difference=row.get("stored_difference", ""),
        note=row.get("note", ""),
        source=tuple(sources[key] for key in row["source"]),
    )


def find_model(text: str) -> Model:
    """The model that ``text`` means: a slug, a repository, or a part of just one of them.

    Case does not matter. Raises :class:`InputError`: ``unknown_model`` with the nearest, or
    ``ambiguous_model`` with the candidates.
    """
    every = models()
    wanted = text.strip().lower()
    if wanted in every:
        return every[wanted]
    for model in every.values():
        if wanted in (model.repository.lower(), model.name.lower()):
            return model
    found = [m for m in every.values() if wanted in m.id or wanted in m.repository.lower()]
    if len(found) == 1:
        return found[0]
    params: dict[str, ParamValue] = {"text": " ".join(text.split())[:60]}
    if not found or not wanted:
        params["nearest"] = nearest(wanted, list(every))
        raise InputError(Problem("unknown_model", "model", params))
    params["count"] = len(found)
    params["candidates"] = ", ".join(model.id for model in found[:_LISTED])
    raise InputError(Problem("ambiguous_model", "model", params))
