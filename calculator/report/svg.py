"""Drawings as inline SVG: percentages across and pixels down, so that text keeps its size.

Colours and patterns are classes and ``#p-…`` patterns of the page's style sheet; every
drawing has its figures in a table too.
"""

from __future__ import annotations

from decimal import Decimal

from calculator.catalogue import Recipe
from calculator.report.markup import escaped
from calculator.report.rows import DATA, MODEL, Row
from calculator.report.sizes import Scale
from calculator.report.words import text

_MARKS = {
    "weights": 'class="seg f-cool s-cool"',
    "model_states": 'class="seg f-cool s-cool"',
    "adapters": 'class="seg f-cool s-cool"',
    "weights_quantized": 'class="seg f-cool s-cool"',
    "weights_16bit": 'class="seg s-cool" fill="url(#p-grad)"',
    "adapters_attention": 'class="seg f-cool s-cool"',
    "adapters_mlp": 'class="seg s-cool" fill="url(#p-grad)"',
    "adapters_experts": 'class="seg f-cool3 s-cool"',
    "adapters_embedding": 'class="seg s-cool" fill="url(#p-mom1)"',
    "adapters_head": 'class="seg s-cool" fill="url(#p-mom2)"',
    "adapters_saved": 'class="seg f-cool2 s-cool"',
    "adapter_a": 'class="seg f-cool s-cool"',
    "adapter_b": 'class="seg s-cool" fill="url(#p-grad)"',
    "gradients": 'class="seg s-cool" fill="url(#p-grad)"',
    "master_weights": 'class="seg f-cool3 s-cool"',
    "first_moment": 'class="seg s-cool" fill="url(#p-mom1)"',
    "momentum": 'class="seg s-cool" fill="url(#p-mom1)"',
    "second_moment": 'class="seg s-cool" fill="url(#p-mom2)"',
    "activation_input": 'class="seg s-warmink" fill="url(#p-act)"',
    "overhead": 'class="seg s-mach" fill="url(#p-mach)"',
}
# A segment narrower than this share has no room for its number on a phone.
_SMALLEST_LABELLED = Decimal("0.07")


def swatch(term_id: str) -> str:
    """The term's colour and pattern as a small square beside its name."""
    return (
        '<svg class="key" width="16" height="16" aria-hidden="true" focusable="false">'
        f'<rect {_MARKS[term_id]} x="1" y="1" width="14" height="14"/></svg>'
    )


def _percent(share: Decimal) -> str:
    return f"{share * 100:.3f}%"


def bar(rows: list[Row], scale: Scale, language: str, legends: dict[str, str]) -> str:
    """The terms side by side in one bar; ``legends`` name the groups drawn under it."""
    total = sum(row.bytes for row in rows)
    if total == 0:
        return ""
    shown = [row for row in rows if row.bytes]
    parts = [
        f"{text(language, f'terms.{row.id}').lower()} {scale.number(row.bytes, language)}"
        for row in shown
    ]
    title = text(
        language, "report.bar_title",
        unit=scale.unit, parts=", ".join(parts), total=scale.number(total, language),
    )  # fmt: skip
    labels, segments, left = [], [], Decimal(0)
    for row in shown:
        share = Decimal(row.bytes) / total
        if share >= _SMALLEST_LABELLED:
            labels.append(
                f'<text class="seg-n" x="{_percent(left + share / 2)}" y="15" '
                f'text-anchor="middle">{scale.number(row.bytes, language)}</text>'
            )
        segments.append(
            f'<rect {_MARKS[row.id]} x="{_percent(left)}" y="24" '
            f'width="{_percent(share)}" height="40"/>'
        )
        left += share
    return (
        f'<svg class="bar" width="100%" height="98" role="img"><title>{escaped(title)}</title>'
        f"{''.join(labels)}{''.join(segments)}{_braces(shown, total, legends)}</svg>"
    )


def _braces(rows: list[Row], total: int, legends: dict[str, str]) -> str:
    model = Decimal(sum(row.bytes for row in rows if row.group == MODEL)) / total
    drawn = []
    if model:
        drawn.append(f'<line class="brace" x1="0" x2="{_percent(model)}" y1="75" y2="75"/>')
        drawn.append(f'<text x="0" y="94">{escaped(legends[MODEL])}</text>')
    if model < 1:
        group = next(row.group for row in rows if row.group != MODEL)
        tone = "warm" if group == DATA else "mach"
        start = min(model + Decimal("0.004"), Decimal("0.996"))
        drawn.append(
            f'<line class="brace {tone}" x1="{_percent(start)}" x2="100%" y1="75" y2="75"/>'
        )
        drawn.append(f'<text x="100%" y="94" text-anchor="end">{escaped(legends[group])}</text>')
    return "".join(drawn)


def bytes_figure(recipe: Recipe, language: str) -> str:
    """One parameter under ``recipe``: a square for each of its bytes, braced by term."""
    ledger = [
        ("weights", recipe.weights),
        ("gradients", recipe.gradients),
        ("master_weights", recipe.master_weights),
        *((part.id, part.bytes) for part in recipe.optimizer_states),
    ]
    total = int(recipe.total)
    cell = Decimal(100) / total
    gap = Decimal("0.35")
    drawn, position = [], 0
    for term_id, size in ledger:
        first = position
        for position in range(first, first + int(size)):
            drawn.append(
                f'<rect {_MARKS[term_id]} x="{position * cell + gap:.3f}%" y="1" '
                f'width="{cell - 2 * gap:.3f}%" height="34"/>'
            )
        if not size:
            continue
        position = first + int(size)
        start, end = first * cell + gap, position * cell - gap
        name = text(language, f"terms.{term_id}").lower()
        short = text(language, f"terms_short.{term_id}")
        drawn.append(
            f'<line class="brace" x1="{start:.3f}%" x2="{end:.3f}%" y1="44" y2="44"/>'
            f'<text class="wide" x="{start:.3f}%" y="62">{escaped(name)}</text>'
            f'<text class="narrow" x="{start:.3f}%" y="62">{escaped(short)}</text>'
        )
    listed = ", ".join(
        f"{text(language, f'terms.{name}').lower()} {size}" for name, size in ledger if size
    )
    title = text(language, "report.bytes_title", total=total, parts=listed)
    return (
        f'<svg class="bytes" width="100%" height="68" role="img"><title>{escaped(title)}</title>'
        f"{''.join(drawn)}</svg>"
    )
