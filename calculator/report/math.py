"""Formulas written out: plain text and MathML, with letters or with the visitor's numbers."""

from __future__ import annotations

from collections.abc import Callable

from calculator.formula import Formula, Node, Product, Quantity
from calculator.numbers import NO_BREAK_SPACE, format_number
from calculator.report.markup import escaped

TIMES, PLUS = "\N{MULTIPLICATION SIGN}", "+"


def in_letters(formula: Formula) -> str:
    """``M = N × B``."""
    return f"{formula.letter} = {_text(formula.expression, lambda quantity: quantity.letter)}"


def in_numbers(formula: Formula, language: str) -> str:
    """``7 × 16``; the result is not included."""
    return _text(formula.expression, lambda quantity: format_number(quantity.value, language))


def with_result(formula: Formula, language: str) -> str:
    """``M = N × B = 7 × 16 = 112 GB``."""
    result = f"{format_number(formula.value, language)}{_unit(formula)}"
    if isinstance(formula.expression, Quantity):  # a value as given: nothing to work out
        return f"{formula.letter} = {result}"
    return " = ".join([in_letters(formula), in_numbers(formula, language), result])


def _unit(formula: Formula) -> str:
    unit = {"gigabytes": "GB", "bytes": "B", "parameters": ""}[formula.unit]
    return f"{NO_BREAK_SPACE}{unit}" if unit else ""


def _text(node: Node, show: Callable[[Quantity], str], *, nested: bool = False) -> str:
    if isinstance(node, Quantity):
        return show(node)
    if isinstance(node, Product):
        return f" {TIMES} ".join(_text(factor, show, nested=True) for factor in node.factors)
    written = f" {PLUS} ".join(_text(part, show) for part in node.parts)
    return f"({written})" if nested else written


def mathml(formula: Formula, language: str) -> str:
    """The formula as a ``math`` element: letters, the numbers put in, the result; a line each."""

    def letter(quantity: Quantity) -> str:
        return _letter(quantity.letter)

    def number(quantity: Quantity) -> str:
        return f"<mn>{escaped(format_number(quantity.value, language))}</mn>"

    result = f"<mn>{escaped(format_number(formula.value, language))}</mn>"
    unit = _unit(formula).strip()
    if unit:
        result += f'<mspace width=".25em"></mspace><mtext>{unit}</mtext>'
    steps = [
        _mathml(formula.expression, letter), _mathml(formula.expression, number), result
    ]  # fmt: skip
    rows = "".join(
        f"<mtr><mtd>{'' if index else _letter(formula.letter)}</mtd>"
        f"<mtd><mo>=</mo>{step}</mtd></mtr>"
        for index, step in enumerate(steps)
    )
    return f'<math display="block"><mtable class="steps">{rows}</mtable></math>'


def _letter(name: str) -> str:
    base, _, index = name.partition("_")
    tag = "mn" if base.isdigit() else "mi"
    if not index:
        return f"<{tag}>{base}</{tag}>"
    return f"<msub><mi>{base}</mi><mtext>{escaped(index)}</mtext></msub>"


def _mathml(node: Node, show: Callable[[Quantity], str], *, nested: bool = False) -> str:
    if isinstance(node, Quantity):
        return show(node)
    if isinstance(node, Product):
        return f"<mo>{TIMES}</mo>".join(_mathml(f, show, nested=True) for f in node.factors)
    written = f"<mo>{PLUS}</mo>".join(_mathml(part, show) for part in node.parts)
    return f"<mrow><mo>(</mo>{written}<mo>)</mo></mrow>" if nested else written
