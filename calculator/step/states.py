"""Weights, gradients and optimizer states, tensor by tensor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from calculator.architecture import Architecture
from calculator.formats import every_format
from calculator.parameters.count import tensors
from calculator.parameters.tensors import Tensor
from calculator.step.run import Run
from calculator.step.tensors import aligned

# of a layer's parts; embeddings and the head stand outside the layers
LAYER_PARTS = ("attention", "mlp", "experts", "norms")


@dataclass(frozen=True)
class Group:
    """``copies`` parameters of one shape; ``rows`` x ``columns``, a vector has one column."""

    part: str
    rows: int
    columns: int
    copies: int
    embedding: bool = False
    quantized: bool = False

    @property
    def elements(self) -> int:
        return self.rows * self.columns

    def size(self, width: int) -> int:
        """Bytes of all copies at ``width`` bytes a value."""
        return self.copies * aligned(self.elements * width)


def sized(groups: Iterable[Group], width: int) -> int:
    """Bytes of all ``groups`` at ``width`` bytes a value."""
    return sum(group.size(width) for group in groups)


def largest(groups: Iterable[Group], width: int) -> int:
    """Bytes of the largest single parameter."""
    return max((aligned(group.elements * width) for group in groups), default=0)


@lru_cache(maxsize=512)
def model_groups(model: Architecture) -> tuple[Group, ...]:
    """Every parameter of ``model`` as Transformers holds it.

    A bias is a parameter of its own, and so is each vector of a norm; the experts of a layer
    are one three-dimensional parameter for each of their two matrices.
    """
    found = []
    for tensor in tensors(model):
        rows, copies = tensor.rows, tensor.copies
        if tensor.name.startswith("experts."):
            rows, copies = rows * model.num_experts, copies // model.num_experts
        vectors = _vectors(model, tensor)
        embedding = tensor.part == "embedding" and not tensor.linear
        quantized = tensor.linear and tensor.part != "head"
        found.append(
            Group(
                tensor.part, rows // vectors, tensor.columns, copies * vectors, embedding, quantized
            )
        )
        if tensor.bias:
            found.append(Group(tensor.part, rows, 1, copies))
    return tuple(found)


def _vectors(model: Architecture, tensor: Tensor) -> int:
    """How many parameters of one norm the count has taken together."""
    if tensor.name == "norm" and model.norm_type == "layernorm":
        return 2
    if tensor.name == "qk_norm" and model.qk_norm == "per_head":
        return 2
    return 1


def adapter_groups(run: Run) -> tuple[Group, ...]:
    """A (r x d_in) and B (d_out x r) of each adapter."""
    return tuple(
        group
        for module in run.adapters.values()
        for group in (
            Group(module.part, module.rank, module.columns, module.copies),
            Group(module.part, module.rows, module.rank, module.copies),
        )
    )


def trained_groups(run: Run) -> tuple[Group, ...]:
    """The parameters that have a gradient."""
    return model_groups(run.model) if run.trained else adapter_groups(run)


def trained_width(run: Run) -> int:
    """Bytes of a trained parameter as the forward pass reads it."""
    if run.trained:
        return run.parameter
    return 4 if run.settings.adapter_dtype == "fp32" else 2


def gradient_width(run: Run) -> int:
    """Bytes of a gradient: the parameter's own, or 4 with Megatron's fp32 main gradients."""
    return 4 if run.settings.precision == "megatron-bf16" else trained_width(run)


def weights(run: Run) -> int:
    """The model's own weights: p bytes each, or the quantised format's and the rest at 2 or 4.

    4-bit formats hold the matrices of linear layers but the head; after
    ``prepare_model_for_kbit_training`` everything else is fp32. Counted with bitsandbytes 0.50;
    its code tables (2.5 KB a matrix) are in it.
    """
    groups = model_groups(run.model)
    buffer = run.traits.causal_buffer * aligned(run.model.learned_positions**2)
    if not run.quantized:
        return sized(groups, run.parameter) + buffer
    bits = every_format()[run.settings.quantization].bits
    inside = [group for group in groups if group.quantized]
    outside = [group for group in groups if not group.quantized]
    packed = sum(
        group.copies * (aligned(int(group.elements * bits / 8)) + _TABLES) for group in inside
    )
    return packed + sized(outside, 4 if run.prepared else 2) + buffer


# nested code (256 fp32 values), the format's 16 values and the offset, each in blocks of 512 bytes
_TABLES = 1024 + 512 + 512


def master_weights(run: Run) -> int:
    """4 bytes a parameter where an fp32 copy stands beside 16-bit weights (``mixed-bf16``,
    ``megatron-bf16``). Source: ZeRO, arXiv:1910.02054, section 3.1."""
    separate = run.settings.precision in ("mixed-bf16", "megatron-bf16")
    return sized(trained_groups(run), 4) if separate else 0
