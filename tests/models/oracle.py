"""Models as Transformers builds them from a configuration alone: no weights, no memory."""

import inspect
import os
import warnings
from collections import Counter
from typing import Any

os.environ["TRANSFORMERS_VERBOSITY"] = "error"

import torch
from peft import LoraConfig, get_peft_model
from transformers import CONFIG_MAPPING, AutoModel, AutoModelForCausalLM
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
from transformers.pytorch_utils import Conv1D

# the bias that balances experts' load is trained by its own rule, and kept as a buffer
_SCORE_BIAS = ("e_score_correction_bias", "correction_bias", "expert_bias")


def knows(model_type: str) -> bool:
    """Whether Transformers has the type."""
    return model_type in CONFIG_MAPPING


def class_of(model_type: str) -> Any:
    """The configuration class of a type."""
    return CONFIG_MAPPING[model_type]


def keys_of(model_type: str) -> set[str]:
    """The keys that a type's class takes: its fields, and other names for them."""
    cls = class_of(model_type)
    names = {name for each in cls.__mro__ for name in vars(each)}
    computed = {
        name for name in names if isinstance(inspect.getattr_static(cls, name, None), property)
    }
    return (names | set(getattr(cls, "attribute_map", {}))) - computed


def build(config: dict[str, Any]) -> torch.nn.Module:
    """The causal language model of a configuration, on the meta device.

    The text parts of multimodal models have no such class: theirs gets a head put on.
    """
    fields = {key: value for key, value in config.items() if key != "model_type"}
    built = class_of(config["model_type"])(**fields)
    with torch.device("meta"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if config["model_type"] in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
            model = AutoModelForCausalLM.from_config(built)
            model.tie_weights()
            return model
        text = getattr(built, "text_config", built)
        model = AutoModel.from_config(text)
        if not getattr(built, "tie_word_embeddings", False):
            model.lm_head = torch.nn.Linear(text.hidden_size, text.vocab_size, bias=False)
        return model


def parameters(model: torch.nn.Module) -> int:
    """All parameters, shared ones once, and the routers' score biases."""
    buffers = (value for name, value in model.named_buffers() if name.endswith(_SCORE_BIAS))
    return sum(p.numel() for p in model.parameters()) + sum(b.numel() for b in buffers)


def linear_layers(model: torch.nn.Module) -> Counter[tuple[str, int, int, bool]]:
    """How many linear layers there are by name, outputs, inputs and whether they have a bias."""
    found: Counter[tuple[str, int, int, bool]] = Counter()
    for name, module in model.named_modules():
        if isinstance(module, (torch.nn.Linear, Conv1D)):
            rows, columns = module.weight.shape
            if isinstance(module, Conv1D):  # keeps its weight the other way round
                rows, columns = columns, rows
            found[name.rpartition(".")[2], rows, columns, module.bias is not None] += 1
    return found


def trainable(model: torch.nn.Module, targets: str | list[str], rank: int) -> int:
    """The parameters that PEFT trains: `print_trainable_parameters` prints them."""
    config = LoraConfig(r=rank, target_modules=targets, task_type="CAUSAL_LM")
    with torch.device("meta"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adapted = get_peft_model(model, config)
        count, _ = adapted.get_nb_trainable_parameters()
    return int(count)
