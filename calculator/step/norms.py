"""What normalisations keep for their backward."""

from __future__ import annotations

from calculator.step.run import Run
from calculator.step.tensors import Saved


def norm(run: Run, name: str, width: int, *, rows: int = 1, shared: bool = False) -> list[Saved]:
    """A norm of ``rows`` vectors of ``width`` values a token, on ``x`` bytes a value.

    RMSNorm as Transformers writes it works in fp32: 4 n a token for its input (a copy of a
    16-bit stream, the stream itself where that is fp32), x n for the normalised value where the
    weight is trained, and 4 for the reciprocal root. Gemma's multiplies by 1 + w in fp32, so
    that the normalised value is fp32 too. LayerNorm is one kernel: its input, mean and
    deviation; under autocast it runs in fp32. Fused kernels keep the input as it is.
    ``shared``: another norm keeps the same input. Counted; fused from Liger's rms_norm.py.
    """
    tokens, wide = run.tokens * rows, run.stream
    shape = f"T x {rows} x {width}" if rows > 1 else f"T x {width}"
    layernorm = run.traits.norm == "layernorm"
    gemma = run.traits.norm == "gemma"
    found = []
    if layernorm or run.fused:
        if not shared:
            found.append(
                Saved(f"{name}.input", shape, tokens * width, wide, "gradient of the norm")
            )
        copies = 2 if layernorm else 1
        found.append(Saved(f"{name}.statistics", "T", tokens, 4, "mean and deviation", copies))
        return found
    found.append(Saved(f"{name}.input", shape, tokens * width, 4, "fp32 copy that is squared"))
    if run.trained:
        each = 4 if gemma else wide
        found.append(
            Saved(
                f"{name}.normalised", shape, tokens * width, each, "gradient of the norm's weight"
            )
        )
    found.append(Saved(f"{name}.rsqrt", "T", tokens, 4, "gradient of the norm's input"))
    return found


def head_norm(run: Run, name: str, heads: int) -> list[Saved]:
    """The norm of queries or keys, of each head alone (Qwen 3, Gemma 3).

    4 n for the fp32 copy of its input, and where the weight is trained e n for the normalised
    value (Gemma: 4 n), n the width of all heads; 4 a head for the root. Counted.
    """
    if run.model.qk_norm == "none":
        return []
    size, vectors = run.model.head_dim, run.tokens * heads
    shape = f"T x {heads} x {size}"
    if run.fused:
        each = run.projected
        return [
            Saved(f"{name}.input", shape, vectors * size, each, "gradient of the norm"),
            Saved(f"{name}.statistics", f"T x {heads}", vectors, 4, "gradient of the norm"),
        ]
    found = [Saved(f"{name}.input", shape, vectors * size, 4, "fp32 copy that is squared")]
    if run.trained:
        each = 4 if run.traits.norm == "gemma" else run.projected
        found.append(
            Saved(f"{name}.normalised", shape, vectors * size, each, "gradient of the weight")
        )
    found.append(Saved(f"{name}.rsqrt", f"T x {heads}", vectors, 4, "gradient of the input"))
    return found
