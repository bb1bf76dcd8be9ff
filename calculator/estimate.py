"""The result tree: terms, totals, assumptions. Everything shown is made from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from calculator.formula import Formula


@dataclass(frozen=True)
class Part:
    """A share of a term, such as Adam's first moment."""

    id: str
    bytes: int
    bytes_per_parameter: Decimal


@dataclass(frozen=True)
class Term:
    """One thing that takes memory: whole bytes, the formula used, and where that comes from."""

    id: str
    bytes: int
    formula: Formula
    source: str
    bytes_per_parameter: Decimal | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Assumption:
    """Something taken for granted; ``id`` is a key under ``[assumptions]`` in the locale files."""

    id: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Estimate:
    """What a calculator answers.

    ``inputs`` holds every field after defaults (slugs, or exact decimals). ``formulas`` are
    the calculator's own lines from the inputs to the total, in reading order. Parameter
    counts are whole; ``parameters_total`` is ``None`` where no base model was given.
    """

    calculator: str
    inputs: dict[str, Decimal | str | None]
    parameters_total: int | None
    parameters_trainable: int
    terms: tuple[Term, ...]
    formulas: tuple[Formula, ...]
    assumptions: tuple[Assumption, ...] = ()

    @property
    def total_bytes(self) -> int:
        return sum(term.bytes for term in self.terms)
