"""The declaration of every input: the form, links, flags, JSON keys and reference come from it.

Names are promises: links hold them. Labels and help texts stand in the locale files under
``fields.NAME``; what is here is language-free.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

Kind = Literal[
    "number", "whole", "choice", "choice_or_number", "flag", "model", "config", "targets",
    "names", "pairs",
]  # fmt: skip
# The simple form knows a number of parameters, the detailed one a model's architecture.
Depth = Literal["both", "simple", "detailed"]


@dataclass(frozen=True)
class Field:
    """One input.

    ``default`` applies when the input is absent; ``example`` is what the page shows first
    where there is no default, or a more telling one. ``unit`` is a key of
    :data:`calculator.numbers.SUFFIXES`. Numbers lie between ``minimum`` and ``maximum``;
    with ``above_zero`` zero itself is refused. ``choices`` names a catalogue. ``depth`` is
    the form that has the field; in the detailed form one of ``model`` and ``config`` is given.
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
    depth: Depth = "both"

    @property
    def initial(self) -> str:
        """What the page's form holds before the visitor types (a plain number or a slug)."""
        return self.example or self.default or ""

    def applies(self, detailed: bool) -> bool:
        """Whether the detailed (or else the simple) form has this field."""
        return self.depth in ("both", "detailed" if detailed else "simple")


_PARAMETERS = Field(
    "parameters", "number", "model", unit="billions", example="7", depth="simple",
    minimum=Decimal("1e-9"), above_zero=True,
)  # fmt: skip
_MODEL = (
    Field("model", "model", "model", example="llama-3.1-8b", required=False, depth="detailed"),
    Field("config", "config", "model", required=False, depth="detailed"),
    Field("overrides", "pairs", "model", required=False, depth="detailed"),
)


def _dimension(name: str, *, example: str, maximum: int = 10**7) -> Field:
    return Field(
        name, "whole", "matrices", unit="count", example=example, depth="simple",
        minimum=Decimal(1), maximum=Decimal(maximum), above_zero=True,
    )  # fmt: skip


FORMS: dict[str, tuple[Field, ...]] = {
    "training": (
        _PARAMETERS,
        *_MODEL,
        Field(
            "memory_per_parameter", "choice_or_number", "training", unit="bytes",
            default="adam-mixed", choices="recipes", maximum=Decimal(1000), above_zero=True,
        ),
        Field("activation_memory", "number", "activations", unit="gigabytes", default="0"),
    ),
    "inference": (
        _PARAMETERS,
        *_MODEL,
        Field("weight_format", "choice", "weights", default="bf16", choices="formats"),
        Field(
            "overhead_percent", "number", "overhead", unit="percent",
            default="20", maximum=Decimal(1000),
        ),
    ),
    "lora": (
        replace(_PARAMETERS, required=False),
        *_MODEL,
        Field(
            "lora_rank", "whole", "adapters", unit="count", default="16",
            minimum=Decimal(1), maximum=Decimal(10) ** 5, above_zero=True,
        ),
        Field("target_modules", "targets", "adapters", default="all-linear", depth="detailed"),
        Field("adapter_dtype", "choice", "adapters", default="fp32", choices="adapter_dtypes"),
        Field("use_dora", "flag", "adapters", default="false", depth="detailed"),
        Field("use_rslora", "flag", "adapters", default="false", depth="detailed"),
        Field("rank_pattern", "pairs", "adapters", required=False, depth="detailed"),
        Field("modules_to_save", "names", "adapters", required=False, depth="detailed"),
        _dimension("input_dimension", example="4096"),
        _dimension("output_dimension", example="4096"),
        _dimension("adapted_matrices", example="64", maximum=10**6),
    ),
}  # fmt: skip
CALCULATORS = tuple(FORMS)


def form_fields(calculator: str, *, detailed: bool = False) -> tuple[Field, ...]:
    """The fields of a calculator's simple (or else detailed) form."""
    return tuple(field for field in FORMS[calculator] if field.applies(detailed))


def field_names() -> tuple[str, ...]:
    """Every field's name once, in the order of the forms."""
    return tuple(dict.fromkeys(field.name for form in FORMS.values() for field in form))
