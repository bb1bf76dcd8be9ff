"""The packaged data: rows with a stable slug, figures and their sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from calculator.formats import Format as Format
from calculator.formats import every_format
from calculator.packaged import rows


@dataclass(frozen=True)
class StatePart:
    """One tensor that the optimizer keeps for each parameter; ``bytes`` per parameter."""

    id: str
    bytes: Decimal


@dataclass(frozen=True)
class Recipe:
    """What a parameter costs in training: a ledger in bytes per parameter that sums to B.

    ``disputed`` says that sources count differently; the locale files tell how.
    """

    id: str
    weights: Decimal
    gradients: Decimal
    master_weights: Decimal
    optimizer_states: tuple[StatePart, ...]
    source: tuple[str, ...]
    disputed: bool

    @property
    def states_bytes(self) -> Decimal:
        return sum((part.bytes for part in self.optimizer_states), Decimal(0))

    @property
    def total(self) -> Decimal:
        """B, bytes per parameter."""
        return self.weights + self.gradients + self.master_weights + self.states_bytes


@cache
def recipes() -> dict[str, Recipe]:
    """Training recipes by slug, in the order in which they are shown."""
    return {
        row["id"]: Recipe(
            id=row["id"],
            weights=Decimal(row["weights"]),
            gradients=Decimal(row["gradients"]),
            master_weights=Decimal(row["master_weights"]),
            optimizer_states=tuple(
                StatePart(part["id"], Decimal(part["bytes"])) for part in row["optimizer_states"]
            ),
            source=tuple(row["source"]),
            disputed=row.get("disputed", False),
        )
        for row in rows("recipes")
    }


def _formats(used_for: str) -> dict[str, Format]:
    return {slug: row for slug, row in every_format().items() if used_for in row.used_for}


@cache
def formats() -> dict[str, Format]:
    """Formats that the simple form offers for a model's weights."""
    return _formats("weights")


@cache
def adapter_dtypes() -> dict[str, Format]:
    """Formats of LoRA adapters."""
    return _formats("adapters")


@cache
def _aliases() -> dict[str, str]:
    return {alias: row.id for row in every_format().values() for alias in row.aliases}


def choices(catalogue: str) -> Mapping[str, Recipe | Format]:
    """The rows that a field's ``choices`` name."""
    if catalogue == "recipes":
        return recipes()
    return {"formats": every_format, "adapter_dtypes": adapter_dtypes}[catalogue]()


def offered(catalogue: str) -> Mapping[str, Recipe | Format]:
    """Those of the ``choices`` that a form shows at once; the rest are found by their slug."""
    return formats() if catalogue == "formats" else choices(catalogue)


def find(catalogue: str, text: str) -> str | None:
    """The slug that ``text`` means (case ignored, aliases known), or ``None``."""
    rows = choices(catalogue)
    slug = text.strip().lower()
    if slug not in rows:
        slug = _aliases().get(slug, slug)
    return slug if slug in rows else None
