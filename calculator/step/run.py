"""What precision and method make of a model: the widths of its values, and what is trained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from calculator.architecture import Architecture
from calculator.errors import InputError
from calculator.step.settings import TrainingSettings, not_modelled
from calculator.step.traits import Traits, traits_of
from calculator.targets import Adapted, adapted_modules


@dataclass(frozen=True)
class Run:
    """A model, its settings, and the widths that follow; widths are bytes a value.

    * ``parameter``: weights as they are stored (quantised ones apart);
    * ``compute``: what matmuls read and write;
    * ``stream``: the residual stream between blocks;
    * ``projected``: outputs of linear layers as the next operator sees them: 4-bit layers
      give back their input's width, all others the width of the computation;
    * ``adapters``: LoRA's modules by name, empty in full fine-tuning.
    """

    model: Architecture
    settings: TrainingSettings
    traits: Traits
    parameter: int
    compute: int
    stream: int
    autocast: bool
    adapters: Mapping[str, Adapted]

    @property
    def trained(self) -> bool:
        """Whether the model's own weights are trained."""
        return self.settings.method == "full"

    @property
    def quantized(self) -> bool:
        return self.settings.method == "qlora"

    @property
    def prepared(self) -> bool:
        """Whether ``prepare_model_for_kbit_training`` made all that is not quantised fp32."""
        return self.quantized and self.settings.prepare_kbit

    @property
    def projected(self) -> int:
        return self.stream if self.quantized else self.compute

    @property
    def tokens(self) -> int:
        return self.settings.micro_batch_size * self.settings.sequence_length

    @property
    def fused(self) -> bool:
        """Whether norms and activations are fused kernels."""
        return self.settings.kernels == "fused"

    @property
    def checkpointed(self) -> bool:
        return self.settings.activation_checkpointing == "full"


def make_run(model: Architecture, settings: TrainingSettings) -> Run:
    """The run of ``model``. Raises :class:`InputError`, naming the settings not modelled."""
    settings.check()
    traits = traits_of(model)
    full = settings.method == "full"
    if model.num_experts and full and settings.precision in ("amp-bf16", "amp-fp16", "fp32"):
        # transformers 5.24's grouped product takes 16-bit weights alone
        raise InputError(not_modelled("precision", settings.precision, "experts"))
    autocast = settings.precision.startswith("amp-")
    if full:
        parameter = 4 if autocast or settings.precision == "fp32" else 2
    else:
        wide = settings.base_dtype == "fp32" or settings.precision == "fp32"
        parameter = 4 if wide and settings.method == "lora" else 2
    compute = 2 if autocast else parameter
    prepared = settings.method == "qlora" and settings.prepare_kbit
    stream = 4 if prepared else parameter
    modules: dict[str, Adapted] = {}
    if not full:
        found = adapted_modules(model, settings.target_modules, settings.lora_rank)
        if any(module.part in ("experts", "embedding", "head") for module in found):
            raise InputError(not_modelled("target_modules", settings.target_modules))
        modules = {module.name: module for module in found}
    return Run(model, settings, traits, parameter, compute, stream, autocast, modules)
