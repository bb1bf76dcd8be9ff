"""From raw input to an estimate: every field read, checked and completed by its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from calculator.errors import InputError, Problem
from calculator.estimate import Estimate
from calculator.fields import CALCULATORS, FORMS
from calculator.inference import inference, model_inference
from calculator.lora import adapted, lora, model_lora
from calculator.nearest import nearest
from calculator.numbers import shortened
from calculator.reading import Value, read_field
from calculator.subject import subject
from calculator.training import model_training, training

_SIMPLE: dict[str, Any] = {"training": training, "inference": inference, "lora": lora}
_DETAILED: dict[str, Any] = {
    "training": model_training, "inference": model_inference, "lora": model_lora
}  # fmt: skip
_SUBJECT = ("model", "config", "overrides")
# what reading adds to the values of the fields
_DERIVED = ("subject", "adapted")
# keys of a scenario that are not fields of a form
ENVELOPE = ("calculator", "id", "schema")


def estimate(scenario: Mapping[str, Any], language: str = "en") -> Estimate:
    """The estimate for ``scenario`` (the contract's keys; ``calculator`` defaults to training).

    Numbers may be numbers or text; ``language`` (``it`` or ``en``) settles how text is read.
    Raises :class:`InputError` with every problem found.
    """
    calculator = scenario.get("calculator", "training")
    if not isinstance(calculator, str) or calculator not in FORMS:
        near = nearest(str(calculator), CALCULATORS)
        params = {"text": shortened(str(calculator)), "nearest": near}
        raise InputError(Problem("unknown_choice", "calculator", {**params}))
    values, problems = read(calculator, scenario, language)
    if problems:
        raise InputError(problems)
    result: Estimate
    if is_detailed(scenario):
        inputs = {k: v for k, v in values.items() if k not in _DERIVED and v is not None}
        rest = {k: v for k, v in values.items() if k not in _SUBJECT}
        result = _DETAILED[calculator](**rest)
        return replace(result, inputs=inputs)
    result = _SIMPLE[calculator](**values)
    return replace(result, inputs=values)


def is_detailed(scenario: Mapping[str, Any]) -> bool:
    """Whether the scenario is about a model rather than a number of parameters."""
    return scenario.get("model") is not None or scenario.get("config") is not None


def read(
    calculator: str, scenario: Mapping[str, Any], language: str
) -> tuple[dict[str, Value], list[Problem]]:
    """The values of ``calculator``'s fields, and every problem met, in form order.

    In the detailed form the values hold ``subject`` too, where it could be made out.
    """
    form = FORMS[calculator]
    detailed = is_detailed(scenario)
    values: dict[str, Value] = {}
    problems: list[Problem] = []
    for field in form:
        raw = scenario.get(field.name)
        if not field.applies(detailed):
            if raw is not None and raw != "":
                code = "not_with_model" if detailed else "only_with_model"
                problems.append(Problem(code, field.name))
            continue
        try:
            values[field.name] = read_field(field, raw, language)
        except InputError as error:
            for problem in error.problems:
                problems.append(Problem(problem.code, field.name, problem.params))
    if detailed and not problems:
        problems += _understand(calculator, values)
    known = [field.name for field in form]
    for key in scenario:
        if key not in known and key not in ENVELOPE:
            params = {"key": shortened(str(key)), "nearest": nearest(str(key), known)}
            problems.append(Problem("unknown_key", shortened(str(key)), {**params}))
    return values, problems


def _understand(calculator: str, values: dict[str, Value]) -> list[Problem]:
    """Make out the model, and hold the names in the other fields against it."""
    try:
        values["subject"] = subject(*(values[name] for name in _SUBJECT))
        if calculator == "lora":
            values["adapted"] = adapted(values)
    except InputError as error:
        return list(error.problems)
    return []
