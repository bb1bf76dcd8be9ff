"""Numbers as people type and read them; the table is numbers.toml."""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calculator.errors import InputError
from calculator.numbers import (
    LONGEST_TEXT,
    NO_BREAK_SPACE,
    SUFFIXES,
    format_number,
    format_plain,
    parse_number,
    rounded_to_sum,
)

ROWS = tomllib.loads(Path(__file__).with_name("numbers.toml").read_text(), parse_float=Decimal)
LANGUAGES = st.sampled_from(["it", "en"])
# What people type: at most 15 digits on either side of the sign.
NUMBERS = st.builds(
    lambda digits, places: Decimal(digits).scaleb(-places),
    st.integers(0, 10**15),
    st.integers(0, 15),
)


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    "row", ROWS["row"], ids=[f"{row['text'][:20]!a} {row.get('unit', '')}" for row in ROWS["row"]]
)
def test_reading(row: dict[str, Any], language: str) -> None:
    """A text is read as the row says, or refused with the row's code and its two readings."""
    unit, wanted = row.get("unit", "none"), row[language]
    if not isinstance(wanted, str):
        assert parse_number(row["text"], language, unit) == wanted
        return
    with pytest.raises(InputError) as caught:
        parse_number(row["text"], language, unit)
    (problem,) = caught.value.problems
    assert (problem.code, problem.field) == (wanted, None)
    if wanted == "ambiguous":
        assert (problem.params["first"], problem.params["second"]) == (row["first"], row["second"])


@pytest.mark.parametrize("language", ["it", "en"])
def test_each_reading_offered_is_accepted(language: str) -> None:
    """Typing one of the two readings that a refusal offers gives that number."""
    sign = {"it": ".", "en": ","}[language]
    with pytest.raises(InputError) as caught:
        parse_number(f"12{sign}345", language)
    (problem,) = caught.value.problems
    assert parse_number(str(problem.params["first"]), language) == Decimal("12.345")
    assert parse_number(str(problem.params["second"]), language) == 12345


@pytest.mark.parametrize(
    ("value", "options", "it", "en"),
    [
        ("0", {}, "0", "0"),
        ("7.5", {}, "7,5", "7.5"),
        ("1120", {}, "1120", "1,120"),
        ("1120", {"table": True}, "1~120", "1,120"),
        ("12345", {}, "12~345", "12,345"),
        ("4194304", {}, "4~194~304", "4,194,304"),
        ("1234567.891", {"decimals": 2}, "1~234~567,89", "1,234,567.89"),
        ("14", {"decimals": 1, "fixed": True}, "14,0", "14.0"),
        ("0.05", {"decimals": 1}, "0,1", "0.1"),
        ("0.25", {"decimals": 1}, "0,3", "0.3"),
        ("0.0000001", {}, "0", "0"),
        ("999.95", {"decimals": 1, "table": True}, "1~000", "1,000"),
        ("-7.5", {}, "−7,5", "−7.5"),
        ("-0.0000001", {}, "0", "0"),
    ],
)
def test_writing(value: str, options: dict[str, Any], it: str, en: str) -> None:
    """Decimal sign, grouping, rounding and minus are those of the language."""
    assert format_number(Decimal(value), "it", **options) == it.replace("~", NO_BREAK_SPACE)
    assert format_number(Decimal(value), "en", **options) == en


@given(NUMBERS, LANGUAGES)
@example(Decimal("1234"), "it")
@example(Decimal("1.234"), "it")
@example(Decimal("1.234"), "en")
def test_plain_form_reads_back(value: Decimal, language: str) -> None:
    """What is put into a field or a link is read back as the same value."""
    assert parse_number(format_plain(value, language), language) == value


@given(st.integers(0, 10**30), st.integers(-60, 200), LANGUAGES)
def test_plain_form_of_any_size_reads_back(digits: int, places: int, language: str) -> None:
    """However small or large a number, the plain form is short enough to be read again."""
    value = Decimal(digits).scaleb(-places)
    shown = format_plain(value, language)
    assert len(shown) <= LONGEST_TEXT
    assert parse_number(shown, language) == value


@given(NUMBERS, st.booleans())
def test_italian_output_reads_back(value: Decimal, table: bool) -> None:
    """What Italian pages print can be typed again, rounded to the digits that were shown."""
    shown = format_number(value, "it", decimals=6, table=table)
    assert parse_number(shown, "it") == pytest.approx(value, abs=Decimal("0.0000005"))


@given(NUMBERS)
def test_english_output_reads_back_or_is_refused(value: Decimal) -> None:
    """What English pages print is read as the same number, or refused; never as another."""
    shown = format_number(value, "en")
    try:
        read = parse_number(shown, "en")
    except InputError as error:
        assert error.problems[0].code == "ambiguous"
        assert error.problems[0].params["second"] == shown.replace(",", "")
    else:
        assert read == pytest.approx(value, abs=Decimal("0.0000005"))


@given(st.text(max_size=100), LANGUAGES, st.sampled_from(sorted(SUFFIXES)))
def test_any_text_is_a_number_or_refused(text: str, language: str, unit: str) -> None:
    """Reading arbitrary text gives a finite number or a structured refusal, nothing else."""
    try:
        assert parse_number(text, language, unit).is_finite()
    except InputError as error:
        codes = {"empty", "not_a_number", "infinite", "ambiguous", "bad_unit"}
        assert error.problems[0].code in codes
        assert len(str(error.problems[0].params.get("text", ""))) <= 40


@given(st.text("0123456789.,' ", max_size=12), LANGUAGES)
def test_signs_never_change_the_digits(text: str, language: str) -> None:
    """A number that is read has the digits that were typed, in their order: none is dropped."""
    try:
        read = parse_number(text, language)
    except InputError:
        return
    typed = "".join(character for character in text if character.isdigit())
    assert f"{read:f}".replace(".", "").strip("0") == typed.strip("0")


@given(
    st.lists(st.integers(0, 10**16), min_size=1, max_size=8),
    st.sampled_from([1, 10**6, 10**9, 2**20, 2**30]),
    st.integers(0, 3),
)
@example([1, 1, 1], 2, 0)
@example([0, 333_333_333, 333_333_333, 333_333_334], 10**9, 1)
def test_rounded_columns_add_up(values: list[int], unit: int, decimals: int) -> None:
    """A rounded column sums to its rounded total, and each figure is within one step of its own."""
    shown = rounded_to_sum(values, unit, decimals)
    step = Decimal(1).scaleb(-decimals)
    assert abs(sum(shown) - Decimal(sum(values)) / unit) <= step / 2
    for figure, value in zip(shown, values, strict=True):
        assert abs(figure - Decimal(value) / unit) < step
        assert figure % step == 0
        assert figure == 0 or value > 0
