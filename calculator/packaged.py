"""Reading the package's own data files."""

from __future__ import annotations

import pkgutil
import tomllib
from decimal import Decimal
from typing import Any


def table(path: str) -> dict[str, Any]:
    """The TOML file at ``path`` inside the package; fractions are exact decimals."""
    data = pkgutil.get_data("calculator", path)
    if data is None:
        raise FileNotFoundError(f"calculator/{path} is not in the package")
    return tomllib.loads(data.decode(), parse_float=Decimal)


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of ``data/NAME.toml``."""
    found: list[dict[str, Any]] = table(f"data/{name}.toml")["row"]
    return found
