"""Many scenarios at once: JSON Lines in, JSON Lines out, same order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from calculator.errors import InputError, Problem
from calculator.native import native
from calculator.report import json as as_json
from calculator.scenario import estimate

# An object nested so deep that reading or showing it would go too far.
TOO_DEEP = Problem("bad_json", None, {"line": 1, "column": 1})


def parse(text: str) -> Any:
    """JSON with exact numbers. Raises :class:`InputError` (``bad_json``)."""
    try:
        return json.loads(text, parse_float=_exact, parse_int=_exact, parse_constant=_exact)
    except json.JSONDecodeError as error:
        where: dict[str, str | int | float] = {"line": error.lineno, "column": error.colno}
        raise InputError(Problem("bad_json", None, where)) from None
    except RecursionError:
        raise InputError(TOO_DEEP) from None


def _exact(number: str) -> Decimal:
    """A number as it stands; one whose exponent no decimal can hold becomes infinite or zero."""
    try:
        return Decimal(number)
    except InvalidOperation:
        return Decimal(float(number))


def parse_scenario(text: str) -> dict[str, Any]:
    """A scenario object. Raises :class:`InputError` (``bad_json``, ``not_an_object``)."""
    scenario = parse(text)
    if not isinstance(scenario, dict):
        raise InputError(Problem("not_an_object"))
    return scenario


def plain_id(scenario: dict[str, Any]) -> Any:
    """A scenario's ``id`` as it came, whatever it holds: exact numbers back into JSON's own."""
    return native(scenario.get("id"))


def answer_line(line: str, language: str) -> tuple[dict[str, Any], bool]:
    """The object for one line, and whether it is a result."""
    scenario_id = None
    try:
        scenario = parse_scenario(line)
        scenario_id = plain_id(scenario)
        return as_json.result(estimate(scenario, language), language, scenario_id), True
    except InputError as error:
        problems = error.problems
    except RecursionError:
        problems = (TOO_DEEP,)
    return {"id": scenario_id, "error": as_json.error(problems, language)}, False


def answers(lines: Iterable[str], language: str) -> Iterator[tuple[str, bool]]:
    """For each line that is not blank: its answer as a line of JSON, and whether it is a result."""
    for line in lines:
        if line.strip():
            shown, good = answer_line(line, language)
            yield json.dumps(shown, ensure_ascii=False), good
