"""What backward holds for a moment inside one layer, beyond what forward saved."""

from __future__ import annotations

from collections.abc import Iterable

from calculator.parameters.names import mlp_names
from calculator.step.attention import kernel
from calculator.step.latent import output_width
from calculator.step.run import Run
from calculator.step.states import Group, gradient_width, trained_groups
from calculator.step.tensors import aligned


def mlp_work(run: Run) -> int:
    """Gradients inside an MLP when that of its activation is made, and two of the stream.

    With a gate T (4 e I + 2 e h); T (5 e I + 3 e h) where gate and up are one matrix, whose
    gradients are put together first; without a gate T (2 e I + 2 e h) in one kernel. With adapters
    one more e h, as they read the same input. Counted; PyTorch's own kernel for SiLU's gradient may
    take up to 2 e I less than its tensor operations, which were counted.
    """
    model, e = run.model, run.projected
    whole = one_matrix_in(run)
    wide = 4 + whole if model.gated or run.traits.gelu == "python" else 2
    own = run.stream + e * (1 + whole + (not run.trained))
    return run.tokens * (wide * e * model.intermediate_size + own * model.hidden_size)


def one_matrix_in(run: Run) -> bool:
    """Whether gate and up are one matrix."""
    return run.model.gated and len(mlp_names(run.model.family)) == 2


def experts_work(run: Run) -> int:
    """When the experts' gate and up have their gradient made: that of their output, 2 e I a row
    of the k T, and three of the stream's width. Counted."""
    model, e = run.model, run.compute
    rows = run.tokens * model.experts_per_token
    return e * (2 * rows * model.moe_intermediate_size + 3 * run.tokens * model.hidden_size)


def attention_work(run: Run, *, sliding: bool) -> int:
    """Gradients inside attention, with that of the stream and of values.

    Where scores are written, those of probabilities and of scores as wide as the softmax:
    2 x 4 b a s^2, or 2 e b a s^2 for a softmax in 16 bits. Else the kernel's fp32 sum for the
    queries and three results. Counted for eager attention.
    """
    settings, model, e = run.settings, run.model, run.compute
    used = kernel(run, sliding=sliding)
    if used in ("flash", "efficient"):
        return run.tokens * (e * model.hidden_size + output_width(run) * (4 + 3 * e))
    wide = 4 if used == "eager" and (run.traits.softmax == "fp32" or run.autocast) else e
    square = settings.micro_batch_size * model.num_attention_heads * settings.sequence_length**2
    return run.tokens * e * (model.hidden_size + output_width(run)) + 2 * wide * square


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


def inward_gradient(run: Run, *, has_experts: bool) -> int:
    """The gradient of one matrix into the MLP, or of the experts' gate and up."""
    if not run.trained:
        return 0
    model = run.model
    size = model.hidden_size * model.intermediate_size * (1 + one_matrix_in(run))
    if has_experts:
        size = model.num_experts * 2 * model.moe_intermediate_size * model.hidden_size
    return aligned(size * gradient_width(run))


def output_gradient(run: Run) -> int:
    """The gradient of the projection out of attention, A x h values."""
    if not run.trained:
        return 0
    return aligned(output_width(run) * run.model.hidden_size * gradient_width(run))
