"""What someone probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(text: str, known: Iterable[str]) -> str:
    """The known name most like ``text``."""
    wanted = text.strip().lower()[:40]
    return max(known, key=lambda name: difflib.SequenceMatcher(None, wanted, name.lower()).ratio())
