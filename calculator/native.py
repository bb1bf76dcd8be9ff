"""Exact numbers of a JSON text back into JSON's own kinds, wherever they stand."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

# Python refuses to write whole numbers of more digits.
_LONGEST_WHOLE = 4000


def native(value: Any) -> Any:
    """``value`` with every ``Decimal`` as a whole number or a float; too large a one as text."""
    if isinstance(value, (list, tuple)):
        return [native(each) for each in value]
    if isinstance(value, dict):
        return {key: native(each) for key, each in value.items()}
    if not isinstance(value, Decimal):
        return value
    if value.as_tuple().exponent == 0 and value.adjusted() < _LONGEST_WHOLE:
        return int(value)
    number = float(value)
    return number if math.isfinite(number) else str(value)
