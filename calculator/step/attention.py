"""What a layer's attention keeps: by the kernel that runs, projections included."""

from __future__ import annotations

from calculator.parameters.names import attention_names
from calculator.step.latent import latent
from calculator.step.norms import head_norm
from calculator.step.reads import reads
from calculator.step.run import Run
from calculator.step.tensors import Saved

# the widest head that the flash kernels take: PyTorch, sdp_utils.cpp
_WIDEST_FLASH = 256


def masked(run: Run, *, sliding: bool) -> bool:
    """Whether a mask of s x s is passed: for padded batches, and in layers with a window that
    the sequence reaches. Source: transformers, masking_utils.py; ``flash`` needs none."""
    window = run.model.sliding_window
    beyond = sliding and 0 < window <= run.settings.sequence_length
    return kernel_name(run) != "eager" and (
        run.settings.padding or beyond or run.traits.always_masked
    )


def kernel_name(run: Run) -> str:
    """The implementation that Transformers takes: Gemma 2's soft caps have no fused kernel."""
    if run.settings.attention == "eager" or not run.traits.sdpa:
        return "eager"
    return run.settings.attention


def kernel(run: Run, *, sliding: bool) -> str:
    """``flash``, ``efficient``, ``math`` or ``eager``: what one layer's attention runs as.

    PyTorch takes flash for 16-bit values, no mask and heads of at most 256; else its
    memory-efficient kernel, unless key and value heads are grouped without a mask
    (``enable_gqa``): then the math kernel writes all scores. With a mask transformers repeats
    the key and value heads itself. Source: PyTorch 2.13, sdp_utils.cpp; transformers,
    integrations/sdpa_attention.py.
    """
    if kernel_name(run) == "eager":
        return "eager"
    mask = masked(run, sliding=sliding)
    flash = run.model.head_dim <= _WIDEST_FLASH and not run.model.kv_lora_rank
    if run.compute == 2 and not mask and flash:
        return "flash"
    grouped = run.model.num_key_value_heads != run.model.num_attention_heads
    return "math" if grouped and not mask else "efficient"


def attention(run: Run, *, sliding: bool) -> list[Saved]:
    """Inputs of the projections, queries, keys, values, scores or their statistics, output.

    2 (2 A + 2 K) + 4 a a token with flash in 16 bits, beside the input of the projections.
    Where one matrix makes queries, keys and values, the values are a view and all of its output
    stays (A + 2 K); where the rotary halves are concatenated, flash's output is copied when heads
    merge (+ A). Kernels other than flash repeat grouped keys and values (A each). Counted.
    """
    model, tokens, e = run.model, run.tokens, run.compute
    used = kernel(run, sliding=sliding)
    queries, keys = model.query_width, model.key_value_width
    repeats = used != "flash" and keys != queries and not run.traits.always_masked
    if model.kv_lora_rank:
        return latent(run, used) + scores(run, used, sliding=sliding)
    names = attention_names(model.family)
    found = reads(run, names[:-1], model.hidden_size, given=run.stream)
    found += head_norm(run, "q_norm", model.num_attention_heads)
    found += head_norm(run, "k_norm", model.num_key_value_heads)

    def add(name: str, width: int, reason: str) -> None:
        found.append(Saved(name, f"T x {width}", tokens * width, e, reason))

    fused_view = run.traits.fused_qkv and not repeats and not _values_copied(run, used)
    if fused_view:
        add("qkv", queries + 2 * keys, "values are a view of it")
    if run.traits.rotary or not fused_view:
        add("queries", queries, "gradient of the scores")
        add("keys", queries if repeats else keys, "gradient of the scores")
    if not fused_view:
        add("values", queries if repeats else keys, "gradient of the weighted sum")
    add("output", queries, "gradient of the output projection, and of the kernel")
    if used == "flash" and run.traits.merged_by_copy and run.trained:
        add("merged", queries, "heads side by side for the output projection")
    found += scores(run, used, sliding=sliding)
    return found + reads(run, names[-1:], queries, given=e, kept=True)


def _values_copied(run: Run, used: str) -> bool:
    """Eager attention on a batch lays the values out anew for its batched product."""
    return used == "eager" and run.settings.micro_batch_size > 1 and run.traits.rotary


def scores(run: Run, used: str, *, sliding: bool) -> list[Saved]:
    """The log-sum-exp, or all of b a s^2 scores.

    Flash and efficient: 4 a a token; a mask passed to the efficient kernel is expanded to
    e b s^2 in every layer. Eager: softmax in fp32 (4) and its 16-bit cast (2), in fp32 the
    softmax alone (4); GPT-2 runs softmax in 16 bits (2), with dropout a mask (1) and the result
    (2); Gemma 2's soft cap keeps the tanh (e). Math: 4. Counted.
    """
    model, e = run.model, run.compute
    length, batch = run.settings.sequence_length, run.settings.micro_batch_size
    heads = model.num_attention_heads
    square = batch * heads * length * (length + run.traits.sinks)
    shape = "b x a x s x s"
    if used in ("flash", "efficient"):
        found = [Saved("log_sum_exp", "T x a", run.tokens * heads, 4, "softmax made anew")]
        if masked(run, sliding=sliding):
            size = batch * length * length
            found.append(Saved("mask", "b x s x s", size, e, "mask as added to the scores"))
        return found
    if run.settings.activation_checkpointing == "selective":
        return []
    if used == "math":
        return [Saved("softmax", shape, square, e, "gradient of softmax and values")]
    found = []
    if run.traits.sinks:
        found.append(Saved("largest", "b x a x s", run.tokens * heads, 8, "where the maximum is"))
    if run.traits.softcap:
        found.append(Saved("capped", shape, square, e, "tanh of the soft cap"))
    if run.traits.softmax == "fp32" and e == 2:
        found.append(Saved("softmax", shape, square, 4, "gradient of the softmax, in fp32"))
        found.append(Saved("probabilities", shape, square, e, "gradient of the values"))
    else:
        wide = 4 if run.autocast else e
        found.append(Saved("softmax", shape, square, wide, "gradient of the softmax"))
        if run.traits.attention_dropout:
            found.append(Saved("dropout_mask", shape, square, 1, "dropout of probabilities"))
            found.append(Saved("probabilities", shape, square, e, "gradient of the values"))
    return found
