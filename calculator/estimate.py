"""The result tree: terms, totals, assumptions. Everything shown is made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from calculator.formula import Formula

if TYPE_CHECKING:  # both are made of what is in here
    from calculator.subject import Subject
    from calculator.targets import Adapted


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

    ``formulas`` are the calculator's own lines from the inputs to the total, in reading order.
    Parameter counts are whole; ``parameters_total`` is ``None`` where no base model was given,
    ``parameters_active`` what one token uses of a model with experts. ``subject`` is the model
    in the detailed form, ``modules`` its adapters. ``inputs`` holds every field after defaults.
    """

    calculator: str
    parameters_total: int | None
    parameters_trainable: int
    terms: tuple[Term, ...]
    formulas: tuple[Formula, ...]
    assumptions: tuple[Assumption, ...] = ()
    parameters_active: int | None = None
    subject: Subject | None = None
    modules: tuple[Adapted, ...] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def total_bytes(self) -> int:
        return sum(term.bytes for term in self.terms)
