"""The declaration of every input: the form, links, flags, JSON keys and reference come from it.

Names are promises: links hold them. Labels and help texts stand in the locale files under
``fields.NAME``; what is here is language-free.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

Kind = Literal["number", "whole", "choice", "choice_or_number"]


@dataclass(frozen=True)
class Field:
    """One input.

    ``default`` applies when the input is absent; ``example`` is what the page shows first
    where there is no default, or a more telling one. ``unit`` is a key of
    :data:`calculator.numbers.SUFFIXES`. Numbers lie between ``minimum`` and ``maximum``;
    with ``above_zero`` zero itself is refused. ``choices`` names a catalogue.
    """

    name: str
    kind: Kind
    group: str
    unit: str = "none"
    default: str | None = None
    example: str | None = None
    required: bool = True
    minimum: Decimal = Decimal(0)
    maximum: Decimal = Decimal(10) ** 6
    above_zero: bool = False
    choices: str | None = None

    @property
    def initial(self) -> str:
        """What the page's form holds before the visitor types (a plain number or a slug)."""
        return self.example or self.default or ""


def _parameters(*, required: bool) -> Field:
    return Field(
        "parameters", "number", "model", unit="billions", example="7", required=required,
        minimum=Decimal("1e-9"), above_zero=True,
    )  # fmt: skip


def _dimension(name: str) -> Field:
    return Field(
        name, "whole", "matrices", unit="count", example="4096",
        minimum=Decimal(1), maximum=Decimal(10) ** 7, above_zero=True,
    )  # fmt: skip


FORMS: dict[str, tuple[Field, ...]] = {
    "training": (
        _parameters(required=True),
        Field(
            "memory_per_parameter", "choice_or_number", "training", unit="bytes",
            default="adam-mixed", choices="recipes", maximum=Decimal(1000), above_zero=True,
        ),
        Field("activation_memory", "number", "activations", unit="gigabytes", default="0"),
    ),
    "inference": (
        _parameters(required=True),
        Field("weight_format", "choice", "weights", default="bf16", choices="formats"),
        Field(
            "overhead_percent", "number", "overhead", unit="percent",
            default="20", maximum=Decimal(1000),
        ),
    ),
    "lora": (
        _parameters(required=False),
        Field(
            "lora_rank", "whole", "adapters", unit="count", default="16",
            minimum=Decimal(1), maximum=Decimal(10) ** 5, above_zero=True,
        ),
        Field("adapter_dtype", "choice", "adapters", default="fp32", choices="adapter_dtypes"),
        _dimension("input_dimension"),
        _dimension("output_dimension"),
        Field(
            "adapted_matrices", "whole", "matrices", unit="count", example="64",
            minimum=Decimal(1), above_zero=True,
        ),
    ),
}  # fmt: skip
CALCULATORS = tuple(FORMS)


def field_names() -> tuple[str, ...]:
    """Every field's name once, in the order of the forms."""
    return tuple(dict.fromkeys(field.name for form in FORMS.values() for field in form))
