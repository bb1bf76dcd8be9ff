"""The rows of cases.toml: estimates worked out by hand, and each recipe's ledger."""

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import calculator
from calculator import catalogue
from calculator.fields import form_fields
from calculator.formula import BILLION

ROWS = tomllib.loads(Path(__file__).with_name("cases.toml").read_text(), parse_float=Decimal)


@pytest.mark.parametrize("case", ROWS["case"], ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    """Terms, total and trained parameters are those of the row, to the byte."""
    result = calculator.estimate(case["input"])
    assert {term.id: term.bytes for term in result.terms} == case["terms"], case["expect"]
    assert result.total_bytes == case["total_bytes"] == sum(case["terms"].values())
    assert result.parameters_trainable == case["trainable"]


@pytest.mark.parametrize("case", ROWS["case"], ids=lambda case: case["name"])
def test_tree_adds_up(case: dict[str, Any]) -> None:
    """The last formula's value is the total, and the parts of a term are its bytes."""
    result = calculator.estimate(case["input"])
    scale = BILLION if result.formulas[-1].unit == "gigabytes" else 1
    assert result.formulas[-1].value * scale == result.total_bytes
    for term in result.terms:
        assert term.formula.whole() == term.bytes
        assert not term.parts or sum(part.bytes for part in term.parts) == term.bytes
        assert term.source
    simple = [field.name for field in form_fields(result.calculator)]
    assert list(result.inputs) == simple


@pytest.mark.parametrize("row", ROWS["recipe"], ids=lambda row: row["id"])
def test_recipe(row: dict[str, Any]) -> None:
    """A recipe's ledger is the one listed, and it sums to the bytes that the recipe states."""
    recipe = catalogue.recipes()[row["id"]]
    sizes = [recipe.weights, recipe.gradients, recipe.master_weights, recipe.states_bytes]
    assert sizes == row["ledger"]
    assert recipe.total == sum(row["ledger"]) == row["total"]
    assert recipe.source and all(recipe.source)


def test_recipes_in_order() -> None:
    """The recipes are those listed, in this order: links and the page's radios depend on it."""
    assert list(catalogue.recipes()) == [row["id"] for row in ROWS["recipe"]]


def test_disputed_recipes_say_so() -> None:
    """The sums that sources dispute come with an assumption that tells how."""
    said = {}
    for slug in catalogue.recipes():
        scenario = {"parameters": 7, "memory_per_parameter": slug}
        said[slug] = [item.id for item in calculator.estimate(scenario).assumptions]
    disputed = {slug for slug, ids in said.items() if any("disputed" in each for each in ids)}
    assert disputed == {"adam-8bit", "sgd-momentum"}


def test_assumptions_follow_the_input() -> None:
    """Missing activations, an unknown ledger and uncounted scales are each said, and only then."""

    def said(**scenario: object) -> set[str]:
        return {item.id for item in calculator.estimate(scenario).assumptions}

    assert "activations_not_counted" in said(parameters=7)
    assert "activations_not_counted" not in said(parameters=7, activation_memory=1)
    assert "ledger_unknown" in said(parameters=7, memory_per_parameter=16)
    assert "ledger_unknown" not in said(parameters=7)
    four = said(calculator="inference", parameters=7, weight_format="int4")
    assert "scales_not_counted" in four
    assert "scales_not_counted" not in said(calculator="inference", parameters=7)


@pytest.mark.parametrize(
    ("alias", "slug"),
    [
        ("FP16", "fp16"),
        (" bfloat16 ", "bf16"),
        ("float32", "fp32"),
        ("8bit", "int8"),
        ("4bit", "int4"),
    ],
)
def test_format_aliases(alias: str, slug: str) -> None:
    """A format goes by its other names too, whatever the case."""
    scenario = {"calculator": "inference", "parameters": 1, "weight_format": alias}
    assert calculator.estimate(scenario).inputs["weight_format"] == slug


def test_documented_example() -> None:
    """The package's own doctest holds."""
    import doctest

    outcome = doctest.testmod(calculator)
    assert outcome.attempted >= 1 and outcome.failed == 0
