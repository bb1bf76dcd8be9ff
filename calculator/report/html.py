"""An estimate as HTML fragments: the phone's total and the results, static and live alike."""

from __future__ import annotations

from decimal import Decimal

from calculator.estimate import Estimate
from calculator.numbers import NO_BREAK_SPACE, format_number, rounded_to_sum
from calculator.report.json import assumption_text
from calculator.report.markup import escaped
from calculator.report.math import mathml
from calculator.report.modules import modules
from calculator.report.rows import DATA, MACHINE, MODEL, Row, rows
from calculator.report.sizes import Scale, scale_for, size_text
from calculator.report.svg import bar, swatch
from calculator.report.text import sentences
from calculator.report.words import text


def with_unit(number: str, unit: str) -> str:
    """A number with its unit in lighter type."""
    return f'{number}<span class="unit">{NO_BREAK_SPACE}{escaped(unit)}</span>'


def _headline(estimate: Estimate, language: str) -> tuple[str, str]:
    """The big number and, beside it, the other way to say it."""
    total = estimate.total_bytes
    decimal = scale_for(total)
    size = with_unit(decimal.number(total, language), decimal.unit)
    if estimate.calculator == "lora":
        count = format_number(estimate.parameters_trainable, language, table=True)
        return count, size
    binary = scale_for(total, binary=True)
    return size, with_unit(binary.number(total, language), binary.unit)


def total(estimate: Estimate, language: str) -> str:
    """What stays in sight on a narrow screen: the total, as a link's content."""
    first, second = _headline(estimate, language)
    hidden = escaped(text(language, "report.to_results"))
    return (
        f'<span class="hidden">{hidden} </span><span class="total-n">{first}</span> '
        f'<span class="total-alt">{second}</span>'
    )


def results(estimate: Estimate, language: str) -> str:
    """Answer, bar, table of terms, formulas with the visitor's numbers, assumptions."""
    first, second = _headline(estimate, language)
    title = escaped(text(language, f"report.{estimate.calculator}_title"))
    says = "".join(
        f'<p class="says">{escaped(sentence)}</p>' for sentence in sentences(estimate, language)
    )
    long = " big-long" if len(first.split("<")[0]) > 6 else ""
    answer = (
        f'<div class="answer"><h2 id="results-title">{title}</h2>'
        f'<p class="big{long}"><span class="big-n">{first}</span> '
        f'<span class="big-alt">{second}</span></p>{says}</div>'
    )
    scale = scale_for(estimate.total_bytes)
    shown = rows(estimate)
    legends = _legends(estimate, shown, scale, language)
    return "".join((
        answer,
        bar(shown, scale, language, legends),
        _table(estimate, shown, scale, language),
        modules(estimate, language),
        _formulas(estimate, language),
        _assumptions(estimate, language),
    ))  # fmt: skip


def _legends(estimate: Estimate, shown: list[Row], scale: Scale, language: str) -> dict[str, str]:
    names = {
        MODEL: {"training": "terms.model_states", "inference": "terms.weights"}.get(
            estimate.calculator, "terms.adapters"
        ),
        DATA: "terms.activation_input",
        MACHINE: "terms.overhead",
    }
    sums = {group: sum(row.bytes for row in shown if row.group == group) for group in names}
    return {
        group: f"{text(language, key)}, {scale.text(sums[group], language)}"
        for group, key in names.items()
    }


