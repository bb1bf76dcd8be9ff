"""Formats of weights: how many bits one takes, and which of a model's weights are kept in it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from calculator.packaged import rows

SCOPES = ("all", "linear", "experts", "file")


@dataclass(frozen=True)
class Format:
    """A number format for weights.

    * ``bits`` of one weight, exact, its share of scales and zero points included;
    * ``scope``: what is kept in it. ``all``: every weight; ``linear``: the matrices of linear
      layers and of experts, while embeddings, head, norms, routers and biases stay 16-bit;
      ``experts``: the experts' matrices alone; ``file``: an average over a whole file;
    * ``how``: where the bits come from, without words; ``note`` by language, may be empty;
    * ``used_for``: the choices of the simple forms that it belongs to.
    """

    id: str
    name: str
    bits: Decimal
    scope: str
    how: str
    note: dict[str, str]
    source: tuple[str, ...]
    used_for: tuple[str, ...]
    aliases: tuple[str, ...]

    @property
    def bytes(self) -> Decimal:
        """Bytes of one weight."""
        return self.bits / 8


@cache
def every_format() -> dict[str, Format]:
    """All formats by slug, in the order in which they are shown."""
    return {
        row["id"]: Format(
            id=row["id"],
            name=row["name"],
            bits=Decimal(row["bits"]),
            scope=row["scope"],
            how=row.get("how", ""),
            note=row.get("note", {}),
            source=tuple(row["source"]),
            used_for=tuple(row.get("used_for", ())),
            aliases=tuple(row.get("aliases", ())),
        )
        for row in rows("formats")
    }
