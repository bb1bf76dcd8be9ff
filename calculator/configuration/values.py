"""Taking checked values out of a configuration object that anyone may have written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calculator.configuration.dimensions import DIMENSIONS
from calculator.errors import InputError, Problem
from calculator.numbers import shortened


def quoted(value: object) -> str:
    """``value`` short enough for a message, whatever it is."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        # str() of a whole number of thousands of digits is slow, or refused
        digits = int(value.bit_length() * 0.30103)
        return str(value) if digits < 15 else f"{'-' if value < 0 else ''}10^{digits}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return shortened(value[:80])
    return "{…}" if isinstance(value, Mapping) else "[…]"


def lookup(config: Mapping[str, Any], key: str) -> tuple[bool, Any]:
    """Whether ``key`` is there, and its value; ``a.b`` is ``b`` within the object ``a``."""
    outer, _, inner = key.partition(".")
    if outer not in config:
        return False, None
    value = config[outer]
    if not inner:
        return True, value
    return lookup(value, inner) if isinstance(value, Mapping) else (False, None)


def check_whole(name: str, shown: str, value: object, field: str = "config") -> int:
    """``value`` as the dimension ``name``; ``shown`` is what to call it in a message."""
    bounds = DIMENSIONS[name]
    params = {
        "name": shown, "text": quoted(value),
        "minimum": str(bounds.minimum), "maximum": str(bounds.maximum),
    }  # fmt: skip
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(Problem("config_not_whole", field, {**params}))
    if not bounds.minimum <= value <= bounds.maximum:
        raise InputError(Problem("config_out_of_bounds", field, {**params}))
    return value


@dataclass
class Reader:
    """Values of ``config`` by the names that ``aliases`` and ``defaults`` (of its type) allow.

    ``prefix`` is where the object stands in its file. Faults are kept in ``problems``, all of
    them, and the value taken is then ``None``; ``defaulted`` collects what the class supplied.
    """

    config: Mapping[str, Any]
    aliases: Mapping[str, list[str]]
    defaults: Mapping[str, int | bool]
    prefix: str = ""
    problems: list[Problem] = field(default_factory=list)
    defaulted: list[str] = field(default_factory=list)

    def dimension(self, name: str) -> int | None:
        """A dimension of :data:`DIMENSIONS`: as given, else the class's; ``null`` is ``None``."""
        for key in self.aliases.get(name, DIMENSIONS[name].keys):
            present, value = lookup(self.config, key)
            if present:
                return self._whole(name, key, value)
        if name in self.defaults:
            self.defaulted.append(name)
            return self.defaults[name]
        return None

    def reference(self, name: str, key: str) -> int | None:
        """The dimension ``name`` out of ``key`` alone."""
        present, value = lookup(self.config, key)
        return self._whole(name, key, value) if present else self.defaults.get(key)

    def _whole(self, name: str, key: str, value: object) -> int | None:
        if value is None:
            return None
        try:
            return check_whole(name, self.prefix + key, value)
        except InputError as error:
            self.problems.extend(error.problems)
            return None

    def flag(self, key: str) -> bool:
        """A key that is true or false; ``null`` is false, absent what the class says."""
        value = self.config.get(key, self.defaults.get(key))
        if value is None or isinstance(value, bool):
            return bool(value)
        params = {"name": self.prefix + key, "text": quoted(value)}
        self.problems.append(Problem("config_not_a_flag", "config", {**params}))
        return False

    def names(self, key: str) -> list[Any] | None:
        """A list, or ``None`` where there is none."""
        value = self.config.get(key)
        if value is None or isinstance(value, list):
            return value
        params = {"name": self.prefix + key, "text": quoted(value)}
        self.problems.append(Problem("config_not_a_list", "config", {**params}))
        return None
