"""The text of a configuration file, measured before it is parsed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, NoReturn

from calculator.errors import InputError, Problem
from calculator.numbers import shortened

# a configuration with a long table of labels has some hundred kilobytes
MAXIMUM_CHARACTERS = 2_000_000
MAXIMUM_DEPTH = 20
# Python refuses to read whole numbers of more than 4300 digits; no dimension has more than nine
_MAXIMUM_DIGITS = 1000

# Possessive, and content with a string that never ends, so that no text takes more than one pass.
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NOT_BRACKETS = re.compile(r"[^\[\]{}]+")
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}


def parse_configuration(text: str) -> Mapping[str, Any]:
    """The object that ``text`` holds.

    Raises :class:`InputError` for text that is too long, nested too deeply, no JSON (with line
    and column), no object, or has a key twice or a number that is not finite.
    """
    if len(text) > MAXIMUM_CHARACTERS:
        raise _refused("config_too_long", maximum=MAXIMUM_CHARACTERS)
    text = text.removeprefix("\ufeff")
    # beforehand, since the parser is recursive and not every platform's stack is deep
    if _depth(text) > MAXIMUM_DEPTH:
        raise _refused("config_too_deep", maximum=MAXIMUM_DEPTH)
    try:
        found = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole_number,
            parse_constant=_not_finite,
        )
    except json.JSONDecodeError as error:
        raise _refused("bad_json", line=error.lineno, column=error.colno) from None
    if not isinstance(found, dict):
        raise _refused("config_not_an_object")
    return found


def _refused(code: str, **params: str | int) -> InputError:
    return InputError(Problem(code, "config", {**params}))


def _depth(text: str) -> int:
    brackets = _NOT_BRACKETS.sub("", _STRING.sub("", text))
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _refused("config_duplicate_key", key=shortened(key[:80]))
            seen.add(key)
    return found


def _whole_number(digits: str) -> int:
    # still far outside every bound, so that the field that holds it is named
    return int(digits[:_MAXIMUM_DIGITS])


def _not_finite(name: str) -> NoReturn:
    raise _refused("config_not_finite", text=name)
