"""From raw input to an estimate: every field read, checked and completed by its default."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from calculator import catalogue
from calculator.errors import InputError, Problem
from calculator.estimate import Estimate
from calculator.fields import CALCULATORS, FORMS, Field
from calculator.inference import inference
from calculator.lora import lora
from calculator.nearest import nearest
from calculator.numbers import parse_number, shortened
from calculator.training import training

Value = Decimal | str | None
_CALCULATE: dict[str, Any] = {"training": training, "inference": inference, "lora": lora}
# keys of a scenario that are not fields of a form
ENVELOPE = ("calculator", "id", "schema")


def estimate(scenario: Mapping[str, Any], language: str = "en") -> Estimate:
    """The estimate for ``scenario`` (the contract's keys; ``calculator`` defaults to training).

    Numbers may be numbers or text; ``language`` (``it`` or ``en``) settles how text is read.
    Raises :class:`InputError` with every problem found.
    """
    calculator = scenario.get("calculator", "training")
    if not isinstance(calculator, str) or calculator not in FORMS:
        near = nearest(str(calculator), list(CALCULATORS))
        params = {"text": shortened(str(calculator)), "nearest": near}
        raise InputError(Problem("unknown_choice", "calculator", {**params}))
    values, problems = read(calculator, scenario, language)
    if problems:
        raise InputError(problems)
    result: Estimate = _CALCULATE[calculator](**values)
    return result


def read(
    calculator: str, scenario: Mapping[str, Any], language: str
) -> tuple[dict[str, Value], list[Problem]]:
    """The values of ``calculator``'s fields, and every problem met, in form order."""
    form = FORMS[calculator]
    values: dict[str, Value] = {}
    problems: list[Problem] = []
    for field in form:
        try:
            values[field.name] = read_field(field, scenario.get(field.name), language)
        except InputError as error:
            for problem in error.problems:
                problems.append(Problem(problem.code, field.name, problem.params))
    known = [field.name for field in form]
    for key in scenario:
        if key not in known and key not in ENVELOPE:
            params = {"key": shortened(str(key)), "nearest": nearest(str(key), known)}
            problems.append(Problem("unknown_key", shortened(str(key)), {**params}))
    return values, problems


def read_field(field: Field, raw: object, language: str) -> Value:
    """One field's value: an exact decimal, a slug, or ``None`` (optional and not given)."""
    if raw is None:
        raw = field.default
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        if field.required:
            raise InputError(Problem("empty"))
        return None
    if field.choices is not None and isinstance(raw, str):
        slug = catalogue.find(field.choices, raw)
        if slug is not None:
            return slug
        # "adam-9bit" is a misspelt slug, "12 GB" a misspelt number
        if field.kind == "choice" or raw.strip()[0].isalpha():
            raise _unknown_choice(field, raw)
    elif field.kind == "choice":
        raise _unknown_choice(field, str(raw))
    return checked(field, _number(raw, language, field.unit), raw)


def _unknown_choice(field: Field, text: str) -> InputError:
    known = list(catalogue.choices(field.choices or ""))
    params = {"text": shortened(text), "nearest": nearest(text, known)}
    return InputError(Problem("unknown_choice", None, {**params}))


def _number(raw: object, language: str, unit: str) -> Decimal:
    if isinstance(raw, str):
        return parse_number(raw, language, unit)
    if isinstance(raw, bool) or not isinstance(raw, (int, float, Decimal)):
        raise InputError(Problem("not_a_number", None, {"text": shortened(str(raw))}))
    number = Decimal(repr(raw)) if isinstance(raw, float) else Decimal(raw)
    if number.is_nan():
        raise InputError(Problem("not_a_number", None, {"text": "NaN"}))
    if number.is_infinite():
        raise InputError(Problem("infinite", None, {"text": "∞"}))
    return number


def checked(field: Field, number: Decimal, raw: object) -> Decimal:
    """``number`` if the field allows it; else an error that tells what is allowed."""
    text = shortened(raw) if isinstance(raw, str) else shortened(f"{number:.12g}")
    bounds: dict[str, str | int | float] = {
        "text": text, "minimum": f"{field.minimum:f}", "maximum": f"{field.maximum:f}"
    }  # fmt: skip
    if number < 0:
        raise InputError(Problem("negative", None, bounds))
    if number == 0 and field.above_zero:
        raise InputError(Problem("zero", None, bounds))
    if number > field.maximum:
        raise InputError(Problem("too_large", None, bounds))
    if field.kind == "whole" and number != number.to_integral_value():
        raise InputError(Problem("not_whole", None, bounds))
    if number < field.minimum:
        raise InputError(Problem("too_small", None, bounds))
    return number
