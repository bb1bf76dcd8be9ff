"""Escaping for HTML and SVG; ``html.escape`` would bring 2,000 entities into the browser."""

from __future__ import annotations

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escaped(text: str) -> str:
    """``text`` safe between tags and inside quoted attributes."""
    return text.translate(_ESCAPES)
