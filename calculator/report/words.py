"""The engine's texts by language; numbers inside them are formatted by the caller."""

from __future__ import annotations

import pkgutil
import tomllib
from functools import cache
from typing import Any

from calculator.formats import every_format

LANGUAGES = ("it", "en")


@cache
def table(language: str) -> dict[str, Any]:
    """Everything in ``locale/LANGUAGE.toml``."""
    data = pkgutil.get_data("calculator", f"locale/{language}.toml")
    if data is None:
        raise FileNotFoundError(f"calculator/locale/{language}.toml is not in the package")
    return tomllib.loads(data.decode())


def text(language: str, key: str, /, **params: object) -> str:
    """The text at the dotted ``key`` with its ``{placeholders}`` filled. Raises KeyError."""
    found: Any = table(language)
    for step in key.split("."):
        found = found[step]
    return str(found).format(**params)


def choice_name(language: str, catalogue: str, slug: str) -> str:
    """What a catalogue's row is called on the page."""
    section = "recipes" if catalogue == "recipes" else "formats"
    if slug not in table(language)[section]:
        return every_format()[slug].name  # technical names are the same in every language
    return text(language, f"{section}.{slug}.name")
