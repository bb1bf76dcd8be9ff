"""The dimensions that a configuration may give: their bounds, and what else they are called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dimension:
    """A whole number within bounds; ``keys`` are its usual names in files, the first one first."""

    minimum: int
    maximum: int
    keys: tuple[str, ...] = ()


def _dimension(minimum: int, maximum: int, *keys: str) -> Dimension:
    return Dimension(minimum, maximum, keys)


# Ten to a hundred times what any published model has, so that sums stay small and quick.
DIMENSIONS: dict[str, Dimension] = {
    "hidden_size": _dimension(1, 10**6, "hidden_size", "n_embd", "d_model", "n_embed"),
    "num_hidden_layers": _dimension(
        1, 10**4, "num_hidden_layers", "n_layer", "n_layers", "num_layers"
    ),
    "num_attention_heads": _dimension(
        1, 10**5, "num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"
    ),
    "num_key_value_heads": _dimension(
        1, 10**5, "num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads"
    ),
    "head_dim": _dimension(1, 10**5, "head_dim", "kv_channels"),
    "intermediate_size": _dimension(
        1, 10**7, "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"
    ),
    "vocab_size": _dimension(1, 10**8, "vocab_size"),
    "max_position_embeddings": _dimension(
        1, 10**9, "max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx"
    ),
    "sliding_window": _dimension(0, 10**9, "sliding_window"),
    "word_embed_proj_dim": _dimension(0, 10**6, "word_embed_proj_dim"),
    "num_experts": _dimension(
        0, 10**5, "num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"
    ),
    "experts_per_token": _dimension(
        0, 10**5,
        "num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_k", "moe_topk",
    ),
    "moe_intermediate_size": _dimension(0, 10**7, "moe_intermediate_size"),
    "num_shared_experts": _dimension(
        0, 10**4, "num_shared_experts", "n_shared_experts", "moe_num_shared_experts"
    ),
    "shared_expert_intermediate_size": _dimension(0, 10**7, "shared_expert_intermediate_size"),
    "first_k_dense_layers": _dimension(
        0, 10**4, "first_k_dense_layers", "first_k_dense_replace", "num_dense_layers"
    ),
    "moe_layer_step": _dimension(
        1, 10**4,
        "moe_layer_step", "decoder_sparse_step", "interleave_moe_layer_step",
        "moe_layer_interval", "moe_layer_freq",
    ),
    "q_lora_rank": _dimension(0, 10**6, "q_lora_rank"),
    "kv_lora_rank": _dimension(0, 10**6, "kv_lora_rank"),
    "qk_nope_head_dim": _dimension(0, 10**5, "qk_nope_head_dim"),
    "qk_rope_head_dim": _dimension(0, 10**5, "qk_rope_head_dim"),
    "v_head_dim": _dimension(0, 10**5, "v_head_dim"),
    "norms_per_layer": _dimension(0, 8),
}  # fmt: skip

# what every model has; the rest can be derived or is a thing that some models have
REQUIRED = (
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
)  # fmt: skip
