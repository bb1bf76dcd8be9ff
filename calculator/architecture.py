"""A model's dimensions: what a catalogue row or a configuration file says, and nothing computed."""

from __future__ import annotations

from dataclasses import dataclass

GATED = ("swiglu", "geglu")


@dataclass(frozen=True)
class Architecture:
    """The shape of a decoder-only text model.

    Names are those of Hugging Face configurations where they have one. Zero means "has none":
    ``num_experts``, ``q_lora_rank``, ``learned_positions`` and so on.

    * ``attention_bias``: ``none``, ``qkv``, ``qkvo`` or ``o``, the projections that carry a bias;
    * ``qk_norm``: ``none``, ``per_head`` (weights of one head), ``per_head_bias`` (and biases) or
      ``full`` (weights of all heads);
    * ``norm_type``: ``rmsnorm``, ``layernorm`` (weight and bias), ``layernorm_nobias`` or
      ``nonparametric``; ``norms_per_layer`` leaves out the norms of queries and keys;
    * ``mlp_type``: ``swiglu`` and ``geglu`` have a gate, ``gelu`` and ``relu`` none;
      ``activation_scalars`` is what the activation itself learns in a layer (xIELU: two);
    * ``first_k_dense_layers`` and ``moe_layer_step`` tell which layers have experts: of those
      after the first k, every ``moe_layer_step``-th;
    * ``kv_lora_rank`` above zero means multi-head latent attention.
    """

    family: str
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    intermediate_size: int
    vocab_size: int
    tie_word_embeddings: bool
    max_position_embeddings: int = 0
    mlp_type: str = "swiglu"
    mlp_bias: bool = False
    activation_scalars: int = 0
    attention_bias: str = "none"
    lm_head_bias: bool = False
    qk_norm: str = "none"
    norm_type: str = "rmsnorm"
    norms_per_layer: int = 2
    final_norm: bool = True
    position: str = "rope"
    learned_positions: int = 0
    embedding_norm: bool = False
    word_embed_proj_dim: int = 0
    num_experts: int = 0
    experts_per_token: int = 0
    moe_intermediate_size: int = 0
    num_shared_experts: int = 0
    shared_expert_intermediate_size: int = 0
    shared_expert_gate: bool = False
    first_k_dense_layers: int = 0
    moe_layer_step: int = 1
    router_score_bias: bool = False
    router_linear_bias: bool = False
    expert_bias: bool = False
    q_lora_rank: int = 0
    kv_lora_rank: int = 0
    qk_nope_head_dim: int = 0
    qk_rope_head_dim: int = 0
    v_head_dim: int = 0
    attention_sinks: bool = False
    sliding_window: int = 0

    @property
    def gated(self) -> bool:
        """Whether the MLP has a gate beside the projection up."""
        return self.mlp_type in GATED

    @property
    def expert_layers(self) -> int:
        """How many layers have experts in place of one MLP."""
        if not self.num_experts:
            return 0
        return (self.num_hidden_layers - self.first_k_dense_layers) // self.moe_layer_step

    @property
    def dense_layers(self) -> int:
        """How many layers have an ordinary MLP."""
        return self.num_hidden_layers - self.expert_layers

    @property
    def query_width(self) -> int:
        """Width of all queries together."""
        return self.num_attention_heads * self.head_dim

    @property
    def key_value_width(self) -> int:
        """Width of all keys (or values) together."""
        return self.num_key_value_heads * self.head_dim
