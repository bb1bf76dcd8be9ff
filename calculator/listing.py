"""The catalogue's rows for a program (JSON) and the commands that list them for a person."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any

from calculator.catalogue import Recipe, recipes
from calculator.errors import InputError
from calculator.formats import SCOPES, Format, every_format
from calculator.gpus import Gpu, gpus
from calculator.model_groups import group_of, grouped_models, model_groups
from calculator.models import Model
from calculator.numbers import format_number, parse_number
from calculator.parameters.count import count
from calculator.report.json import plain
from calculator.report.words import choice_name, text

Row = dict[str, Any]
# Those of the catalogue, so that a command that lists no cards need not read it.
VENDORS = ("amd", "apple", "google", "intel", "nvidia")
KINDS = ("consumer", "datacenter", "workstation")


def model_row(model: Model) -> Row:
    """A model with its dimensions, its count of parameters, and the sources of both."""
    shape, counted = model.architecture, count(model.architecture)
    dimensions = {
        name: value
        for name, value in vars(shape).items()
        if name != "family" and value not in (0, False, "none")
    }
    return {
        "id": model.id,
        "name": model.name,
        "group": group_of(model.id).id,
        "family": shape.family,
        "repository": model.repository,
        "parameters": {"total": counted.total, "active": counted.active, **counted.by_part},
        "architecture": dimensions,
        "published": model.published,
        "published_source": model.published_source,
        "stored": model.stored,
        "stored_difference": model.stored_difference,
        "note": model.note,
        "source": list(model.source),
    }


def gpu_row(gpu: Gpu) -> Row:
    """A card; ``memory_bytes`` is what one of its devices offers."""
    row = {key: value for key, value in vars(gpu).items() if key not in ("kind", "note", "source")}
    return {
        **{
            key: plain(value) if isinstance(value, Decimal) else value for key, value in row.items()
        },
        "class": gpu.kind,
        "memory_sizes": list(gpu.memory_sizes),
        "memory_bytes": gpu.memory_bytes,
        "note": gpu.note,
        "source": list(gpu.source),
    }


def format_row(row: Format) -> Row:
    """A format of weights; ``bits`` of one weight with its share of scales."""
    return {
        "id": row.id,
        "name": row.name,
        "bits": plain(row.bits),
        "scope": row.scope,
        "how": row.how,
        "note": row.note,
        "source": list(row.source),
    }


def recipe_row(row: Recipe, language: str) -> Row:
    """A training recipe: its ledger in bytes per parameter."""
    return {
        "id": row.id,
        "name": choice_name(language, "recipes", row.id),
        "bytes_per_parameter": plain(row.total),
        "weights": plain(row.weights),
        "gradients": plain(row.gradients),
        "master_weights": plain(row.master_weights),
        "optimizer_states": plain(row.states_bytes),
        "source": list(row.source),
    }


def add_commands(
    add: Callable[..., argparse.ArgumentParser], shared: argparse.ArgumentParser
) -> None:
    """Add ``models``, ``gpus``, ``formats`` and ``recipes`` by ``add``, argparse's add_parser."""
    listed = add("models", parents=[shared], help="the models and their dimensions")
    _search(listed, "name, repository and architecture")
    listed.add_argument("--family", type=str.lower, choices=list(model_groups()), metavar="GROUP",
                        help=f"one of {', '.join(model_groups())}")  # fmt: skip
    listed.add_argument("--min-parameters", type=_number, metavar="N", help="billions, at least")
    listed.add_argument("--max-parameters", type=_number, metavar="N", help="billions, at most")
    listed = add("gpus", parents=[shared], help="the accelerators and their memory")
    _search(listed, "name, vendor and architecture")
    listed.add_argument("--vendor", type=str.lower, choices=VENDORS)
    listed.add_argument("--class", type=str.lower, choices=KINDS, dest="kind")
    listed.add_argument("--min-memory", type=_number, metavar="GIB",
                        help="GiB that a program finds, at least")  # fmt: skip
    listed = add("formats", parents=[shared], help="the formats of weights and their bits")
    _search(listed, "name")
    listed.add_argument("--scope", type=str.lower, choices=SCOPES, help="what is kept in it")
    listed.add_argument("--max-bits", type=_number, metavar="N", help="bits a weight, at most")
    _search(add("recipes", parents=[shared], help="the training recipes and their ledgers"), "name")


def _search(command: argparse.ArgumentParser, where: str) -> None:
    command.add_argument("--search", metavar="TEXT", default="",
                         help=f"rows that hold every word, in slug, {where}")  # fmt: skip


def _number(raw: str) -> Decimal:
    try:
        return parse_number(raw, "en", "none")
    except InputError:
        raise argparse.ArgumentTypeError(f"{raw!r} is no number") from None


