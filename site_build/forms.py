"""A calculator's form as its template needs it, made from the fields' declaration."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from calculator import catalogue
from calculator.catalogue import Recipe
from calculator.fields import FORMS, Field, form_fields
from calculator.models import models
from calculator.numbers import format_number
from calculator.parameters.count import count
from calculator.report.sizes import billions_text
from calculator.report.words import choice_name, table, text
from calculator.targets import PRESETS
from calculator.web import initial_text


@dataclass(frozen=True)
class Choice:
    """One radio button: the slug that it sends, what it says, and its bytes."""

    slug: str
    name: str
    detail: str
    size: str


@dataclass(frozen=True)
class FormField:
    """One input with its words.

    ``depth`` is the form that shows it; ``other_label`` names the free value beside the
    choices, ``others`` the rows that this may be, if they are a closed set.
    """

    name: str
    kind: str
    depth: str
    label: str
    help: str
    unit: str
    value: str
    input_mode: str
    choices: tuple[Choice, ...]
    other: str
    other_label: str
    others: tuple[tuple[str, str], ...]
    options: tuple[Choice, ...]


@dataclass(frozen=True)
class Group:
    """Fields under one legend; ``depth`` as of its fields, where all have the same."""

    legend: str
    depth: str
    fields: tuple[FormField, ...]


def _choices(field: Field, language: str) -> tuple[Choice, ...]:
    if field.kind == "flag":
        words = table(language)["flags"]
        return tuple(Choice(slug, words[slug], "", "") for slug in ("false", "true"))
    if field.kind == "targets":
        words = table(language)["targets"]
        return tuple(Choice(slug, words[slug], "", "") for slug in PRESETS)
    if field.choices is None:
        return ()
    section = "recipes" if field.choices == "recipes" else "formats"
    return tuple(
        Choice(
            slug,
            choice_name(language, field.choices, slug),
            "" if section == "recipes" else text(language, f"{section}.{slug}.detail"),
            format_number(row.total if isinstance(row, Recipe) else row.bytes, language),
        )
        for slug, row in catalogue.offered(field.choices).items()
    )


def _others(field: Field, language: str) -> tuple[tuple[str, str], ...]:
    """Choices that are valid but not shown as radio buttons: slug and name."""
    if field.choices is None:
        return ()
    shown = catalogue.offered(field.choices)
    return tuple(
        (slug, choice_name(language, field.choices, slug))
        for slug in catalogue.choices(field.choices)
        if slug not in shown
    )


def _options(field: Field, language: str) -> tuple[Choice, ...]:
    """What a picker lists."""
    if field.kind != "model":
        return ()
    return tuple(
        Choice(m.id, m.name, billions_text(count(m.architecture).total, language), "")
        for m in models().values()
    )


def _form_field(field: Field, calculator: str, language: str) -> FormField:
    words = table(language)["fields"][field.name]
    value = initial_text(field, language)
    return FormField(
        name=field.name,
        kind=field.kind,
        depth=field.depth,
        label=words["label"],
        help=words.get(f"help_{calculator}", words["help"]),
        unit=words["unit"],
        value=models()[value].name if field.kind == "model" else value,
        input_mode={"whole": "numeric", "number": "decimal"}.get(field.kind, "text"),
        choices=_choices(field, language),
        other=words.get("other", ""),
        other_label=words.get("other_label", ""),
        others=_others(field, language),
        options=_options(field, language),
    )


def groups(calculator: str, language: str) -> list[Group]:
    """The form's groups in order."""
    result = []
    for group, members in groupby(FORMS[calculator], key=lambda field: field.group):
        fields = tuple(_form_field(field, calculator, language) for field in members)
        depths = {field.depth for field in fields}
        depth = depths.pop() if len(depths) == 1 else "both"
        result.append(Group(text(language, f"groups.{group}"), depth, fields))
    return result


def initial_form(calculator: str, language: str) -> dict[str, str]:
    """What the simple form holds before the visitor types."""
    return {field.name: initial_text(field, language) for field in form_fields(calculator)}