def _table(estimate: Estimate, shown: list[Row], scale: Scale, language: str) -> str:
    binary = scale_for(estimate.total_bytes, binary=True)
    columns = [
        rounded_to_sum([row.bytes for row in shown], each.bytes, each.decimals)
        for each in (scale, binary)
    ]
    body = []
    model_rows = [row for row in shown if row.group == MODEL]
    for index, row in enumerate(shown):
        cells = [columns[0][index], columns[1][index]]
        body.append(_row(estimate, row, cells, (scale, binary), language))
        if estimate.calculator == "training" and index == len(model_rows) - 1 and index:
            sums = [sum(column[: index + 1], Decimal(0)) for column in columns]
            per_parameter = sum((r.bytes_per_parameter or 0 for r in model_rows), Decimal(0))
            body.append(
                f'<tr class="sub"><th scope="row">{escaped(text(language, "report.states"))}</th>'
                f"<td>{format_number(per_parameter, language)}</td>"
                f"{_cells(sums, (scale, binary), language)}</tr>"
            )
    whole = [scale.number(estimate.total_bytes, language, table=True)]
    whole.append(binary.number(estimate.total_bytes, language, table=True))
    caption = "report.breakdown_lora" if estimate.calculator == "lora" else "report.breakdown"
    return (
        f'<table class="terms"><caption>{escaped(text(language, caption))}</caption>'
        f'<thead><tr><th scope="col">{escaped(text(language, "report.term"))}</th>'
        f'<th scope="col"><span class="wide-text">'
        f"{escaped(text(language, 'report.bytes_per_parameter'))}</span>"
        f'<span class="narrow-text" aria-hidden="true">'
        f"{escaped(text(language, 'report.bytes_short'))}</span></th>"
        f'<th scope="col">{scale.unit}</th><th scope="col">{binary.unit}</th></tr></thead>'
        f"<tbody>{''.join(body)}</tbody>"
        f'<tfoot><tr><th scope="row">{escaped(text(language, "report.total"))}</th><td></td>'
        f"<td>{whole[0]}</td><td>{whole[1]}</td></tr></tfoot></table>"
    )


def _cells(values: list[Decimal], scales: tuple[Scale, Scale], language: str) -> str:
    return "".join(
        f"<td>{format_number(v, language, decimals=s.decimals, fixed=True, table=True)}</td>"
        for v, s in zip(values, scales, strict=True)
    )


def _row(
    estimate: Estimate, row: Row, values: list[Decimal], scales: tuple[Scale, Scale], language: str
) -> str:
    note = row.note(estimate, language)
    size = row.bytes_per_parameter
    per_parameter = "" if size is None else format_number(size, language)
    zero = "" if row.bytes else ' class="zero"'
    return (
        f'<tr{zero}><th scope="row">{swatch(row.id)}{escaped(text(language, f"terms.{row.id}"))}'
        + (f'<span class="note">{escaped(note)}</span>' if note else "")
        + f"</th><td>{per_parameter}</td>{_cells(values, scales, language)}</tr>"
    )


def _formulas(estimate: Estimate, language: str) -> str:
    lines = "".join(f"<p>{mathml(formula, language)}</p>" for formula in estimate.formulas)
    heading = escaped(text(language, "report.formula"))
    return f'<h3>{heading}</h3><div class="formulas">{lines}</div>'


def _assumptions(estimate: Estimate, language: str) -> str:
    listed = "".join(
        f"<li>{escaped(assumption_text(item.id, item.params, language))}</li>"
        for item in estimate.assumptions
    )
    heading = escaped(text(language, "report.assumptions"))
    return f'<h3>{heading}</h3><ul class="plain">{listed}</ul>'


def announcement(estimate: Estimate, language: str) -> str:
    """One sentence for screen readers."""
    size = size_text(estimate.total_bytes, language)
    if estimate.calculator == "lora":
        count = format_number(estimate.parameters_trainable, language)
        return text(language, "report.announce_lora", count=count, size=size)
    other = size_text(estimate.total_bytes, language, binary=True)
    return text(language, "report.announce", total=size, alternative=other)


def empty(field_name: str, calculator: str, language: str) -> dict[str, str]:
    """The slots while a needed field is empty: a sentence in the answer's place."""
    says = escaped(text(language, f"fields.{field_name}.empty"))
    title = escaped(text(language, f"report.{calculator}_title"))
    return {
        "total": f'<span class="total-empty">{says}</span>',
        "results": f'<div class="answer"><h2 id="results-title">{title}</h2>'
        f'<p class="empty">{says}</p></div>',
    }
