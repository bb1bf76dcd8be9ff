"""A calculator's form as its template needs it, made from the fields' declaration."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from calculator import catalogue
from calculator.catalogue import Recipe
from calculator.fields import FORMS
from calculator.numbers import format_number
from calculator.report.words import choice_name, table, text
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
    """One input with its words; ``other_label`` names the free value beside the choices."""

    name: str
    label: str
    help: str
    unit: str
    value: str
    input_mode: str
    choices: tuple[Choice, ...]
    other: str
    other_label: str
    optional: bool


@dataclass(frozen=True)
class Group:
    """Fields under one legend."""

    legend: str
    fields: tuple[FormField, ...]


def _choices(catalogue_name: str, language: str) -> tuple[Choice, ...]:
    section = "recipes" if catalogue_name == "recipes" else "formats"
    return tuple(
        Choice(
            slug,
            choice_name(language, catalogue_name, slug),
            "" if section == "recipes" else text(language, f"{section}.{slug}.detail"),
            format_number(row.total if isinstance(row, Recipe) else row.bytes, language),
        )
        for slug, row in catalogue.offered(catalogue_name).items()
    )


def groups(calculator: str, language: str) -> list[Group]:
    """The form's groups in order."""
    result = []
    for group, members in groupby(FORMS[calculator], key=lambda field: field.group):
        fields = []
        for field in members:
            words = table(language)["fields"][field.name]
            fields.append(
                FormField(
                    field.name,
                    words["label"],
                    words.get(f"help_{calculator}", words["help"]),
                    words["unit"],
                    initial_text(field, language),
                    "numeric" if field.kind == "whole" else "decimal",
                    _choices(field.choices, language) if field.choices else (),
                    words.get("other", "") if field.kind == "choice_or_number" else "",
                    words.get("other_label", ""),
                    not field.required,
                )
            )
        result.append(Group(text(language, f"groups.{group}"), tuple(fields)))
    return result


def initial_form(calculator: str, language: str) -> dict[str, str]:
    """What the form holds before the visitor types."""
    return {field.name: initial_text(field, language) for field in FORMS[calculator]}
