"""The tables of the reference pages: every catalogue as groups of rows of cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from calculator.formats import Format, every_format
from calculator.gpus import Gpu, gpus
from calculator.model_groups import grouped_models, model_groups
from calculator.models import Model, models
from calculator.numbers import format_number
from calculator.parameters.count import count
from calculator.terms.weights import model_weights
from site_build.delivery import Delivery

GIB = 2**30
# What stands for "4 bits" and for "the model" where a table has room for one only.
FOUR_BIT = "nf4-dq"
EXAMPLE = "llama-3.1-8b"
# beginnings of slugs, by the group of formats that they make; the first that fits decides
_FORMAT_GROUPS = {
    "types": ("fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int4", "mx", "nvfp4", "w4a", "w8a"),
    "bitsandbytes": ("int8-bnb", "nf4", "fp4"),
    "gptq": ("gptq", "awq"),
    "other": ("hqq", "aqlm", "exl2"),
    "gguf": ("gguf",),
    "ggml": ("ggml",),
}


@dataclass(frozen=True)
class Cell:
    """What stands in a cell; ``value`` is what its column is sorted by, if not the text."""

    text: str
    value: str = ""


@dataclass(frozen=True)
class Row:
    """A line of a table: its name, where that leads, a code beside it, and the other cells."""

    name: str
    href: str
    code: str
    cells: tuple[Cell, ...]


@dataclass
class Sources:
    """Sources in the order in which the rows first name them."""

    listed: list[str] = field(default_factory=list)

    def numbers(self, names: Iterable[str]) -> Cell:
        found = []
        for name in names:
            if name not in self.listed:
                self.listed.append(name)
            found.append(self.listed.index(name) + 1)
        return Cell(", ".join(map(str, sorted(found))), str(min(found, default=0)))


@dataclass(frozen=True)
class Table:
    """A catalogue in one language. ``columns``: key of their words, and whether figures."""

    columns: tuple[tuple[str, bool], ...]
    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    sources: tuple[str, ...]

    @property
    def size(self) -> int:
        return sum(len(rows) for _, rows in self.groups)


def table(delivery: Delivery) -> Table:
    """The table of the page's catalogue."""
    make = {"models": _models, "gpus": _gpus, "formats": _formats}
    return make[delivery.page.catalogue or ""](delivery)


