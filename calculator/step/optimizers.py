"""What an optimizer keeps, and what its step takes besides, from ``data/optimizers.toml``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from calculator.errors import InputError, Problem
from calculator.nearest import nearest
from calculator.packaged import rows
from calculator.step.run import Run
from calculator.step.settings import not_modelled
from calculator.step.states import Group, largest, sized, trained_groups, trained_width
from calculator.step.tensors import BLOCK, aligned

# bitsandbytes, optim/optimizer.py: blocksize, min_8bit_size, and the least size that is paged
_SCALED, _SMALLEST_8BIT, _SMALLEST_PAGED = 256, 4096, 100_000


@dataclass(frozen=True)
class Optimizer:
    """A row of ``data/optimizers.toml``, whose head explains each field."""

    id: str
    name: str
    steps: tuple[str, ...]
    source: tuple[str, ...]
    like_parameter: int = 0
    fp32: int = 0
    bits8: int = 0
    embeddings_fp32: bool = False
    factored: bool = False
    paged: bool = False
    step_scalar: bool = False
    foreach: int = 0
    loop: int = 0
    largest: tuple[int, int] = (0, 0)


@cache
def optimizers() -> dict[str, Optimizer]:
    """Every optimizer by slug, in the order of the data file."""
    found = {}
    for row in rows("optimizers"):
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
        found[row["id"]] = Optimizer(**values)
    return found


def optimizer_of(run: Run) -> Optimizer:
    """The run's optimizer. Raises :class:`InputError` for one that is unknown, or a step kernel
    that it does not have."""
    slug, step = run.settings.optimizer, run.settings.optimizer_step
    row = optimizers().get(slug)
    if row is None:
        known = list(optimizers())
        params = {"text": slug[:60], "nearest": nearest(slug, known), "allowed": ", ".join(known)}
        raise InputError(Problem("unknown_choice", "optimizer", {**params}))
    if step not in row.steps:
        raise InputError(not_modelled("optimizer_step", step, "optimizer", slug))
    return row


def _width(run: Run) -> int:
    """Bytes of a parameter as the optimizer sees it: its master copy where there is one."""
    separate = run.settings.precision in ("mixed-bf16", "megatron-bf16")
    return 4 if separate else trained_width(run)


def states(run: Run) -> int:
    """Bytes of all optimizer states that PyTorch's allocator counts.

    For n values: m x p x n with m states like the parameter; 8 bits: n + 4 n / 256 bytes a
    state, 4 n for small tensors and (in the Trainer) embeddings; factored: 4 (rows + columns).
    Counted. Paged states lie in managed memory, which the allocator does not see.
    """
    row, width = optimizer_of(run), _width(run)
    return sum(group.copies * _state(group, row, width) for group in trained_groups(run))


def _state(group: Group, row: Optimizer, width: int) -> int:
    n = group.elements
    found = BLOCK if row.step_scalar else 0
    if row.factored:
        sides = (group.rows, group.columns) if group.columns > 1 else (group.rows,)
        found += sum(aligned(4 * side) for side in sides)
    found += row.like_parameter * aligned(width * n)
    paged = row.paged and n >= _SMALLEST_PAGED
    if not paged:
        found += row.fp32 * aligned(4 * n)
    if row.bits8:
        if n < _SMALLEST_8BIT or (row.embeddings_fp32 and group.embedding):
            found += row.bits8 * (0 if paged else aligned(4 * n))
        else:
            codes = 0 if paged else aligned(n)
            found += row.bits8 * (codes + aligned(4 * -(-n // _SCALED)))
    return found


def step_temporaries(run: Run) -> int:
    """What a step allocates for a moment.

    Kernels fused for a tensor take nothing; ``foreach`` makes one more copy of a state for all
    parameters at once (the square root of Adam's second moment), ``loop`` two of one tensor's; a
    step with master weights makes an fp32 copy of one 16-bit gradient; Adafactor works on fp32
    copies of one tensor. Counted, for the largest tensor.
    """
    row, groups, width = optimizer_of(run), trained_groups(run), _width(run)
    found = 0
    if run.settings.optimizer_step == "foreach":
        found += row.foreach * sized(groups, width)
    if run.settings.optimizer_step == "loop":
        found += row.loop * largest(groups, width)
    if run.settings.precision == "mixed-bf16":
        found += largest(groups, 4)
    return found + _worked_on(row.largest, groups, width)


def _worked_on(bytes_each: Sequence[int], groups: Sequence[Group], width: int) -> int:
    return largest(groups, bytes_each[0 if width == 2 else 1])
