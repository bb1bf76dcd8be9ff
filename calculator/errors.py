"""Bad input as data: a code, the field, and what a message needs; no language in here."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

ParamValue = str | int | float


@dataclasses.dataclass(frozen=True)
class Problem:
    """One thing wrong with the input.

    ``code`` is one of the keys under ``[errors]`` in the locale files; ``field`` names the
    input it belongs to (``None``: the scenario as a whole); ``params`` fill the message.
    """

    code: str
    field: str | None = None
    params: dict[str, ParamValue] = dataclasses.field(default_factory=dict)


class InputError(ValueError):
    """The input can't be estimated; ``problems`` holds every reason, in form order."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("; ".join(f"{p.field or 'scenario'}: {p.code}" for p in self.problems))
