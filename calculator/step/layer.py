"""One layer's list of saved tensors, and what stays of it under checkpointing."""

from __future__ import annotations

from functools import cache

from calculator.parameters.count import tensors
from calculator.step.attention import attention
from calculator.step.mlp import experts, mlp
from calculator.step.norms import norm
from calculator.step.run import Run
from calculator.step.tensors import Saved, total

# parts whose copies stand in every layer that has them
_IN_LAYERS = ("attention", "mlp", "experts")


class Layers:
    """The layers of a run; layers of one kind share their list of tensors."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._kind = cache(self._saved)
        self.bytes = cache(self._bytes)
        self.cast_bytes = cache(self._cast_bytes)

    def __len__(self) -> int:
        return self._run.model.num_hidden_layers

    def saved(self, index: int) -> list[Saved]:
        """What layer ``index`` keeps from forward to backward without checkpointing."""
        return self._kind(*self.kind(index))

    def kind(self, index: int) -> tuple[bool, bool, bool]:
        """What tells layers apart: a window, experts, and being first on a frozen input.

        Under LoRA the embeddings' output needs no gradient, so neither does the first norm's.
        """
        first = index == 0 and not self._run.trained
        return self.sliding(index), self.has_experts(index), first

    def _bytes(self, kind: tuple[bool, bool, bool]) -> int:
        return total(self._kind(*kind))

    def _cast_bytes(self, kind: tuple[bool, bool, bool]) -> int:
        return total(casts(self._kind(*kind)))

    def sliding(self, index: int) -> bool:
        """Whether the layer attends within a window."""
        every = self._run.traits.sliding
        return every == 1 or (index + 1) % every != 0

    def has_experts(self, index: int) -> bool:
        model = self._run.model
        if not model.num_experts or index < model.first_k_dense_layers:
            return False
        return (index + 1 - model.first_k_dense_layers) % model.moe_layer_step == 0

    def _saved(self, sliding: bool, has_experts: bool, first: bool) -> list[Saved]:
        run, hidden = self._run, self._run.model.hidden_size
        found = [] if first else norm(run, "input_norm", hidden)
        found += attention(run, sliding=sliding)
        if run.model.norms_per_layer > 1:
            found += norm(run, "attention_norm", hidden, shared=run.traits.parallel)
        found += experts(run) if has_experts else mlp(run)
        for number in range(run.model.norms_per_layer - 2):
            found += norm(run, f"output_norm_{number + 1}", hidden, given=run.projected)
        if run.traits.dropout:
            size = run.tokens * hidden
            found.append(Saved("residual_dropout", "T x h", size, 1, "masks of two dropouts", 2))
        return found + weight_casts(run, experts=has_experts)


def weight_casts(run: Run, *, experts: bool) -> list[Saved]:
    """16-bit copies of a layer's fp32 matrices: autocast makes one for each linear layer, and
    backward reads it. 2 bytes a weight, trained or frozen. Counted."""
    if not (run.autocast and run.parameter == 4 and not run.quantized):
        return []
    found = []
    for tensor in tensors(run.model):
        if not tensor.linear or tensor.part not in _IN_LAYERS:
            continue
        if tensor.part != "attention" and (tensor.part == "experts") != experts:
            continue
        size = tensor.rows * tensor.columns
        reason = "cast by autocast, read in backward"
        found.append(Saved(f"{tensor.name}.cast", "d_in x d_out", size, 2, reason))
    return found


def casts(saved: list[Saved]) -> list[Saved]:
    """Those of a layer's tensors that are cached casts of parameters, alive until forward ends
    even where the layer is checkpointed."""
    return [tensor for tensor in saved if tensor.name.endswith(("_cast", ".cast"))]


def checkpoint(run: Run) -> list[Saved]:
    """What full checkpointing keeps of a layer: its input, x h bytes a token. Counted.

    Source: Chen et al., arXiv:1604.06174, section 3.
    """
    size = run.tokens * run.model.hidden_size
    return [Saved("input", "T x h", size, run.stream, "the layer is run again from it")]


def keeps_its_input(run: Run) -> bool:
    """Whether the first norm keeps the layer's input itself, rather than an fp32 copy."""
    layernorm = run.traits.norm == "layernorm" and not run.autocast
    return run.stream == 4 or layernorm or run.fused
