"""Normalisation weights: of layers, of queries and keys, of latent ranks, and the last one."""

from __future__ import annotations

from calculator.architecture import Architecture
from calculator.parameters.tensors import Tensor

# vectors of the normalised width that a norm keeps
_VECTORS = {"rmsnorm": 1, "layernorm": 2, "layernorm_nobias": 1, "nonparametric": 0}


def norms(model: Architecture) -> list[Tensor]:
    """(norms_per_layer x L + 1) x h weights, twice that for LayerNorm with biases, and the rest."""
    vectors, layers = _VECTORS[model.norm_type], model.num_hidden_layers
    hidden = model.hidden_size
    count = model.norms_per_layer * layers + model.final_norm + model.embedding_norm
    found = [Tensor("norm", "norms", vectors * hidden, copies=count)]
    if model.qk_norm.startswith("per_head"):
        each = 2 if model.qk_norm == "per_head_bias" else 1
        found.append(Tensor("qk_norm", "norms", 2 * each * model.head_dim, copies=layers))
    elif model.qk_norm == "full":
        width = model.query_width + model.key_value_width
        found.append(Tensor("qk_norm", "norms", width, copies=layers))
    if model.kv_lora_rank:
        width = model.q_lora_rank + model.kv_lora_rank
        found.append(Tensor("latent_norm", "norms", width, copies=layers))
    return found
