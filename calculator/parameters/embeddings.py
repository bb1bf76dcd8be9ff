"""Token and position tables, and the head."""

from __future__ import annotations

from calculator.architecture import Architecture
from calculator.parameters.tensors import Tensor


def embeddings(model: Architecture) -> list[Tensor]:
    """V x h tokens, learned positions where there are some, and the head unless it is tied.

    OPT-350M keeps narrower embeddings (``word_embed_proj_dim``) with a projection each way.
    """
    width = model.word_embed_proj_dim or model.hidden_size
    found = [Tensor("embed_tokens", "embedding", model.vocab_size, width)]
    if model.learned_positions:
        found.append(
            Tensor("embed_positions", "embedding", model.learned_positions, model.hidden_size)
        )
    if model.word_embed_proj_dim:
        found += [
            Tensor("project_in", "embedding", model.hidden_size, width, linear=True),
            Tensor("project_out", "embedding", width, model.hidden_size, linear=True),
        ]
    if not model.tie_word_embeddings:
        found.append(
            Tensor("lm_head", "head", model.vocab_size, width, linear=True, bias=model.lm_head_bias)
        )
    elif model.lm_head_bias:  # ties the weights, and keeps a bias of its own
        found.append(Tensor("lm_head_bias", "head", model.vocab_size))
    return found
