"""Numbers as people type and read them, in Italian and in English.

Reading accepts either decimal sign, spaces (also non-breaking) or apostrophes between
thousands, and a suffix (``7B``, ``405 miliardi``, ``8k``, ``20 GiB``). Just one form means
two things and is refused instead of guessed: the other language's decimal sign before
exactly three digits (``1.234`` in Italian, ``1,234`` in English).
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from calculator.errors import InputError, ParamValue, Problem

DECIMAL_SIGN = {"it": ",", "en": "."}
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
GROUP_SIGN = {"it": NO_BREAK_SPACE, "en": ","}
# Italian typography leaves four digits unbroken in running text and groups them in tables.
SHORTEST_GROUPED = {"it": 5, "en": 4}
MINUS = "\N{MINUS SIGN}"
LONGEST_TEXT = 80

_SPACES = dict.fromkeys(map(ord, "\u00a0\u202f\u2009\u2007\t"), " ")
_LOOKALIKES = {ord("\u2212"): "-", ord("\u2013"): "-", ord("\u2019"): "'", ord("\u02bc"): "'"}
_SHAPE = re.compile(
    r"([+-]?) ?([0-9.,' ]*[0-9][.,]?)(e[+-]?[0-9]{1,3})? ?([^\W\d].*|%)?", re.IGNORECASE
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:(?P<sign>[ '])[0-9]{3}(?:(?P=sign)[0-9]{3})*)?")
# three digits after one to three others: a thousand or a thousandth
_AMBIGUOUS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
_INFINITE = re.compile(r"[+-]?(?:inf(?:init[eyoa]?|inity)?|∞)", re.IGNORECASE)

_THOUSAND, _MILLION, _BILLION, _TRILLION = (Decimal(10) ** n for n in (3, 6, 9, 12))
_SCALES = {
    **dict.fromkeys(("k", "mila", "thousand"), _THOUSAND),
    **dict.fromkeys(("m", "mln", "milione", "milioni", "million", "millions"), _MILLION),
    **dict.fromkeys(
        ("b", "bn", "g", "mld", "mrd", "miliardo", "miliardi", "billion", "billions"), _BILLION
    ),
    **dict.fromkeys(("t", "trillion", "trillions"), _TRILLION),
}
_BYTES = {
    **dict.fromkeys(("b", "byte", "bytes"), Decimal(1)),
    **{f"{letter}b": Decimal(10) ** (3 * n) for n, letter in enumerate("kmgtp", 1)},
    **{f"{letter}ib": Decimal(2) ** (10 * n) for n, letter in enumerate("kmgtp", 1)},
}
# unit of a field -> the suffixes that it takes, as multiples of that unit
SUFFIXES: dict[str, dict[str, Decimal]] = {
    "billions": {name: scale / _BILLION for name, scale in _SCALES.items()},
    "count": _SCALES,
    "gigabytes": {name: size / _BILLION for name, size in _BYTES.items()},
    "bytes": {name: _BYTES[name] for name in ("b", "byte", "bytes")},
    "percent": {"%": Decimal(1)},
    "none": {},
}


def parse_number(text: str, language: str, unit: str = "none") -> Decimal:
    """The number that ``text`` states, in multiples of ``unit`` (a key of ``SUFFIXES``).

    Raises :class:`InputError` with the code ``empty``, ``not_a_number``, ``infinite``,
    ``ambiguous`` (params ``first`` and ``second``, the two readings) or ``bad_unit``.
    """
    plain = " ".join(text.translate(_SPACES).translate(_LOOKALIKES).split(" ")).strip()
    if not plain:
        raise InputError(Problem("empty"))
    if _INFINITE.fullmatch(plain):
        raise _refused("infinite", text)
    shape = _SHAPE.fullmatch(plain) if len(plain) <= LONGEST_TEXT else None
    if shape is None:
        raise _refused("not_a_number", text)
    sign, body, exponent, suffix = shape.groups()
    digits = _digits(body.strip(), language, plain, text)
    number = Decimal(f"{sign}{digits}{exponent or ''}")
    if not suffix:
        return number
    factor = SUFFIXES[unit].get(suffix.strip().lower())
    if factor is None:
        raise _refused("bad_unit", text, suffix=suffix.strip())
    return number * factor


def _digits(body: str, language: str, plain: str, text: str) -> str:
    """``body`` without thousands signs and with a point for the decimal sign.

    ``plain`` is the whole input, of which the two readings keep sign and suffix: 1.234 M is
    never 1234 in the field's own unit.
    """
    signs = [character for character in body if character in ".,"]
    if not signs:
        whole, fraction = body, ""
    elif len(set(signs)) == 2 or len(signs) == 1:
        whole, fraction = body.rsplit(signs[-1], 1)
        other = "," if signs[-1] == "." else "."
        if other in whole:
            whole = _ungrouped(whole, other, text)
        elif signs[-1] != DECIMAL_SIGN[language] and _AMBIGUOUS.fullmatch(f"{whole}.{fraction}"):
            decimal = f"{whole}{DECIMAL_SIGN[language]}{fraction}"
            readings = [plain.replace(body, each, 1) for each in (decimal, whole + fraction)]
            raise _refused("ambiguous", text, first=readings[0], second=readings[1])
    else:
        whole, fraction = _ungrouped(body, signs[0], text), ""
    if whole and not re.fullmatch(r"[0-9]+", whole):
        if not _GROUPED.fullmatch(whole):
            raise _refused("not_a_number", text)
        whole = re.sub(r"[ ']", "", whole)
    if fraction and not re.fullmatch(r"[0-9]+", fraction):
        raise _refused("not_a_number", text)
    return f"{whole or '0'}.{fraction or '0'}"


def _ungrouped(text: str, sign: str, whole_text: str) -> str:
    if not re.fullmatch(rf"[0-9]{{1,3}}(?:{re.escape(sign)}[0-9]{{3}})+", text):
        raise _refused("not_a_number", whole_text)
    return text.replace(sign, "")


def _refused(code: str, text: str, **params: ParamValue) -> InputError:
    return InputError(Problem(code, params={"text": shortened(text), **params}))


def shortened(text: str) -> str:
    """``text`` on one line and short enough to be quoted in a message."""
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:39]}…"


def format_number(
    value: Decimal | int,
    language: str,
    *,
    decimals: int = 6,
    fixed: bool = False,
    table: bool = False,
) -> str:
    """``value`` for reading: at most ``decimals`` digits after the sign (exactly, if ``fixed``).

    Thousands are grouped as the language does it; Italian groups four digits in a
    ``table`` only.
    """
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    whole, _, fraction = f"{abs(rounded):f}".partition(".")
    if not fixed:
        fraction = fraction.rstrip("0")
    if len(whole) >= (4 if table else SHORTEST_GROUPED[language]):
        whole = f"{int(whole):,}".replace(",", GROUP_SIGN[language])
    shown = f"{whole}{DECIMAL_SIGN[language]}{fraction}" if fraction else whole
    return f"{MINUS}{shown}" if rounded < 0 else shown


def format_plain(value: Decimal, language: str) -> str:
    """``value`` as it is put into a form field or a link: every digit, nothing grouped.

    ``parse_number`` reads it back to the same value in the same language, so that a number
    with very many zeros is written with an exponent.
    """
    text = f"{value:f}"
    if len(text) > LONGEST_TEXT:
        return f"{value:e}".replace(".", DECIMAL_SIGN[language])
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace(".", DECIMAL_SIGN[language])


def rounded_to_sum(values: list[int], unit: int, decimals: int) -> list[Decimal]:
    """``values`` (bytes) in multiples of ``unit``, rounded so that they add up on screen.

    Largest remainder: each is cut to ``decimals`` digits, and the units that are then
    missing from the rounded sum go to the values that lost most.
    """
    step = Decimal(1).scaleb(-decimals)
    exact = [Decimal(value) / unit / step for value in values]
    cut = [int(value) for value in exact]
    target = int((Decimal(sum(values)) / unit / step).quantize(Decimal(1), ROUND_HALF_UP))
    order = sorted(range(len(values)), key=lambda index: cut[index] - exact[index])
    for index in order[: target - sum(cut)]:
        cut[index] += 1
    return [value * step for value in cut]
