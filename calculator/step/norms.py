"""What normalisations keep for their backward."""

from __future__ import annotations

from calculator.step.run import Run
from calculator.step.tensors import Saved


def norm(
    run: Run, name: str, width: int, *, given: int | None = None, shared: bool = False
) -> list[Saved]:
    """A norm of ``width`` values a token, of ``given`` bytes each (the stream's x if left out).

    RMSNorm as Transformers writes it works in fp32: 4 n a token for its input (a copy of a
    16-bit stream, the stream itself where that is fp32), x n for the normalised value where the
    weight is trained, and 4 for the reciprocal root. Gemma's multiplies by 1 + w in fp32, so
    that the normalised value is fp32 too (so do OLMo 2's and 3's); Cohere's subtracts the mean,
    twice. LayerNorm is one kernel: its input, mean and deviation; under autocast it runs in fp32.
    Fused kernels keep the input as it is.
    ``shared``: another norm keeps the same input. Counted; fused from Liger's rms_norm.py.
    """
    tokens, kind, shape = run.tokens, run.traits.norm, f"T x {width}"
    wide = given or run.stream
    if run.fused or kind.startswith("layernorm"):
        return _in_one_kernel(run, name, shape, tokens * width, wide, shared=shared)
    found = [Saved(f"{name}.input", shape, tokens * width, 4, "fp32 copy that is squared")]
    if kind == "cohere":
        found.append(
            Saved(f"{name}.centred", shape, tokens * width, 4, "made twice, less the mean")
        )
    if run.trained:
        each = wide if kind == "rmsnorm" else 4
        reason = "gradient of the norm's weight"
        found.append(Saved(f"{name}.normalised", shape, tokens * width, each, reason))
    found.append(Saved(f"{name}.rsqrt", "T", tokens, 4, "gradient of the norm's input"))
    return found


def _in_one_kernel(
    run: Run, name: str, shape: str, size: int, given: int, *, shared: bool
) -> list[Saved]:
    """LayerNorm (fp32 under autocast, and in OLMo always) or a fused RMSNorm."""
    layernorm = run.traits.norm.startswith("layernorm")
    in_fp32 = run.traits.norm == "layernorm_fp32" or (layernorm and run.autocast)
    wide = 4 if in_fp32 else given
    found = []
    if not shared:
        found.append(Saved(f"{name}.input", shape, size, wide, "gradient of the norm"))
    copies = 2 if layernorm else 1
    found.append(Saved(f"{name}.statistics", "T", run.tokens, 4, "mean and deviation", copies))
    return found


def head_norm(run: Run, name: str, heads: int) -> list[Saved]:
    """The norm of queries or keys: of each head alone (Qwen 3, Gemma 3), or of all (OLMo 2).

    4 n for the fp32 copy of its input, and where the weight is trained e n for the normalised
    value (4 n where its product with the weight is fp32), n the width of all heads; 4 for each
    root, one a head or one a token. Counted.
    """
    if run.model.qk_norm == "none":
        return []
    size, roots = run.model.head_dim, run.tokens * heads
    shape, elements = f"T x {heads} x {size}", roots * size
    if run.model.qk_norm == "full":
        roots = run.tokens
    if run.fused:
        return [
            Saved(f"{name}.input", shape, elements, run.projected, "gradient of the norm"),
            Saved(f"{name}.statistics", "T x heads", roots, 4, "gradient of the norm"),
        ]
    found = [Saved(f"{name}.input", shape, elements, 4, "fp32 copy that is squared")]
    if run.trained:
        each = run.projected if run.traits.norm == "rmsnorm" else 4
        found.append(Saved(f"{name}.normalised", shape, elements, each, "gradient of the weight"))
    found.append(Saved(f"{name}.rsqrt", "T x heads", roots, 4, "gradient of the input"))
    return found
