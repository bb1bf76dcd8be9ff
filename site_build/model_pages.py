"""A page about one model: its dimensions, its parameters, and the memory that it takes."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from calculator.catalogue import recipes
from calculator.formats import every_format
from calculator.model_groups import group_of
from calculator.models import Model, models
from calculator.numbers import format_number
from calculator.parameters.count import count
from calculator.report.sizes import billions_text, percent_text
from calculator.report.words import choice_name
from calculator.terms.weights import model_weights
from site_build.content import Content
from site_build.delivery import Delivery
from site_build.notes import translated
from site_build.split_bar import bar, swatch

GIB = 2**30
# What a reader compares; a format for experts alone is added where there are some.
_FORMATS = ("fp32", "bf16", "fp8", "int8-bnb", "nf4-dq", "gptq-4bit", "gguf-q8-0", "gguf-q4-k-m")
_EXPERT_FORMAT = "mxfp4"
# Fields of the architecture in the order of reading; those that are absent are left out.
_DIMENSIONS = (
    "num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim",
    "q_lora_rank", "kv_lora_rank", "intermediate_size", "num_experts", "experts_per_token",
    "moe_intermediate_size", "num_shared_experts", "first_k_dense_layers", "sliding_window",
    "vocab_size", "max_position_embeddings",
)  # fmt: skip


@dataclass(frozen=True)
class ModelPage:
    """What the template of one model's page shows, in one language."""

    model: Model
    group: str
    dimensions: tuple[tuple[str, str, str], ...]
    parts: tuple[tuple[Markup, str, str, str], ...]
    bar: Markup
    total: str
    active: str
    stored: str
    stored_difference: str
    note: str
    training: tuple[tuple[str, str, str, str, str], ...]
    formats: tuple[tuple[str, str, str, str], ...]


def content(delivery: Delivery, nav: str) -> Content:
    """The frame's texts: title, heading, lead and description."""
    model = _model(delivery)
    words = _words(delivery)
    size = _rounded(count(model.architecture).total, delivery.language)
    layers = model.architecture.num_hidden_layers
    lead = words["lead"].format(size=size, layers=layers)
    if model.architecture.num_experts:
        active = _rounded(count(model.architecture).active, delivery.language)
        lead = words["lead_experts"].format(size=size, layers=layers, active=active)
    return Content(
        title=words["title"].format(name=model.name),
        heading=model.name,
        lead=lead,
        description=words["description"].format(name=model.name, size=size),
        nav=nav,
        sections=(),
    )


def page(delivery: Delivery) -> ModelPage:
    """The figures of the page's model."""
    model, language, words = _model(delivery), delivery.language, _words(delivery)
    shape = model.architecture
    counted = count(shape)
    dimensions = tuple(
        (words[f"field_{name}"], name, _number(getattr(shape, name), language))
        for name in _DIMENSIONS
        if getattr(shape, name) and not (shape.kv_lora_rank and name == "num_key_value_heads")
    )
    names = {part: words[f"part_{part}"] for part in counted.by_part}
    parts = tuple(
        (
            swatch(part),
            names[part],
            _number(size, language),
            percent_text(Decimal(size) / counted.total, language),
        )
        for part, size in counted.by_part.items()
        if size
    )
    return ModelPage(
        model=model,
        group=group_of(model.id).name,
        dimensions=dimensions,
        parts=parts,
        bar=bar(counted.by_part, names, words["bar_title"], language),
        total=_number(counted.total, language),
        active=_number(counted.active, language) if shape.num_experts else "",
        stored=_number(model.stored, language) if model.stored else "",
        stored_difference=translated(model.stored_difference, language),
        note=translated(model.note, language),
        training=_training(model, delivery),
        formats=_formats(model, language),
    )


def _model(delivery: Delivery) -> Model:
    return models()[delivery.page.model or ""]


def _words(delivery: Delivery) -> dict[str, str]:
    found: dict[str, Any] = delivery.site.words[delivery.language]["model"]
    return found


def _number(value: int, language: str) -> str:
    return format_number(value, language, table=True)


def _rounded(parameters: int, language: str) -> str:
    # the digits that people say; the exact count is in the table
    step = 10**7 if parameters >= 10**9 else 10**6
    return billions_text((parameters + step // 2) // step * step, language)


def _gib(size: int, language: str) -> str:
    return format_number(Decimal(size) / GIB, language, decimals=1, fixed=True, table=True)


def _gb(size: int, language: str) -> str:
    return format_number(Decimal(size) / 10**9, language, decimals=1, fixed=True, table=True)


def _training(model: Model, delivery: Delivery) -> tuple[tuple[str, str, str, str, str], ...]:
    """Name, bytes per parameter, GB, GiB and link of every recipe."""
    language, total = delivery.language, count(model.architecture).total
    found = []
    for recipe in recipes().values():
        size = int(total * recipe.total)
        query = "" if recipe.id == "adam-mixed" else f"&memory_per_parameter={recipe.id}"
        link = f"{delivery.href('training')}?model={model.id}{query}"
        name = choice_name(language, "recipes", recipe.id)
        per_parameter = format_number(recipe.total, language)
        found.append((name, per_parameter, _gb(size, language), _gib(size, language), link))
    return tuple(found)


def _formats(model: Model, language: str) -> tuple[tuple[str, str, str, str], ...]:
    """Name, bits that a weight takes on average, GB and GiB."""
    slugs = [*_FORMATS, *([_EXPERT_FORMAT] if model.architecture.num_experts else [])]
    total = count(model.architecture).total
    found = []
    for slug in slugs:
        row = every_format()[slug]
        size = model_weights(model.architecture, row).bytes
        bits = format_number(Decimal(size * 8) / total, language, decimals=2)
        found.append((row.name, bits, _gb(size, language), _gib(size, language)))
    return tuple(found)
