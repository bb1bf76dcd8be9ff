"""An estimate as display rows: what bar, table and text report show, parts of a term apart."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from calculator.estimate import Estimate
from calculator.numbers import format_number
from calculator.report.words import choice_name, text

# A term's group: cold grows with the model, warm with the data, machine belongs to the machine.
MODEL, DATA, MACHINE = "model", "data", "machine"
_GROUPS = {"activation_input": DATA, "overhead": MACHINE}


@dataclass(frozen=True)
class Row:
    """One line: ``id`` of the term or part, its group, bytes, and bytes per parameter if fixed."""

    id: str
    group: str
    bytes: int
    bytes_per_parameter: Decimal | None

    def note(self, estimate: Estimate, language: str) -> str:
        """What stands beside the name: how many bits, or the format."""
        if estimate.calculator == "inference" and self.id == "weights":
            return choice_name(language, "formats", str(estimate.inputs["weight_format"]))
        size = self.bytes_per_parameter
        if size is None or self.id == "model_states" or not size:
            return ""
        return text(language, "report.bits", bits=format_number(size * 8, language))


def rows(estimate: Estimate) -> list[Row]:
    """The rows in order; a term with parts is shown by its parts."""
    result = []
    for term in estimate.terms:
        group = _GROUPS.get(term.id, MODEL)
        if term.parts:
            result += [Row(p.id, group, p.bytes, p.bytes_per_parameter) for p in term.parts]
        else:
            result.append(Row(term.id, group, term.bytes, term.bytes_per_parameter))
    return result
