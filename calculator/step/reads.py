"""What linear layers keep of their inputs: for their own weights, and for LoRA's."""

from __future__ import annotations

from collections.abc import Sequence

from calculator.step.run import Run
from calculator.step.tensors import Saved
from calculator.targets import Adapted


def reads(
    run: Run, names: Sequence[str], width: int, *, given: int, kept: bool = False
) -> list[Saved]:
    """The inputs that the linear layers ``names`` keep, ``width`` values a token.

    ``given`` is the input's bytes a value; ``kept`` says that another operator keeps it
    anyway. A trained layer keeps its input for the weight's gradient: once for all that share
    it, but autocast casts an fp32 input for each layer anew. A frozen one keeps nothing.
    Counted.
    """
    found = []
    if run.trained:
        cast = given > run.compute
        if cast or not kept:
            copies = len(names) if cast else 1
            found.append(
                Saved(
                    f"{names[0]}.input", f"T x {width}", run.tokens * width, run.compute,
                    "gradient of the weights", copies,
                )
            )  # fmt: skip
        return found
    modules = [run.adapters[name] for name in names if name in run.adapters]
    if modules:
        found += _adapter_inputs(run, modules, width, given, kept)
    return found + [tensor for module in modules for tensor in _ranked(run, module)]


def _adapter_inputs(
    run: Run, modules: Sequence[Adapted], width: int, given: int, kept: bool
) -> list[Saved]:
    """A's input, for the gradient of A.

    PEFT casts it to the adapter's dtype, for each adapter; autocast casts the result to 16 bits,
    for each adapter again. Only where no cast changes anything do adapters share what there is:
    on 4-bit layers under autocast PEFT does not cast, so that a 16-bit input is shared.
    Dropout makes a copy for each adapter, and a mask of one byte a value. Counted.
    """
    elements, adapter = run.tokens * width, 4 if run.settings.adapter_dtype == "fp32" else 2
    peft_casts = given != adapter and not (run.quantized and run.autocast)
    each = 2 if run.autocast else adapter
    own = peft_casts or each != given or run.settings.lora_dropout > 0
    name, shape = modules[0].name, f"T x {width}"
    found = []
    if own or not kept:
        copies = len(modules) if own else 1
        found.append(Saved(f"{name}.lora_input", shape, elements, each, "gradient of A", copies))
    if run.settings.lora_dropout > 0:
        reason = "dropout before A"
        found.append(Saved(f"{name}.lora_mask", shape, elements, 1, reason, len(modules)))
    return found


def _ranked(run: Run, module: Adapted) -> list[Saved]:
    """A's output, T x r, and under autocast the 16-bit copies of fp32 A and B. Counted."""
    adapter = 4 if run.settings.adapter_dtype == "fp32" else 2
    each = 2 if run.autocast else adapter
    rank = module.rank
    found = [
        Saved(f"{module.name}.lora_a", f"T x {rank}", run.tokens * rank, each, "gradient of B")
    ]
    if run.autocast and adapter == 4:
        sides = rank * (module.rows + module.columns)
        found.append(
            Saved(f"{module.name}.lora_cast", "r x (d_in + d_out)", sides, 2, "cast by autocast")
        )
    return found
