"""The catalogues as public JSON files; a file's name holds the version of its shape."""

from __future__ import annotations

import json
from typing import Any

import calculator
from calculator.catalogue import recipes
from calculator.formats import every_format
from calculator.gpus import gpus
from calculator.listing import format_row, gpu_row, model_row, recipe_row
from calculator.models import models

SCHEMA = 1
FOLDER = "data"
_LICENCE = "MIT"
# each row names its own; this is about the file as a whole
_SOURCE = "LLM VRAM calculator; where a row’s figures come from is in its source"


def path_of(name: str) -> str:
    """Where a catalogue's file stands in ``dist/``."""
    return f"{FOLDER}/{name}-v{SCHEMA}.json"


def build(repository: str = "") -> dict[str, bytes]:
    """Every file by its path in ``dist/``; the same catalogues give the same bytes.

    ``optimizers-v1.json`` holds training recipes, which are more than an optimizer: the key
    says so.
    """
    tables: dict[str, dict[str, list[dict[str, Any]]]] = {
        "models": {"models": [model_row(model) for model in models().values()]},
        "gpus": {"gpus": [gpu_row(gpu) for gpu in gpus().values()]},
        "formats": {"formats": [format_row(row) for row in every_format().values()]},
        "optimizers": {"recipes": [recipe_row(row, "en") for row in recipes().values()]},
    }
    return {path_of(name): _file(table, repository) for name, table in tables.items()}


def _file(table: dict[str, list[dict[str, Any]]], repository: str) -> bytes:
    head: dict[str, object] = {
        "schema": SCHEMA,
        "version": calculator.__version__,
        "licence": _LICENCE,
        "source": repository or _SOURCE,
    }
    lines = [
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()
    ]
    for key, rows in table.items():
        # a row a line: differences between two versions are then readable
        listed = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        lines.append(f"{json.dumps(key)}: [\n{listed}\n]")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
