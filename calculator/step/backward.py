"""What backward holds for a moment inside one layer, beyond what forward saved."""

from __future__ import annotations

from collections.abc import Iterable

from calculator.step.attention import kernel
from calculator.step.run import Run
from calculator.step.states import Group, gradient_width, trained_groups
from calculator.step.tensors import aligned


def mlp_work(run: Run, *, has_experts: bool) -> int:
    """Gradients inside a gated MLP: T (4 e I + 2 e h), the gradient of the stream with them.

    Counted when the gate's gradient is made. For experts the rows are k T.
    """
    model, e = run.model, run.projected
    if has_experts:
        rows = run.tokens * model.experts_per_token
        return rows * e * (4 * model.moe_intermediate_size + model.hidden_size)
    return run.tokens * e * (4 * model.intermediate_size + 2 * model.hidden_size)


def attention_work(run: Run, *, sliding: bool) -> int:
    """Gradients inside attention: with all scores written, (2 e + 8) b a s^2 for those of
    probabilities and scores, in fp32 and as computed. Counted for eager attention."""
    settings = run.settings
    used = kernel(run, sliding=sliding)
    stream = run.tokens * 2 * run.compute * run.model.hidden_size
    if used in ("flash", "efficient"):
        return stream + run.tokens * run.model.query_width * (4 + 3 * run.compute)
    heads = settings.micro_batch_size * run.model.num_attention_heads
    return stream + heads * settings.sequence_length**2 * (2 * run.compute + 8)


def dequantised(run: Run) -> int:
    """The largest 4-bit matrix, as 16 bits, while it is multiplied with. Counted."""
    if not run.quantized:
        return 0
    model = run.model
    widest = max(model.intermediate_size, model.query_width)
    return 2 * widest * model.hidden_size


def gradients(run: Run, parts: Iterable[str], *, per_layer: bool = False) -> int:
    """Bytes of the gradients of ``parts``, of the mean layer with ``per_layer``."""
    wanted = tuple(parts)
    found = sum(
        group.size(gradient_width(run)) for group in trained_groups(run) if group.part in wanted
    )
    return found // run.model.num_hidden_layers if per_layer else found


def embedding_gradient(run: Run) -> int:
    """The dense gradient of the token embeddings, V h values. Zero where they are frozen."""
    if not run.trained:
        return 0
    group: Group = trained_groups(run)[0]
    return aligned(group.elements * gradient_width(run))


def one_gradient(run: Run) -> int:
    """A new gradient beside the accumulated one, while it is added: the MLP's matrix."""
    if not run.trained or run.settings.gradient_accumulation_steps == 1:
        return 0
    model = run.model
    width = model.intermediate_size or model.moe_intermediate_size
    return aligned(width * model.hidden_size * gradient_width(run))
