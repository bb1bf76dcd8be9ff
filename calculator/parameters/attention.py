"""Attention's projections: grouped queries (multi-head and multi-query among them), and latent."""

from __future__ import annotations

from calculator.architecture import Architecture
from calculator.parameters.names import attention_names
from calculator.parameters.tensors import Tensor


def attention(model: Architecture) -> list[Tensor]:
    """The matrices of every layer's attention, and the learned sinks where there are some."""
    found = _latent(model) if model.kv_lora_rank else _grouped(model)
    if model.attention_sinks:  # gpt-oss: a logit a head that attends to nothing
        layers = model.num_hidden_layers
        found.append(Tensor("sinks", "attention", model.num_attention_heads, copies=layers))
    return found


def _grouped(model: Architecture) -> list[Tensor]:
    """L x (h x ad + 2 x h x kd + ad x h), as four matrices or with the first three in one.

    Source: GQA, arXiv:2305.13245, section 2.2; k = a is multi-head, k = 1 multi-query.
    """
    hidden, queries, keys = model.hidden_size, model.query_width, model.key_value_width
    names = attention_names(model.family)
    inward = [queries, keys, keys] if len(names) == 4 else [queries + 2 * keys]
    inward_bias = model.attention_bias.startswith("qkv")
    shapes = [(rows, hidden, inward_bias) for rows in inward]
    shapes.append((hidden, queries, model.attention_bias.endswith("o")))
    return [
        Tensor(
            name, "attention", rows, columns,
            copies=model.num_hidden_layers, linear=True, bias=bias,
        )
        for name, (rows, columns, bias) in zip(names, shapes, strict=True)
    ]  # fmt: skip


def _latent(model: Architecture) -> list[Tensor]:
    """Multi-head latent attention: queries, keys and values through low ranks.

    L x (h r_q + r_q a (d_n + d_r) + h (r_kv + d_r) + r_kv a (d_n + d_v) + a d_v h); without a
    query rank the first two are one h x a (d_n + d_r). Biases, where a model has them, stand on
    the projections that read or write the hidden state through a rank.
    Source: DeepSeek-V2, arXiv:2405.04434, section 2.1.
    """
    hidden, heads = model.hidden_size, model.num_attention_heads
    query_width = heads * (model.qk_nope_head_dim + model.qk_rope_head_dim)
    bias = model.attention_bias != "none"
    if model.q_lora_rank:
        shapes = [
            ("q_a_proj", model.q_lora_rank, hidden, bias),
            ("q_b_proj", query_width, model.q_lora_rank, False),
        ]
    else:
        shapes = [("q_proj", query_width, hidden, False)]
    key_value = heads * (model.qk_nope_head_dim + model.v_head_dim)
    shapes += [
        ("kv_a_proj_with_mqa", model.kv_lora_rank + model.qk_rope_head_dim, hidden, bias),
        ("kv_b_proj", key_value, model.kv_lora_rank, False),
        ("o_proj", hidden, heads * model.v_head_dim, bias),
    ]
    return [
        Tensor(
            name, "attention", rows, columns,
            copies=model.num_hidden_layers, linear=True, bias=has_bias,
        )
        for name, rows, columns, has_bias in shapes
    ]  # fmt: skip
