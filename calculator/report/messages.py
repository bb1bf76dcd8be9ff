"""Problems in words: which field, what is wrong, what is allowed."""

from __future__ import annotations

from decimal import Decimal

from calculator import catalogue
from calculator.errors import ParamValue, Problem
from calculator.fields import FORMS, Field
from calculator.numbers import format_number
from calculator.report.words import table, text


def field_by_name(name: str) -> Field | None:
    """A field's declaration, whichever form it stands in."""
    return next((field for form in FORMS.values() for field in form if field.name == name), None)


def field_label(name: str, language: str) -> str:
    return text(language, f"fields.{name}.label")


def allowed(field: Field, language: str) -> str:
    """What a field takes, as the end of a sentence that says so."""
    bounds = {
        "minimum": format_number(field.minimum, language, decimals=9, table=True),
        "maximum": format_number(field.maximum, language, decimals=9, table=True),
    }
    if field.choices is not None:
        key = "choice" if field.kind == "choice" else "choice_or_number"
        names = ", ".join(catalogue.offered(field.choices))
        if len(catalogue.offered(field.choices)) < len(catalogue.choices(field.choices)):
            names += ", …"
        return text(language, f"allowed.{key}", choices=names, **bounds)
    if field.kind in ("flag", "model", "config", "targets", "names", "pairs"):
        return text(language, f"allowed.{field.kind}")
    if field.kind == "whole":
        return text(language, "allowed.above_zero_whole", **bounds)
    return text(language, "allowed.above_zero" if field.above_zero else "allowed.from_to", **bounds)


def message(problem: Problem, language: str) -> str:
    """The problem as one or two sentences, without the field's name."""
    params: dict[str, ParamValue] = dict(problem.params)
    for bound in ("minimum", "maximum"):
        if bound in params:
            params[bound] = format_number(Decimal(params[bound]), language, decimals=9, table=True)
    field = field_by_name(problem.field or "")
    if field is not None:
        params["allowed"] = allowed(field, language)
    elif problem.field == "calculator":
        params["allowed"] = text(language, "allowed.choice", choices=", ".join(FORMS))
    return text(language, f"errors.{problem.code}", **params)


def short_line(problem: Problem, language: str) -> str:
    """The field's name and what is wrong, without what is allowed: for the error summary."""
    template = str(table(language)["errors"][problem.code])
    says = template.partition(". ")[0].rstrip(".").format(**problem.params)
    return f"{field_label(problem.field or '', language)}: {says}"


def line(problem: Problem, language: str) -> str:
    """The message led by the field's name: for the command line."""
    if problem.field is None or problem.code == "unknown_key":
        return message(problem, language)
    return f"{field_label(problem.field, language)}: {message(problem, language)}"
