"""An estimate as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from calculator.estimate import Estimate
from calculator.numbers import format_number, rounded_to_sum
from calculator.report.json import assumption_text
from calculator.report.math import with_result
from calculator.report.rows import rows
from calculator.report.sizes import billions_text, percent_text, scale_for, size_text
from calculator.report.words import text


def report(estimate: Estimate, language: str) -> str:
    """Headline, table of terms, formulas and assumptions, ending in a newline."""
    blocks = ["\n".join([headline(estimate, language), *sentences(estimate, language)])]
    blocks.append("\n".join(_table(estimate, language)))
    if estimate.modules:
        blocks.append("\n".join(module_lines(estimate, language)))
    blocks.append("\n".join(with_result(formula, language) for formula in estimate.formulas))
    if estimate.assumptions:
        listed = [
            f"- {assumption_text(item.id, item.params, language)}" for item in estimate.assumptions
        ]
        blocks.append("\n".join([f"{text(language, 'report.assumptions')}:", *listed]))
    return "\n\n".join(blocks) + "\n"


def headline(estimate: Estimate, language: str) -> str:
    """The answer in one line."""
    title = text(language, f"report.{estimate.calculator}_title")
    total = size_text(estimate.total_bytes, language)
    if estimate.calculator != "lora":
        return f"{title}: {total} ({size_text(estimate.total_bytes, language, binary=True)})"
    return f"{title}: {format_number(estimate.parameters_trainable, language)}"


def sentences(estimate: Estimate, language: str) -> list[str]:
    """What stands under the headline: which model it is about, and the adapters' share of it."""
    found = [subject_sentence(estimate, language)] if estimate.subject else []
    if estimate.calculator == "lora":
        found.append(adapter_sentence(estimate, language))
    return found


def subject_sentence(estimate: Estimate, language: str) -> str:
    """The model and its parameters; those that one token uses, where they are fewer."""
    total, active = estimate.parameters_total or 0, estimate.parameters_active or 0
    name = estimate.subject.name if estimate.subject else ""
    return text(
        language,
        "report.about_model" if active == total else "report.about_model_active",
        name=name or text(language, "report.own_model"),
        total=billions_text(total, language),
        active=billions_text(active, language),
    )


def adapter_sentence(estimate: Estimate, language: str) -> str:
    """What the adapters weigh and, where the base model is known, their share of it."""
    size = size_text(estimate.total_bytes, language)
    base = estimate.parameters_total
    if base:
        share = percent_text(Decimal(estimate.parameters_trainable) / base, language)
        known = {"base": billions_text(base, language), "share": share}
        return text(language, "report.lora_share", size=size, **known)
    per_parameter = format_number(estimate.terms[0].bytes_per_parameter or 0, language)
    return text(language, "report.lora_size", size=size, bytes=per_parameter)


def _table(estimate: Estimate, language: str) -> list[str]:
    shown = rows(estimate)
    total = estimate.total_bytes
    scales = [scale_for(total), scale_for(total, binary=True)]
    columns = [
        rounded_to_sum([row.bytes for row in shown], scale.bytes, scale.decimals)
        for scale in scales
    ]
    head = ["report.term", "report.bytes_per_parameter"]
    lines = [[*(text(language, key) for key in head), *(scale.unit for scale in scales)]]
    for index, row in enumerate(shown):
        note = row.note(estimate, language)
        name = text(language, f"terms.{row.id}") + (f" ({note})" if note else "")
        size = row.bytes_per_parameter
        per_parameter = "" if size is None else format_number(size, language)
        cells = [
            format_number(column[index], language, decimals=scale.decimals, fixed=True, table=True)
            for column, scale in zip(columns, scales, strict=True)
        ]
        lines.append([name, per_parameter, *cells])
    sums = [scale.number(total, language, table=True) for scale in scales]
    lines.append([text(language, "report.total"), "", *sums])
    return aligned(lines)


def aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Cells in columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def module_lines(estimate: Estimate, language: str) -> list[str]:
    """The adapted modules, a line each."""
    heads = ("module", "shape", "rank", "copies", "parameters")
    lines = [[text(language, f"report.{key}") for key in heads]]
    for module in estimate.modules:
        rank = text(language, "report.whole") if module.saved else str(module.rank)
        sizes = (module.copies, module.parameters)
        shape = f"{module.rows} × {module.columns}"
        lines.append(
            [module.name, shape, rank, *(format_number(n, language, table=True) for n in sizes)]
        )
    return aligned(lines)
