"""Every model type that is read here counts as the model that Transformers builds of it."""

from typing import Any

import oracle
import pytest

from calculator.configuration import read_configuration
from calculator.configuration.classes import classes
from calculator.parameters.count import count

# what classes need that have no default which makes a model, and more layers than do it
NEEDED: dict[str, dict[str, Any]] = {
    "deepseek_v2": {"num_experts_per_tok": 6},
    "dots1": {"n_routed_experts": 32, "num_experts_per_tok": 4, "n_shared_experts": 2},
    "glm4_moe": {"head_dim": 128},
    "glm4v_moe_text": {"head_dim": 128},
    "hunyuan_v1_dense": {"head_dim": 128},
    "ministral": {"head_dim": 128},
    "nemotron": {"num_key_value_heads": 8},
}
# flags that these classes refuse, or that take more than the flag
REFUSED = {("internlm3", "bias"), ("internlm3", "qkv_bias")}
# its own defaults make no model in this version of Transformers
TYPES = [id for id in classes() if oracle.knows(id) and id != "dbrx"]


def cases() -> list[tuple[str, str]]:
    """Each type as it is, and with each of its flags turned."""
    return [
        (id, flag)
        for id in TYPES
        for flag in ("", *classes()[id].when, *classes()[id].unless, "tie_word_embeddings")
        if (id, flag) not in REFUSED
    ]


@pytest.mark.parametrize(("model_type", "flag"), cases())
def test_class_defaults_and_flags(model_type: str, flag: str) -> None:
    """A file with only its type, or one flag turned, counts as what Transformers makes of it."""
    config = {"model_type": model_type, **NEEDED.get(model_type, {})}
    if flag:
        config[flag] = not classes()[model_type].defaults.get(flag, False)
    ours = count(read_configuration(config).architecture).total
    assert ours == oracle.parameters(oracle.build(config))
