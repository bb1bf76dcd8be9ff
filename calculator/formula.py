"""Formulas as small trees: the number, the letters and the visitor's figures come from one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

BILLION = 10**9


@dataclass(frozen=True)
class Quantity:
    """A letter (an underscore starts its subscript) and the value that it has here."""

    letter: str
    value: Decimal


@dataclass(frozen=True)
class Sum:
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Product:
    factors: tuple[Node, ...]


Node = Quantity | Sum | Product


def value_of(node: Node) -> Decimal:
    """The value of an expression, exact."""
    if isinstance(node, Quantity):
        return node.value
    if isinstance(node, Sum):
        return sum((value_of(part) for part in node.parts), Decimal(0))
    result = Decimal(1)
    for factor in node.factors:
        result *= value_of(factor)
    return result


@dataclass(frozen=True)
class Formula:
    """``letter`` = ``expression``, in ``unit`` (``gigabytes``, ``bytes`` or ``parameters``)."""

    letter: str
    expression: Node
    unit: str = "gigabytes"

    @property
    def value(self) -> Decimal:
        return value_of(self.expression)

    @property
    def quantity(self) -> Quantity:
        """The result as an input of the next formula."""
        return Quantity(self.letter, self.value)

    def whole(self) -> int:
        """The result in whole bytes (or parameters)."""
        scale = BILLION if self.unit == "gigabytes" else 1
        return int((self.value * scale).quantize(Decimal(1), ROUND_HALF_EVEN))