def show(options: argparse.Namespace) -> str:
    """What the command in ``options`` prints: aligned lines, or JSON with every field."""
    rows, lines = _COMMANDS[options.command](options)
    if options.json:
        return json.dumps(rows, ensure_ascii=False, indent=2)
    return "\n".join(_aligned(lines)) if rows else text(options.lang, "listing.none")


def _found(options: argparse.Namespace, *where: str) -> bool:
    held = " ".join(where).lower()
    return all(word in held for word in options.search.lower().split())


_Listed = tuple[list[Row], list[list[str]]]


def _models(options: argparse.Namespace) -> _Listed:
    lowest, highest = options.min_parameters, options.max_parameters
    rows, lines = [], [_head(options, "id", "parameters", "active", "layers", "width", "context")]
    for group, members in grouped_models().items():
        for model in members:
            counted, shape = count(model.architecture), model.architecture
            billions = Decimal(counted.total) / 10**9
            if (
                (options.family and options.family != group)
                or (lowest is not None and billions < lowest)
                or (highest is not None and billions > highest)
                or not _found(options, model.id, model.name, model.repository, shape.family)
            ):
                continue
            rows.append(model_row(model))
            active = Decimal(counted.active) / 10**9 if shape.num_experts else None
            sizes = [_cell(each, options.lang, 3, fixed=True) for each in (billions, active)]
            cells = [shape.num_hidden_layers, shape.hidden_size]
            cells.append(shape.max_position_embeddings)
            lines.append([model.id, *sizes, *(_cell(each or None, options.lang) for each in cells)])
    return rows, lines


def _gpus(options: argparse.Namespace) -> _Listed:
    rows = []
    lines = [_head(options, "id", "memory", "found", "bandwidth", "year", "name")]
    for gpu in gpus().values():
        gib = Decimal(gpu.memory_bytes) / 2**30
        if (
            (options.vendor and options.vendor != gpu.vendor.lower())
            or (options.kind and options.kind != gpu.kind)
            or (options.min_memory is not None and gib < options.min_memory)
            or not _found(options, gpu.id, gpu.name, gpu.vendor, gpu.architecture)
        ):
            continue
        rows.append(gpu_row(gpu))
        memory = f"{_cell(gpu.memory, options.lang)} {gpu.memory_unit}"
        cells = [memory, _cell(gib, options.lang, 1), _cell(gpu.bandwidth, options.lang)]
        lines.append([gpu.id, *cells, str(gpu.year), gpu.name])
    return rows, lines


def _formats(options: argparse.Namespace) -> _Listed:
    rows, lines = [], [_head(options, "id", "bits", "scope", "name")]
    for row in every_format().values():
        if (
            (options.scope and options.scope != row.scope)
            or (options.max_bits is not None and row.bits > options.max_bits)
            or not _found(options, row.id, row.name)
        ):
            continue
        rows.append(format_row(row))
        scope = text(options.lang, f"listing.scope_{row.scope}")
        lines.append([row.id, _cell(row.bits, options.lang, 4), scope, row.name])
    return rows, lines


def _recipes(options: argparse.Namespace) -> _Listed:
    rows, lines = [], []
    for row in recipes().values():
        name = choice_name(options.lang, "recipes", row.id)
        if not _found(options, row.id, name):
            continue
        rows.append(recipe_row(row, options.lang))
        sizes = (row.weights, row.gradients, row.master_weights, row.states_bytes)
        ledger = " + ".join(format_number(size, options.lang) for size in sizes)
        total = format_number(row.total, options.lang)
        lines.append([row.id, total, f"= {ledger}", name])
    return rows, lines


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], _Listed]] = {
    "models": _models, "gpus": _gpus, "formats": _formats, "recipes": _recipes,
}  # fmt: skip
COMMANDS = tuple(_COMMANDS)


def _head(options: argparse.Namespace, *names: str) -> list[str]:
    return [text(options.lang, f"listing.{name}") for name in names]


def _cell(
    value: Decimal | int | None, language: str, decimals: int = 6, *, fixed: bool = False
) -> str:
    if value is None:
        return ""
    return format_number(value, language, decimals=decimals, fixed=fixed)


def _aligned(lines: list[list[str]]) -> Iterable[str]:
    """Columns as wide as their cells; those of figures to the right."""
    columns = list(zip(*lines, strict=True))
    widths = [max(map(len, column)) for column in columns]
    figures = [all(not cell or cell[:1].isdigit() for cell in column[1:]) for column in columns]
    for line in lines:
        cells = [
            cell.rjust(width) if figure else cell.ljust(width)
            for cell, width, figure in zip(line, widths, figures, strict=True)
        ]
        yield "  ".join(cells).rstrip()
