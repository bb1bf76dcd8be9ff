"""The two kinds of tensors a model is made of: matrices of linear layers, and everything else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tensor:
    """``copies`` tensors of one shape in the whole model, ``active`` of them used for a token.

    ``part`` is ``embedding``, ``attention``, ``mlp``, ``experts``, ``norms`` or ``head``.
    ``rows`` x ``columns`` is outputs x inputs; a vector has one column. Only a ``linear``
    layer's weight is quantised by 4-bit formats, and takes an adapter; ``bias`` is its own.
    ``name`` is the module's as PEFT matches it.
    """

    name: str
    part: str
    rows: int
    columns: int = 1
    copies: int = 1
    active: int = -1
    linear: bool = False
    bias: bool = False

    @property
    def weights(self) -> int:
        """Entries of all copies, biases left out."""
        return self.rows * self.columns * self.copies

    @property
    def total(self) -> int:
        """Entries of all copies with their biases."""
        return self._size * self.copies

    @property
    def active_total(self) -> int:
        """Entries that one token uses."""
        return self._size * (self.copies if self.active < 0 else self.active)

    @property
    def _size(self) -> int:
        return self.rows * self.columns + (self.rows if self.bias else 0)
