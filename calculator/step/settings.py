"""The settings of a training step, and which of them are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calculator.errors import InputError, ParamValue, Problem
from calculator.nearest import nearest

CHOICES: dict[str, tuple[str, ...]] = {
    "trainer": ("huggingface",),
    "method": ("full", "lora", "qlora"),
    "precision": ("amp-bf16", "bf16", "mixed-bf16", "megatron-bf16", "amp-fp16", "fp32"),
    "optimizer_step": ("fused", "foreach", "loop", "in-backward"),
    "activation_checkpointing": ("none", "selective", "full"),
    "attention": ("flash", "sdpa", "eager"),
    "kernels": ("eager", "fused", "compiled"),
    "loss": ("standard", "chunked", "fused"),
    "adapter_dtype": ("fp32", "bf16"),
    "quantization": ("nf4-dq", "nf4", "fp4"),
    "base_dtype": ("bf16", "fp32"),
    "sharding": ("none",),
}
# Not modelled: what these say would change the result, so the answer is an error and no guess.
_REFUSED_VALUES = {"kernels": ("compiled",), "loss": ("chunked",)}
_POSITIVE = (
    "micro_batch_size", "sequence_length", "gradient_accumulation_steps", "lora_rank",
)  # fmt: skip
# far beyond any step that is taken; it bounds what messages say, not what is computed
_MOST = 10**9
_ONE_GPU = (
    "data_parallel", "tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel",
)  # fmt: skip
_OFF = ("sequence_parallel", "activation_offload", "optimizer_offload", "parameter_offload")


@dataclass(frozen=True)
class TrainingSettings:
    """How a model is trained; names and values are those of the scenario.

    ``target_modules`` is ``all-linear``, ``qv``, ``qkvo`` or names. ``base_dtype`` is that of
    the frozen weights under LoRA. :meth:`check` refuses what is not modelled.
    """

    trainer: str = "huggingface"
    method: str = "full"
    precision: str = "amp-bf16"
    optimizer: str = "adamw"
    optimizer_step: str = "fused"
    micro_batch_size: int = 1
    sequence_length: int = 2048
    gradient_accumulation_steps: int = 1
    activation_checkpointing: str = "none"
    activation_offload: bool = False
    attention: str = "flash"
    kernels: str = "eager"
    loss: str = "standard"
    lora_rank: int = 16
    target_modules: str | Sequence[str] = "all-linear"
    adapter_dtype: str = "fp32"
    lora_dropout: float = 0.0
    quantization: str = "nf4-dq"
    prepare_kbit: bool = True
    base_dtype: str = "bf16"
    padding: bool = False
    data_parallel: int = 1
    sharding: str = "none"
    tensor_parallel: int = 1
    sequence_parallel: bool = False
    pipeline_parallel: int = 1
    context_parallel: int = 1
    expert_parallel: int = 1
    optimizer_offload: bool = False
    parameter_offload: bool = False

    def check(self) -> None:
        """Raise :class:`InputError`, naming each setting that is unknown or not modelled."""
        problems = []
        for name, known in CHOICES.items():
            value = getattr(self, name)
            if value not in known:
                text = str(value)[:60]
                params = {
                    "text": text,
                    "nearest": nearest(text, known),
                    "allowed": ", ".join(known),
                }
                problems.append(Problem("unknown_choice", name, {**params}))
            elif value in _REFUSED_VALUES.get(name, ()):
                problems.append(not_modelled(name, value))
        for name in _POSITIVE:
            value = getattr(self, name)
            if value < 1:
                bounds: dict[str, ParamValue] = {"text": value, "minimum": 1, "maximum": _MOST}
                problems.append(Problem("too_small", name, bounds))
        problems += [not_modelled(n, getattr(self, n)) for n in _ONE_GPU if getattr(self, n) != 1]
        problems += [not_modelled(n, "true") for n in _OFF if getattr(self, n)]
        if not 0 <= self.lora_dropout < 1:
            problems.append(not_modelled("lora_dropout", self.lora_dropout))
        if self.method != "full" and self.precision in ("mixed-bf16", "megatron-bf16"):
            problems.append(not_modelled("precision", self.precision, "method", self.method))
        if self.optimizer_step == "in-backward" and self.gradient_accumulation_steps > 1:
            steps = self.gradient_accumulation_steps
            problems.append(not_modelled("optimizer_step", "in-backward", "steps", steps))
        if problems:
            raise InputError(problems)


def not_modelled(name: str, value: object, *with_other: object) -> Problem:
    """The setting ``name`` at ``value`` (together with another one) is not modelled."""
    text = " ".join(str(part) for part in (value, *with_other))
    return Problem("not_modelled", name, {"text": text[:60]})