class _Numbers:
    """Cells with figures in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def cell(self, value: Decimal | int | None, decimals: int = 6, *, fixed: bool = False) -> Cell:
        if value is None:
            return Cell("–", "-1")
        shown = format_number(value, self.language, decimals=decimals, fixed=fixed, table=True)
        return Cell(shown, f"{value:f}" if isinstance(value, Decimal) else str(value))

    def billions(self, parameters: int | None) -> Cell:
        value = None if parameters is None else Decimal(parameters) / 10**9
        return self.cell(value, 2, fixed=True)

    def gib(self, size: int, decimals: int = 1) -> Cell:
        value = (Decimal(size) / GIB).quantize(Decimal(1).scaleb(-decimals))
        return self.cell(value, decimals, fixed=True)


def _models(delivery: Delivery) -> Table:
    numbers, sources = _Numbers(delivery.language), Sources()
    columns = (
        ("parameters", True), ("active", True), ("layers", True), ("width", True), ("heads", True),
        ("context", True), ("vocabulary", True), ("sixteen", True), ("four", True),
        ("sources", True),
    )  # fmt: skip

    def row(model: Model) -> Row:
        shape, counted = model.architecture, count(model.architecture)
        heads, groups = shape.num_attention_heads, shape.num_key_value_heads
        latent = bool(shape.kv_lora_rank)
        cells = (
            numbers.billions(counted.total),
            numbers.billions(counted.active if shape.num_experts else None),
            numbers.cell(shape.num_hidden_layers),
            numbers.cell(shape.hidden_size),
            Cell(f"{heads}/MLA" if latent else f"{heads}/{groups}", str(heads)),
            numbers.cell(shape.max_position_embeddings or None),
            numbers.cell(shape.vocab_size),
            numbers.gib(model_weights(shape, every_format()["bf16"]).bytes),
            numbers.gib(model_weights(shape, every_format()[FOUR_BIT]).bytes),
            sources.numbers(model.source),
        )
        return Row(model.name, delivery.href(f"models/{model.id}"), "", cells)

    groups = tuple(
        (group.name, tuple(row(model) for model in grouped_models()[slug]))
        for slug, group in model_groups().items()
    )
    return Table(columns, groups, tuple(sources.listed))


def _gpus(delivery: Delivery) -> Table:
    words: Any = delivery.site.words[delivery.language]["reference"]
    numbers, sources = _Numbers(delivery.language), Sources()
    columns = (
        ("memory", True), ("found", True), ("bandwidth", True), ("year", True),
        ("architecture", False), ("native", False), ("note", False), ("sources", True),
    )  # fmt: skip

    def row(gpu: Gpu) -> Row:
        memory = numbers.cell(gpu.memory).text
        natives = [name for name in ("bf16", "fp8", "fp4") if getattr(gpu, name)]
        kind = " ".join(filter(None, (gpu.architecture.capitalize(), gpu.compute_capability)))
        unified = [words["unified"]] if gpu.unified and "memor" not in str(gpu.note) else []
        notes = [*unified, *filter(None, [gpu.note.get(delivery.language, "")])]
        if gpu.memory_sizes:
            sizes = ", ".join(map(str, gpu.memory_sizes))
            notes.append(words["sizes"].format(sizes=sizes, unit=gpu.memory_unit))
        shown = gpu.nvidia_smi_mib is not None
        cells = (
            Cell(f"{memory}\u00a0{gpu.memory_unit}", str(gpu.nominal_bytes)),
            numbers.gib(gpu.memory_bytes, 2) if shown else Cell("–", "-1"),
            numbers.cell(gpu.bandwidth),
            Cell(str(gpu.year), str(gpu.year)),
            Cell(kind or "–"),
            Cell(", ".join(natives) or "–"),
            Cell("; ".join(notes)),
            sources.numbers(gpu.source),
        )
        return Row(gpu.name.removeprefix(f"{gpu.vendor} "), "", "", cells)

    names = dict.fromkeys((gpu.vendor, gpu.kind) for gpu in gpus().values())
    groups = tuple(
        (
            f"{vendor}, {words[f'class_{kind}']}",
            tuple(row(g) for g in gpus().values() if (g.vendor, g.kind) == (vendor, kind)),
        )
        for vendor, kind in names
    )
    return Table(columns, groups, tuple(sources.listed))


def _format_group(slug: str) -> str:
    fits = [
        (len(start), name)
        for name, starts in _FORMAT_GROUPS.items()
        for start in starts
        if slug.startswith(start)
    ]
    return max(fits)[1]


def _formats(delivery: Delivery) -> Table:
    words: Any = delivery.site.words[delivery.language]["reference"]
    numbers, sources = _Numbers(delivery.language), Sources()
    columns = (
        ("bits", True), ("bytes", True), ("example", True), ("scope", False), ("how", False),
        ("note", False), ("sources", True),
    )  # fmt: skip
    example = models()[EXAMPLE].architecture

    def row(each: Format) -> Row:
        cells = (
            numbers.cell(each.bits, 4),
            numbers.cell(each.bytes, 4),
            numbers.gib(model_weights(example, each).bytes),
            Cell(words[f"scope_{each.scope}"]),
            Cell(each.how),
            Cell(each.note.get(delivery.language, "")),
            sources.numbers(each.source),
        )
        return Row(each.name, "", each.id, cells)

    groups = tuple(
        (
            words[f"formats_{name}"],
            tuple(row(each) for each in every_format().values() if _format_group(each.id) == name),
        )
        for name in _FORMAT_GROUPS
    )
    return Table(columns, groups, tuple(sources.listed))
