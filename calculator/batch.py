"""Many scenarios at once: JSON Lines in, JSON Lines out, same order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from calculator.errors import InputError, Problem
from calculator.report import json as as_json
from calculator.scenario import estimate


def parse(text: str) -> Any:
    """JSON with exact numbers. Raises :class:`InputError` (``bad_json``)."""
    try:
        return json.loads(text, parse_float=Decimal, parse_int=Decimal, parse_constant=Decimal)
    except json.JSONDecodeError as error:
        where: dict[str, str | int | float] = {"line": error.lineno, "column": error.colno}
        raise InputError(Problem("bad_json", None, where)) from None
    except RecursionError:
        raise InputError(Problem("bad_json", None, {"line": 1, "column": 1})) from None


def parse_scenario(text: str) -> dict[str, Any]:
    """A scenario object. Raises :class:`InputError` (``bad_json``, ``not_an_object``)."""
    scenario = parse(text)
    if not isinstance(scenario, dict):
        raise InputError(Problem("not_an_object"))
    return scenario


def plain_id(scenario: dict[str, Any]) -> Any:
    """A scenario's ``id`` as it came: exact numbers back into JSON's own."""
    value = scenario.get("id")
    return as_json.plain(value) if isinstance(value, Decimal) and value.is_finite() else value


def answer_line(line: str, language: str) -> tuple[dict[str, Any], bool]:
    """The object for one line, and whether it is a result."""
    scenario: dict[str, Any] = {}
    try:
        scenario = parse_scenario(line)
        return as_json.result(estimate(scenario, language), language, plain_id(scenario)), True
    except InputError as error:
        shown = as_json.error(error.problems, language)
        return {"id": plain_id(scenario), "error": shown}, False


def answers(lines: Iterable[str], language: str) -> Iterator[tuple[str, bool]]:
    """For each line that is not blank: its answer as a line of JSON, and whether it is a result."""
    for line in lines:
        if line.strip():
            shown, good = answer_line(line, language)
            yield json.dumps(shown, ensure_ascii=False, default=str), good
