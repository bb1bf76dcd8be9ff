"""Dimensions edited by hand: what follows, what stays, what is refused."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from calculator.architecture import Architecture
from calculator.configuration import apply_overrides
from calculator.configuration.dimensions import DIMENSIONS
from calculator.configuration.overrides import FLAGS, WORDS
from calculator.errors import InputError, Problem
from calculator.models import models
from calculator.report import messages

BASE = models()["llama-3.1-8b"].architecture


def refusal(over: Any) -> tuple[Problem, ...]:
    """What an override of the base model is refused with, in words of both languages."""
    with pytest.raises(InputError) as caught:
        apply_overrides(BASE, over)
    for problem in caught.value.problems:
        assert all(len(messages.line(problem, language)) < 400 for language in ("it", "en"))
    return caught.value.problems


def changed(model: Architecture, **over: Any) -> dict[str, Any]:
    """The fields that an override moved."""
    before, after = asdict(model), asdict(apply_overrides(model, over))
    return {name: value for name, value in after.items() if value != before[name]}


def catalogue_rows() -> Iterator[Architecture]:
    """One model of each family."""
    seen: set[str] = set()
    for model in models().values():
        if model.architecture.family not in seen:
            seen.add(model.architecture.family)
            yield model.architecture


@pytest.mark.parametrize("model", [*catalogue_rows()], ids=lambda model: model.family)
def test_overriding_nothing_changes_nothing(model: Architecture) -> None:
    """No override, or one with the value that is there already, gives the same model."""
    assert apply_overrides(model, {}) == model
    same = {name: getattr(model, name) for name in ("hidden_size", "num_attention_heads")}
    assert apply_overrides(model, same) == model


def test_overrides_by_either_name() -> None:
    """A dimension goes by our name or Hugging Face's, a flag by its own."""
    assert changed(BASE, num_hidden_layers=16) == {"num_hidden_layers": 16}
    assert changed(BASE, n_layer=16) == {"num_hidden_layers": 16}
    assert changed(BASE, tie_word_embeddings=True) == {"tie_word_embeddings": True}
    assert changed(BASE, attention_bias=True) == {"attention_bias": "qkvo"}
    assert changed(BASE, norm_type="layernorm") == {"norm_type": "layernorm"}


def test_what_was_derived_follows() -> None:
    """Derived dimensions follow the one they came from; those chosen apart stay."""
    assert changed(BASE, hidden_size=8192) == {"hidden_size": 8192, "head_dim": 256}
    assert changed(BASE, num_attention_heads=64) == {"num_attention_heads": 64, "head_dim": 64}
    assert changed(BASE, hidden_size=8192, head_dim=128) == {"hidden_size": 8192}
    gpt2 = models()["gpt2"].architecture
    assert changed(gpt2, n_positions=2048) == {
        "max_position_embeddings": 2048,
        "learned_positions": 2048,
    }
    heads = changed(gpt2, num_attention_heads=6)
    assert heads == {"num_attention_heads": 6, "num_key_value_heads": 6, "head_dim": 128}
    opt = models()["opt-125m"].architecture
    assert changed(opt, max_position_embeddings=1024)["learned_positions"] == 1026
    # 32 heads of 128 in a hidden size of 2048: a size of its own
    qwen = models()["qwen3-30b-a3b"].architecture
    assert changed(qwen, hidden_size=4096) == {"hidden_size": 4096}
    mixtral = models()["mixtral-8x7b-v0.1"].architecture
    assert changed(mixtral, intermediate_size=7168)["moe_intermediate_size"] == 7168
    deepseek = models()["deepseek-v3"].architecture
    assert changed(deepseek, n_shared_experts=2)["shared_expert_intermediate_size"] == 4096
    assert changed(deepseek, num_experts_per_tok=4) == {"experts_per_token": 4}


def test_overrides_that_are_refused() -> None:
    """Unknown names are met with the nearest, bad values and misfits with their reason."""
    (problem,) = refusal({"num_hidden_layer": 16})
    assert (problem.code, problem.params["nearest"]) == ("unknown_key", "num_hidden_layers")
    for over, code in (
        ({"tie_word_embeddings": 1}, "config_not_a_flag"),
        ({"norm_type": "batchnorm"}, "config_not_a_choice"),
        ({"mlp_type": ["swiglu"]}, "config_not_a_choice"),
        ({"hidden_size": 4097}, "config_uneven"),
        ({"num_key_value_heads": 3}, "config_uneven"),
        ({"num_experts": 8}, "config_missing"),
        ({"kv_lora_rank": 512}, "config_missing"),
        ({"k" * 1_000_000: 1}, "unknown_key"),
        ({7: 1}, "unknown_key"),
        ([], "config_not_an_object"),
    ):
        problems = refusal(over)
        assert [problem.code for problem in problems] == [code], over
        assert problems[0].field == "overrides"
    both = refusal({"hidden_size": 0, "nonsense": 1})
    assert [problem.code for problem in both] == ["config_out_of_bounds", "unknown_key"]


@pytest.mark.parametrize("name", ["hidden_size", "n_layer", "vocab_size", "head_dim"])
@pytest.mark.parametrize(
    ("value", "code"),
    [
        (0, "config_out_of_bounds"),
        (10**4000, "config_out_of_bounds"),
        (-(10**400_000), "config_out_of_bounds"),
        (16.0, "config_not_whole"),
        (float("nan"), "config_not_whole"),
        (True, "config_not_whole"),
        (None, "config_not_whole"),
        ("9" * 1_000_000, "config_not_whole"),
        ([16] * 1000, "config_not_whole"),
    ],
    ids=range(9),
)
def test_hostile_values(name: str, value: Any, code: str) -> None:
    """A value that is no whole number within bounds is refused, naming the field as typed."""
    (problem,) = refusal({name: value})
    assert (problem.code, problem.field, problem.params["name"]) == (code, "overrides", name)


def test_every_field_can_be_overridden() -> None:
    """Every field of an architecture but its family and what follows has a name here."""
    derived = {"family", "position", "learned_positions", "activation_scalars"}
    names = {*DIMENSIONS, *FLAGS, *WORDS}
    assert Architecture.__dataclass_fields__.keys() - names == derived
