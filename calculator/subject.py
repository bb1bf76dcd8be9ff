"""What an estimate is about: a bare number of parameters, or a model with its architecture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from calculator.architecture import Architecture
from calculator.configuration import apply_overrides, read_configuration
from calculator.errors import InputError, Problem
from calculator.estimate import Assumption
from calculator.formula import BILLION
from calculator.models import models
from calculator.parameters.count import Count, count


@dataclass(frozen=True)
class Subject:
    """A model: its name (empty for a configuration), architecture, and what to say about it."""

    name: str
    architecture: Architecture
    assumptions: tuple[Assumption, ...]

    @property
    def count(self) -> Count:
        return count(self.architecture)

    @property
    def billions(self) -> Decimal:
        """All parameters, in billions, exact."""
        return Decimal(self.count.total) / BILLION


def subject(
    model: str | None, config: Mapping[str, Any] | None, overrides: Mapping[str, Any] | None
) -> Subject:
    """The model that the three fields mean. Raises :class:`InputError`.

    Exactly one of ``model`` (a slug) and ``config`` is needed; ``overrides`` replace
    dimensions of either.
    """
    if model is not None and config is not None:
        raise InputError(Problem("exclusive", "config"))
    if config is not None:
        read = read_configuration(config)
        name, architecture, notes = "", read.architecture, read.notes
    elif model is not None:
        row = models()[model]
        name, architecture, notes = row.name, row.architecture, ()
    else:
        raise InputError(Problem("empty", "model"))
    if overrides:
        architecture = apply_overrides(architecture, overrides)
        notes = (*notes, Assumption("overridden", {"fields": ", ".join(map(str, overrides))}))
    if architecture.num_experts:
        notes = (*notes, Assumption("all_experts_counted"))
    return Subject(name, architecture, tuple(notes))
