"""An estimate, or what is wrong with the input, as the contract's JSON objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal
from typing import Any

import calculator
from calculator.errors import Problem
from calculator.estimate import Estimate, Term
from calculator.report.math import with_result
from calculator.report.messages import message
from calculator.report.sizes import size_text
from calculator.report.words import text

SCHEMA = 1


def plain(value: Any) -> Any:
    """An input as JSON has it: whole numbers without a point, also inside lists and objects."""
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if not isinstance(value, Decimal):
        return value
    return int(value) if value == value.to_integral_value() else float(value)


def assumption_text(assumption_id: str, params: dict[str, Any], language: str) -> str:
    """An assumption as a sentence; parameters named ``…_bytes`` are sizes."""
    shown = {
        key: size_text(value, language) if key.endswith("_bytes") else value
        for key, value in params.items()
    }
    return text(language, f"assumptions.{assumption_id}", **shown)


def _term(term: Term, language: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "id": term.id,
        "bytes": term.bytes,
        "formula": with_result(term.formula, language),
        "source": term.source,
    }
    if term.bytes_per_parameter is not None:
        result["bytes_per_parameter"] = plain(term.bytes_per_parameter)
    if term.parts:
        result["parts"] = [
            {"id": p.id, "bytes": p.bytes, "bytes_per_parameter": plain(p.bytes_per_parameter)}
            for p in term.parts
        ]
    return result


def result(estimate: Estimate, language: str, scenario_id: object = None) -> dict[str, Any]:
    """The result object, schema 1.

    The simple forms know no moments of a step: ``phases`` is empty, and the peak, the
    allocated, reserved and total bytes and both ends of the range are one number.
    """
    total = estimate.total_bytes
    shown: dict[str, Any] = {
        "schema": SCHEMA,
        "version": calculator.__version__,
        "calculator": estimate.calculator,
        "id": scenario_id,
        "inputs": {key: plain(value) for key, value in estimate.inputs.items()},
        "parameters": {
            "total": estimate.parameters_total,
            "trainable": estimate.parameters_trainable,
            "active": estimate.parameters_active,
        },
        "terms": [_term(term, language) for term in estimate.terms],
        "phases": [],
        "peak": {"phase": None, "bytes": total},
        "allocated_bytes": total,
        "reserved_bytes": total,
        "total_bytes": total,
        "range_bytes": [total, total],
        "assumptions": [
            {"id": item.id, "text": assumption_text(item.id, item.params, language)}
            for item in estimate.assumptions
        ],
        "fits": [],
    }
    if estimate.subject is not None:
        shown["parameters"]["by_part"] = estimate.subject.count.by_part
        shown["architecture"] = asdict(estimate.subject.architecture)
    if estimate.modules:
        shown["modules"] = [asdict(module) for module in estimate.modules]
    return shown


def error(problems: tuple[Problem, ...], language: str) -> dict[str, Any]:
    """The error object: the first problem, and all of them under ``problems``."""
    listed = [
        {
            "code": problem.code,
            "field": problem.field,
            "message": message(problem, language),
            "params": problem.params,
        }
        for problem in problems
    ]
    return {**listed[0], "problems": listed} if len(listed) > 1 else listed[0]
