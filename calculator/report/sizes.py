"""Bytes and counts as a reader wants them: a unit that fits, and no digit without meaning."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from calculator.numbers import NO_BREAK_SPACE, format_number
from calculator.report.words import text

_DECIMAL_UNITS = (
    ("PB", 10**15),
    ("TB", 10**12),
    ("GB", 10**9),
    ("MB", 10**6),
    ("kB", 10**3),
    ("B", 1),
)
_BINARY_UNITS = (
    ("PiB", 2**50),
    ("TiB", 2**40),
    ("GiB", 2**30),
    ("MiB", 2**20),
    ("KiB", 2**10),
    ("B", 1),
)
# A cluster's memory is still spoken of in GB; only beyond that do TB and PB read better.
_LARGEST_GB = 10**5


@dataclass(frozen=True)
class Scale:
    """A unit of memory and the number of decimals that a column in it shows."""

    unit: str
    bytes: int
    decimals: int

    def number(self, size: int, language: str, *, table: bool = False) -> str:
        value = Decimal(size) / self.bytes
        return format_number(value, language, decimals=self.decimals, fixed=table, table=table)

    def text(self, size: int, language: str) -> str:
        return f"{self.number(size, language)}{NO_BREAK_SPACE}{self.unit}"


def scale_for(size: int, *, binary: bool = False) -> Scale:
    """The scale in which ``size`` bytes are best read; decimal units unless ``binary``."""
    units: tuple[tuple[str, int], ...] = _BINARY_UNITS if binary else _DECIMAL_UNITS
    giga = next(index for index, (name, _) in enumerate(units) if name.startswith("G"))
    if size < _LARGEST_GB * units[giga][1]:
        units = units[giga:]
    unit, step = next(((name, step) for name, step in units if size >= step), units[0])
    value = Decimal(size) / step
    decimals = 0 if unit == "B" else 1 if value >= 10 else 2 if value >= 1 else 3
    return Scale(unit, step, decimals)


def size_text(size: int, language: str, *, binary: bool = False) -> str:
    """``size`` bytes with number and unit, such as ``122,9 GiB``."""
    return scale_for(size, binary=binary).text(size, language)


def billions_text(count: int, language: str) -> str:
    """A parameter count in billions, such as ``7 miliardi``."""
    value = Decimal(count) / 10**9
    word = text(language, "report.billions_one" if value == 1 else "report.billions")
    decimals = 3 if value >= Decimal("0.001") else 9
    return f"{format_number(value, language, decimals=decimals)}{NO_BREAK_SPACE}{word}"


def percent_text(share: Decimal, language: str) -> str:
    """A share as a percentage: one decimal from 10 %, two below, four below 0.1 %."""
    percent = share * 100
    decimals = 1 if percent >= 10 else 2 if percent >= Decimal("0.1") else 4
    space = NO_BREAK_SPACE if language == "it" else ""
    return f"{format_number(percent, language, decimals=decimals)}{space}%"
