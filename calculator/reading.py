"""One field's raw input to its value, by the field's kind; what it can't be is told as data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from calculator import catalogue
from calculator.configuration import parse_configuration
from calculator.errors import InputError, Problem
from calculator.fields import Field
from calculator.models import find_model
from calculator.native import native
from calculator.nearest import nearest
from calculator.numbers import parse_number, shortened
from calculator.targets import PRESETS

Value = Any  # a Decimal, a slug, a flag, a tuple of names, a mapping, or None

_YES = ("true", "yes", "on", "1", "sì", "si", "vero")
_NO = ("false", "no", "off", "0", "falso")
# more names than this in one field are no longer a person's input
_MOST_NAMES = 100


def read_field(field: Field, raw: object, language: str) -> Value:
    """One field's value: exact numbers, slugs, names; ``None`` where optional and not given.

    Raises :class:`InputError` without naming the field, which the caller knows.
    """
    if raw is None:
        raw = field.default
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        if field.required:
            raise InputError(Problem("empty"))
        return None
    if field.kind in ("number", "whole"):
        return _checked(field, _number(raw, language, field.unit), raw)
    if field.kind == "flag":
        return _flag(raw)
    if field.kind == "model":
        return _model(raw)
    if field.kind == "config":
        return _configuration(raw)
    if field.kind == "pairs":
        return _pairs(raw)
    if field.kind in ("names", "targets"):
        return _names(field, raw)
    return _choice(field, raw, language)


def _choice(field: Field, raw: object, language: str) -> Value:
    if isinstance(raw, str):
        slug = catalogue.find(field.choices or "", raw)
        if slug is not None:
            return slug
        # "adam-9bit" is a misspelt slug, "12 GB" a misspelt number
        if field.kind == "choice" or raw.strip()[0].isalpha():
            raise _unknown_choice(field, raw)
    elif field.kind == "choice":
        raise _unknown_choice(field, str(raw))
    return _checked(field, _number(raw, language, field.unit), raw)


def _unknown_choice(field: Field, text: str) -> InputError:
    known = list(catalogue.choices(field.choices or ""))
    params = {"text": shortened(text), "nearest": nearest(text, known)}
    return InputError(Problem("unknown_choice", None, {**params}))


def _number(raw: object, language: str, unit: str) -> Decimal:
    if isinstance(raw, str):
        return parse_number(raw, language, unit)
    if isinstance(raw, bool) or not isinstance(raw, (int, float, Decimal)):
        raise InputError(Problem("not_a_number", None, {"text": shortened(str(raw))}))
    number = Decimal(repr(raw)) if isinstance(raw, float) else Decimal(raw)
    if number.is_nan():
        raise InputError(Problem("not_a_number", None, {"text": "NaN"}))
    if number.is_infinite():
        raise InputError(Problem("infinite", None, {"text": "∞"}))
    return number


def _checked(field: Field, number: Decimal, raw: object) -> Decimal:
    """``number`` if the field allows it; else an error that tells what is allowed."""
    text = shortened(raw) if isinstance(raw, str) else shortened(f"{number:.12g}")
    bounds: dict[str, str | int | float] = {
        "text": text, "minimum": f"{field.minimum:f}", "maximum": f"{field.maximum:f}"
    }  # fmt: skip
    if number < 0:
        raise InputError(Problem("negative", None, bounds))
    if number == 0 and field.above_zero:
        raise InputError(Problem("zero", None, bounds))
    if field.kind == "whole" and number != number.to_integral_value():
        raise InputError(Problem("not_whole", None, bounds))
    if number > field.maximum:
        raise InputError(Problem("too_large", None, bounds))
    if number < field.minimum:
        raise InputError(Problem("too_small", None, bounds))
    return number


def _refused(code: str, raw: object) -> InputError:
    return InputError(Problem(code, None, {"text": shortened(str(raw))}))


def _flag(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    word = str(raw).strip().lower()
    if word not in _YES + _NO:
        raise _refused("not_a_flag", raw)
    return word in _YES


def _model(raw: object) -> str:
    if not isinstance(raw, str):
        raise InputError(
            Problem("unknown_model", None, {"text": shortened(str(raw)), "nearest": "llama-3.1-8b"})
        )
    return find_model(raw).id


def _configuration(raw: object) -> Mapping[str, Any]:
    if isinstance(raw, str):
        return parse_configuration(raw)
    if not isinstance(raw, dict):
        raise InputError(Problem("not_an_object"))
    found: Mapping[str, Any] = native(raw)
    return found


def _pairs(raw: object) -> Mapping[str, Any]:
    """``{"a": 1}``, or ``a=1, b=2`` as a person types it."""
    if isinstance(raw, dict):
        found: dict[str, Any] = native(raw)
        return found
    if not isinstance(raw, str):
        raise _refused("not_pairs", raw)
    if raw.lstrip().startswith("{"):
        return parse_configuration(raw)
    found = {}
    for piece in filter(None, (part.strip() for part in re.split(r"[,;\n]", raw))):
        match = re.fullmatch(r"([A-Za-z_][\w.]*)\s*[=:]\s*(\S+)", piece)
        if match is None or len(found) >= _MOST_NAMES:
            raise _refused("not_pairs", piece)
        found[match[1]] = _plain(match[2])
    return found


def _plain(text: str) -> int | str | bool:
    if re.fullmatch(r"[0-9]{1,18}", text):
        return int(text)
    return {"true": True, "false": False}.get(text.lower(), text)


def _names(field: Field, raw: object) -> Value:
    names = re.split(r"[,;\s]+", raw.strip(" \t\n,;[]")) if isinstance(raw, str) else raw
    if not isinstance(names, (list, tuple)) or len(names) > _MOST_NAMES:
        raise _refused("not_names", raw)
    cleaned = [name.strip("\"' ") if isinstance(name, str) else "" for name in names]
    if not cleaned or not all(re.fullmatch(r"[A-Za-z_][\w.\-]*", name) for name in cleaned):
        raise _refused("not_names", raw)
    if field.kind == "targets" and len(cleaned) == 1 and cleaned[0].lower() in PRESETS:
        return cleaned[0].lower()
    return tuple(cleaned)
