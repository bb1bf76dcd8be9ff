"""The catalogue's notes in the languages of the site."""

from __future__ import annotations

import re
import tomllib
from functools import cache

from site_build.errors import BuildError
from site_build.site import SOURCE

_PATH = SOURCE / "i18n" / "notes.toml"


@cache
def _notes() -> dict[str, dict[str, str]]:
    table = tomllib.loads(_PATH.read_text(encoding="utf-8"))
    return {row["en"]: row for row in table["note"]}


def translated(note: str, language: str) -> str:
    """``note``, which the catalogue has in English, in ``language``; empty stays empty.

    A leading count (``+2048: ``) is left out: the page shows the whole one. Raises
    :class:`BuildError` where the translation is missing.
    """
    text = re.sub(r"^\+\d+: ", "", note)
    if language == "en" or not text:
        return text
    try:
        return _notes()[text][language]
    except KeyError:
        raise BuildError(_PATH, None, f"no translation to {language!r} of {text!r}") from None
