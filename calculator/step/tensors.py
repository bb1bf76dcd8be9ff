"""Tensors that wait in memory, one a line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

BLOCK = 512


def aligned(size: int) -> int:
    """``size`` rounded up to the allocator's 512-byte block.

    Source: PyTorch, c10/core/AllocatorConfig.h, kMinBlockSize. It matters for the many small
    tensors: biases, norms, step counters, statistics of short sequences.
    """
    return -(-size // BLOCK) * BLOCK


@dataclass(frozen=True)
class Saved:
    """One tensor (or ``copies`` alike) kept from forward to backward, and why.

    ``shape`` is in the paper's letters; ``elements`` of one copy times ``width`` bytes each.
    """

    name: str
    shape: str
    elements: int
    width: int
    reason: str
    copies: int = 1

    @property
    def bytes(self) -> int:
        return self.copies * aligned(self.elements * self.width)


def total(tensors: Iterable[Saved]) -> int:
    """Bytes of all ``tensors`` together."""
    return sum(tensor.bytes for tensor in tensors)
