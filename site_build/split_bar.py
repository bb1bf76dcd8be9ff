"""What a model's parameters are spent on, as a bar in the manner of the results' one."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from markupsafe import Markup, escape

from calculator.report.sizes import percent_text

# Parts that share a pattern never stand side by side.
_MARKS = {
    "embedding": 'class="seg s-cool" fill="url(#p-mom1)"',
    "attention": 'class="seg f-cool s-cool"',
    "mlp": 'class="seg s-cool" fill="url(#p-grad)"',
    "experts": 'class="seg f-cool3 s-cool"',
    "norms": 'class="seg f-cool2 s-cool"',
    "head": 'class="seg s-cool" fill="url(#p-mom2)"',
}
# A segment narrower than this share has no room for its number on a phone.
_SMALLEST_LABELLED = Decimal("0.09")


def swatch(part: str) -> Markup:
    """The part's pattern as a small square beside its name."""
    return Markup(
        '<svg class="key" width="16" height="16" aria-hidden="true" focusable="false">'
        f'<rect {_MARKS[part]} x="1" y="1" width="14" height="14"/></svg>'
    )


def bar(by_part: Mapping[str, int], names: Mapping[str, str], title: str, language: str) -> Markup:
    """The parts side by side; ``title`` has a ``{parts}`` that is filled with names and shares."""
    total = sum(by_part.values())
    shares = {part: Decimal(size) / total for part, size in by_part.items() if size}
    listed = ", ".join(
        f"{names[part].lower()} {percent_text(share, language)}" for part, share in shares.items()
    )
    drawn, left = [], Decimal(0)
    for part, share in shares.items():
        if share >= _SMALLEST_LABELLED:
            drawn.append(
                f'<text class="seg-n" x="{(left + share / 2) * 100:.3f}%" y="15" '
                f'text-anchor="middle">{percent_text(share.quantize(Decimal("0.01")), language)}'
                "</text>"
            )
        drawn.append(
            f'<rect {_MARKS[part]} x="{left * 100:.3f}%" y="24" '
            f'width="{share * 100:.3f}%" height="40"/>'
        )
        left += share
    return Markup(
        f'<svg class="split" width="100%" height="66" role="img">'
        f"<title>{escape(title.format(parts=listed))}</title>{''.join(drawn)}</svg>"
    )
