"""Bad input: the codes are those of errors.toml, and the words tell what is allowed."""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculator
from calculator import catalogue
from calculator.errors import InputError, Problem
from calculator.fields import FORMS, Field, form_fields
from calculator.nearest import nearest
from calculator.report import messages
from calculator.report.words import table

ROWS = tomllib.loads(Path(__file__).with_name("errors.toml").read_text())["row"]
# What only the reading of a file or of JSON can meet; test_cli.py and test_batch.py do.
# Those of configurations (config_…) are met in test_configuration.py.
NOT_OF_FIELDS = {"bad_json", "not_an_object", "unreadable_file", "unknown_key"}
ALL_FIELDS = [(name, field) for name in FORMS for field in form_fields(name)]


def refusal(scenario: dict[str, Any], language: str = "en") -> tuple[Problem, ...]:
    """The problems that a scenario is refused with."""
    with pytest.raises(InputError) as caught:
        calculator.estimate(scenario, language)
    return caught.value.problems


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_refusal(row: dict[str, Any]) -> None:
    """Every fault is reported, in the order of the form, with the nearest known name if any."""
    problems = refusal(row["input"])
    assert [[problem.code, problem.field] for problem in problems] == row["problems"]
    if "nearest" in row:
        assert row["nearest"] in [problem.params.get("nearest") for problem in problems]


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_refusal_in_words(row: dict[str, Any], language: str) -> None:
    """Each problem has a message without a hole in it, led by the field's name in its line."""
    for problem in refusal(row["input"]):
        message = messages.message(problem, language)
        assert message.endswith((".", "?")) and "None" not in message
        for quoted in ("nearest", "first", "second", "suffix", "key"):
            assert str(problem.params.get(quoted, "")) in message
        assert problem.code == "bad_unit" or str(problem.params.get("text", "")) in message
        assert messages.line(problem, language).endswith(message)


def test_every_code_is_met() -> None:
    """The rows of errors.toml meet every code that the locale files word."""
    met = {code for row in ROWS for code, _ in row["problems"]}
    of_configurations = {code for code in table("en")["errors"] if code.startswith("config_")}
    assert met | NOT_OF_FIELDS | of_configurations == set(table("en")["errors"])


def bad_texts(field: Field) -> dict[str, str]:
    """For each code that can befall the field, a text that does it in both languages."""
    found = {}
    if field.required:
        found["empty"] = " "
    if field.kind == "choice":
        return {**found, "unknown_choice": "zzz"}
    found |= {
        "not_a_number": "7 7",
        "infinite": "∞",
        "negative": "−1",
        "too_large": "1e99",
        "bad_unit": "7 parsec",
    }
    if field.kind == "choice_or_number":
        found["unknown_choice"] = "adamw"
    if field.above_zero:
        found["zero"] = "0,0"
    if field.kind == "whole":
        found["not_whole"] = "8,5"
    elif field.minimum:
        found["too_small"] = "1e-12"
    return found


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(
    ("name", "field", "code", "text"),
    [(name, field, *pair) for name, field in ALL_FIELDS for pair in bad_texts(field).items()],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_every_fault_of_every_field(
    name: str, field: Field, code: str, text: str, language: str
) -> None:
    """A fault of a field gives its code alone, and words that name the bounds or the choices."""
    form = {each.name: each.initial for each in form_fields(name)}
    (problem,) = refusal({"calculator": name, **form, field.name: text}, language)
    assert (problem.code, problem.field) == (code, field.name)
    message = messages.message(problem, language)
    if field.choices:
        for slug in catalogue.offered(field.choices):
            assert slug in message
    if field.kind != "choice":
        digits = "".join(each for each in message if each.isdigit())
        assert f"{field.maximum:f}" in digits


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize(("name", "field"), ALL_FIELDS, ids=lambda v: getattr(v, "name", v))
def test_ambiguous_in_every_number_field(name: str, field: Field, language: str) -> None:
    """Every field of numbers refuses the one ambiguous form, naming both readings."""
    text, first = {"it": ("1.234", "1,234"), "en": ("1,234", "1.234")}[language]
    form = {each.name: each.initial for each in form_fields(name)}
    (problem,) = refusal({"calculator": name, **form, field.name: text}, language)
    if field.kind == "choice":
        assert problem.code == "unknown_choice"
        return
    assert problem.code == "ambiguous"
    assert f"{first} " in messages.message(problem, language)
    assert "1234" in messages.message(problem, language)


@pytest.mark.parametrize(("name", "field"), ALL_FIELDS, ids=lambda v: getattr(v, "name", v))
def test_bounds_are_inside(name: str, field: Field) -> None:
    """The least and the greatest value that a message names are accepted."""
    form = {each.name: each.initial for each in form_fields(name)}
    if field.choices:
        for slug in catalogue.offered(field.choices):
            calculator.estimate({"calculator": name, **form, field.name: slug.upper()})
        return
    for bound in (field.minimum, field.maximum):
        result = calculator.estimate({"calculator": name, **form, field.name: bound})
        assert result.inputs[field.name] == bound


@pytest.mark.parametrize(
    ("text", "catalogue_name", "slug"),
    [
        ("adam-mix", "recipes", "adam-mixed"),
        ("ADAM-FP16", "recipes", "adam-bf16"),
        ("megatron-lm", "recipes", "megatron"),
        ("sgd", "recipes", "sgd-momentum"),
        ("bf-16", "formats", "bf16"),
        ("int-8", "formats", "int8"),
        ("fp-32", "adapter_dtypes", "fp32"),
    ],
)
def test_nearest(text: str, catalogue_name: str, slug: str) -> None:
    """The slug offered is one that the visitor probably meant."""
    assert nearest(text, list(catalogue.choices(catalogue_name))) == slug


def test_long_text_is_shortened() -> None:
    """A message quotes no more than a line of what was typed."""
    (problem,) = refusal({"parameters": "9" * 10_000 + "\nsette"})
    assert problem.code == "not_a_number"
    assert len(messages.line(problem, "it")) < 160
    (problem,) = refusal({"parameters": 7, "k" * 10_000: 1})
    assert len(messages.line(problem, "it")) < 160


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.decimals() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
KEYS = st.sampled_from(sorted({field.name for _, field in ALL_FIELDS})) | st.text(max_size=10)


@given(
    st.sampled_from(sorted(FORMS)),
    st.dictionaries(KEYS, VALUES, max_size=6),
    st.sampled_from(["it", "en"]),
)
def test_any_scenario_is_answered_or_refused(
    name: str, scenario: dict[str, Any], language: str
) -> None:
    """Arbitrary values give a result of whole bytes or problems in words, never a traceback."""
    try:
        result = calculator.estimate({**scenario, "calculator": name}, language)
    except InputError as error:
        assert error.problems
        for problem in error.problems:
            assert messages.line(problem, language)
    else:
        assert result.total_bytes >= 0
        assert all(isinstance(term.bytes, int) for term in result.terms)


def test_decimals_are_not_rounded_on_the_way_in() -> None:
    """A binary fraction such as 0.1 counts as the decimal that was written."""
    result = calculator.estimate({"parameters": 0.1})
    assert result.inputs["parameters"] == Decimal("0.1")
    assert result.total_bytes == 1_600_000_000
