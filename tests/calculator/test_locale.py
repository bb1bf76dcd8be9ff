"""The engine's texts: the same in both languages, and every one that the code asks for."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calculator import catalogue
from calculator.fields import FORMS, field_names
from calculator.report.words import LANGUAGES, table

ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "calculator").rglob("*.py"), *(ROOT / "site_build").glob("*.py")]


def texts(tree: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every dotted key with its text."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from texts(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def placeholders(text: str) -> set[str]:
    """The names in braces; a text that can't be filled raises ValueError."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def asked() -> Iterator[tuple[str, str]]:
    """The key of each `text(language, KEY)` in the code as a pattern, and where it stands."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "text"):
                continue
            keys = list(ast.walk(node.args[1]))
            pieces = {
                id(part) for key in keys if isinstance(key, ast.JoinedStr) for part in key.values
            }
            for key in keys:
                if isinstance(key, ast.JoinedStr):
                    parts = [getattr(part, "value", None) for part in key.values]
                    texts_of_it = [
                        re.escape(p) if isinstance(p, str) else r"[\w.-]+" for p in parts
                    ]
                    yield "".join(texts_of_it), f"{path.relative_to(ROOT)}:{node.lineno}"
                elif (
                    isinstance(key, ast.Constant)
                    and id(key) not in pieces
                    and "." in str(key.value)
                ):
                    yield re.escape(key.value), f"{path.relative_to(ROOT)}:{node.lineno}"


def test_same_keys_and_placeholders() -> None:
    """Both files hold the same keys, each with the same placeholders."""
    italian, english = (dict(texts(table(language))) for language in ("it", "en"))
    assert italian.keys() == english.keys()
    for key, text in italian.items():
        assert placeholders(text) == placeholders(english[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_filled_in(language: str) -> None:
    """No text is blank but for units of plain counts, and none has a stray space."""
    for key, text in texts(table(language)):
        assert text.strip() == text, key
        assert text or key.endswith(".unit"), key


def test_languages_differ() -> None:
    """No sentence was left untranslated."""
    italian, english = (dict(texts(table(language))) for language in ("it", "en"))
    same = [key for key, text in italian.items() if text == english[key] and " " in text]
    assert not [key for key in same if len(italian[key].split()) > 3]


@pytest.mark.parametrize(("pattern", "place"), sorted(set(asked())))
def test_asked_texts_exist(pattern: str, place: str) -> None:
    """A key that the code asks for is in the files."""
    assert any(re.fullmatch(pattern, key) for key, _ in texts(table("it"))), place


def test_every_name_of_the_code_has_its_texts() -> None:
    """Fields, groups and catalogue rows all have words."""
    words = table("it")
    for name in field_names():
        assert {"label", "help", "unit", "empty"} <= words["fields"][name].keys()
    groups = {field.group for form in FORMS.values() for field in form}
    assert groups == words["groups"].keys()
    assert catalogue.recipes().keys() == words["recipes"].keys()
    both = catalogue.formats().keys() | catalogue.adapter_dtypes().keys()
    assert both == words["formats"].keys()
