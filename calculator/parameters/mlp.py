"""The MLP of dense layers, and experts with their router."""

from __future__ import annotations

from calculator.architecture import Architecture
from calculator.parameters.names import mlp_names, router_is_linear
from calculator.parameters.tensors import Tensor


def mlp(model: Architecture) -> list[Tensor]:
    """The matrices of every layer's MLP, experts among them."""
    found = []
    if model.dense_layers:
        found += _matrices(model, model.intermediate_size, model.dense_layers, "mlp")
    if model.activation_scalars:
        found.append(
            Tensor("act_fn", "mlp", model.activation_scalars, copies=model.num_hidden_layers)
        )
    return found + _experts(model)


def _matrices(model: Architecture, width: int, copies: int, part: str) -> list[Tensor]:
    """3 x h x I with a gate (SwiGLU, arXiv:2002.05202), 2 x h x I without."""
    hidden = model.hidden_size
    names = mlp_names(model.family)
    inward = [width] * (len(names) - 1)
    if model.gated and len(names) == 2:
        inward = [2 * width]
    elif not model.gated and len(names) == 3:
        names, inward = names[1:], [width]
    shapes = [(rows, hidden) for rows in inward] + [(hidden, width)]
    return [
        Tensor(name, part, rows, columns, copies=copies, linear=True, bias=model.mlp_bias)
        for name, (rows, columns) in zip(names, shapes, strict=True)
    ]


def _experts(model: Architecture) -> list[Tensor]:
    """E x 3 x h x I_e a layer, k of E active, with router and shared experts.

    Transformers keeps the experts of a layer in two three-dimensional parameters, gate and up
    in one; they are no linear layers, so that PEFT's ``all-linear`` leaves them out.
    Source: Mixtral, arXiv:2401.04088, section 2.1; DeepSeekMoE, arXiv:2401.06066.
    """
    layers = model.expert_layers
    if not layers:
        return []
    hidden, width, experts = model.hidden_size, model.moe_intermediate_size, model.num_experts
    copies, active = layers * experts, layers * model.experts_per_token
    found = [
        Tensor(name, "experts", rows, columns, copies, active, bias=model.expert_bias)
        for name, rows, columns in (
            ("experts.gate_up_proj", 2 * width, hidden),
            ("experts.down_proj", hidden, width),
        )
    ]
    found.append(
        Tensor(
            "router", "experts", experts, hidden, layers,
            linear=router_is_linear(model.family), bias=model.router_linear_bias,
        )
    )  # fmt: skip
    if model.router_score_bias:
        found.append(Tensor("router_score_bias", "experts", experts, copies=layers))
    if model.num_shared_experts:
        shared = model.shared_expert_intermediate_size
        found += _matrices(model, shared, layers, "experts")
    if model.shared_expert_gate:
        found.append(Tensor("shared_expert_gate", "experts", 1, hidden, layers, linear=True))
    return found
