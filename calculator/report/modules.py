"""The adapters of a model as HTML: a drawing of one layer, and a table of the modules."""

from __future__ import annotations

from calculator.estimate import Estimate
from calculator.numbers import format_number
from calculator.parameters.count import tensors
from calculator.parameters.tensors import Tensor
from calculator.report.markup import escaped
from calculator.report.words import text


def modules(estimate: Estimate, language: str) -> str:
    """Drawing and table; nothing where no model is known."""
    if not estimate.modules:
        return ""
    return _drawing(estimate, language) + _table(estimate, language)


def _table(estimate: Estimate, language: str) -> str:
    heads = [escaped(text(language, f"report.{key}")) for key in ("module", "shape", "rank")]
    heads += [escaped(text(language, f"report.{key}")) for key in ("copies", "parameters")]
    shown = "".join(f'<th scope="col" class="to-right">{head}</th>' for head in heads[1:])
    shown = f'<th scope="col">{heads[0]}</th>{shown}'
    body = []
    for module in estimate.modules:
        rank = text(language, "report.whole") if module.saved else str(module.rank)
        cells = (
            f"{module.rows} × {module.columns}",
            rank,
            format_number(module.copies, language, table=True),
            format_number(module.parameters, language, table=True),
        )
        body.append(
            f'<tr><th scope="row"><code>{escaped(module.name)}</code></th>'
            + "".join(f'<td class="to-right">{escaped(cell)}</td>' for cell in cells)
            + "</tr>"
        )
    title = escaped(text(language, "report.modules"))
    return (
        f'<h3 id="modules-title">{title}</h3>'
        '<div class="scroll" tabindex="0" role="region" aria-labelledby="modules-title">'
        f'<table class="data modules"><thead><tr>{shown}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _drawing(estimate: Estimate, language: str) -> str:
    """One layer's linear modules as boxes as wide as they are large; the adapted ones filled."""
    if estimate.subject is None:
        return ""
    adapted = {module.name for module in estimate.modules}
    rows = []
    for part in ("attention", "mlp", "experts"):
        matrices = [
            tensor
            for tensor in tensors(estimate.subject.architecture)
            if tensor.part == part and (tensor.linear or tensor.name.startswith("experts."))
        ]
        if matrices:
            rows.append((part, matrices))
    height = 74 * len(rows)
    drawn = "".join(
        _row(part, m, adapted, 74 * index, language) for index, (part, m) in enumerate(rows)
    )
    every = [tensor.name for _, matrices in rows for tensor in matrices]
    none = text(language, "report.drawing_none")
    title = text(
        language,
        "report.drawing_title",
        model=estimate.subject.name or text(language, "report.own_model"),
        adapted=", ".join(name for name in every if name in adapted) or none,
        others=", ".join(name for name in every if name not in adapted) or none,
    )
    return (
        f"<h3>{escaped(text(language, 'report.drawing'))}</h3>"
        f'<svg class="layer" width="100%" height="{height}" role="img">'
        f"<title>{escaped(title)}</title>{drawn}</svg>"
    )


def _row(part: str, matrices: list[Tensor], adapted: set[str], top: int, language: str) -> str:
    """The boxes of one part; under each its name, or below a long row of them nothing."""
    label = escaped(text(language, f"report.part_{part}"))
    drawn = [f'<text x="0" y="{top + 14}">{label}</text>']
    share = 100 / len(matrices)
    for index, tensor in enumerate(matrices):
        filled = tensor.name in adapted
        mark = 'class="seg f-cool s-cool"' if filled else 'class="seg f-bg s-cool"'
        middle = share * (index + 0.5)
        drawn.append(
            f'<rect {mark} x="{share * index + 0.5:.2f}%" y="{top + 22}" '
            f'width="{share - 1:.2f}%" height="20"/>'
            f'<text class="module" x="{middle:.2f}%" y="{top + 58}" text-anchor="middle">'
            f"{escaped(_short(tensor.name))}</text>"
        )
    return "".join(drawn)


def _short(name: str) -> str:
    """A module's name without what all of them have, so that seven fit beside each other."""
    return name.rsplit(".", 1)[-1].removesuffix("_proj")
