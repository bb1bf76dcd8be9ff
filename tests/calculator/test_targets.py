"""Adapters on a model's modules, against PEFT's own counts."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import calculator
from calculator.errors import InputError
from calculator.models import find_model
from calculator.targets import PRESETS, adapted_modules

ROWS = tomllib.loads(Path(__file__).with_name("adapters.toml").read_text(encoding="utf-8"))["row"]


def parameters(model: str, targets: Any, rank: int, **how: Any) -> int:
    """What adapters of one rank add to a model of the catalogue."""
    shape = find_model(model).architecture
    return sum(each.parameters for each in adapted_modules(shape, targets, rank, **how))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["repository"])
def test_published_counts(row: dict[str, Any]) -> None:
    """Each preset gives PEFT's count, at any rank."""
    for preset in PRESETS:
        for rank in (1, 8, 16):
            assert parameters(row["repository"], preset, rank) == rank * row[preset]


@pytest.mark.parametrize(
    ("model", "targets", "rank", "count"),
    [
        ("llama-2-7b", "qv", 8, 4_194_304),  # PEFT's own log, in many places
        ("llama-2-7b", "all-linear", 16, 39_976_960),
        ("llama-3.1-8b", "all-linear", 8, 20_971_520),
        ("mixtral-8x7b-v0.1", "all-linear", 8, 179_832_832),  # PEFT 0.21.2, experts converted
        ("qwen3-30b-a3b", "all-linear", 8, 498_253_824),
        ("deepseek-v3", "all-linear", 8, 3_822_627_328),
        ("qwen1.5-moe-a2.7b", ("q_proj", "down_proj"), 8, 2_260_992),
    ],
)
def test_counts_by_peft(model: str, targets: Any, rank: int, count: int) -> None:
    """Counts that PEFT printed, experts and named modules among them."""
    assert parameters(model, targets, rank) == count


def test_fused_projections() -> None:
    """Fused matrices (Phi-3, GPT-2) count as one; a name that two layers end in takes both."""
    shape = find_model("phi-3-mini-4k-instruct").architecture
    (fused,) = adapted_modules(shape, ["qkv_proj"], 8)
    assert (fused.rows, fused.columns) == (3 * 3072, 3072)
    gpt2 = find_model("openai-community/gpt2").architecture
    assert parameters("openai-community/gpt2", ["c_attn"], 8) == 8 * (768 + 3 * 768) * 12
    assert [each.name for each in adapted_modules(gpt2, ["c_proj"], 8)] == [
        "attn.c_proj",
        "mlp.c_proj",
    ]


def test_variants() -> None:
    """DoRA adds a magnitude a row, a pattern changes some ranks, saved modules count whole."""
    plain = parameters("llama-3.1-8b", "qv", 8)
    assert parameters("llama-3.1-8b", "qv", 8, dora=True) == plain + 32 * (4096 + 1024)
    pattern = parameters("llama-3.1-8b", "qv", 8, rank_pattern={"v_proj": 16})
    assert pattern == plain + 32 * 8 * (4096 + 1024)
    saved = parameters("llama-3.1-8b", "qv", 8, modules_to_save=["lm_head"])
    assert saved == plain + 128_256 * 4096
    assert parameters("llama-3.1-8b", ["embed_tokens"], 8) == 8 * (128_256 + 4096)


def test_rslora_adds_nothing() -> None:
    """rsLoRA changes the scaling alone; DoRA does not leave the count as it is."""
    plain = {"calculator": "lora", "model": "llama-3.1-8b", "lora_rank": 8}
    count = calculator.estimate(plain).parameters_trainable
    rslora, dora = ({**plain, key: True} for key in ("use_rslora", "use_dora"))
    assert calculator.estimate(rslora).parameters_trainable == count
    assert calculator.estimate(dora).parameters_trainable > count


@pytest.mark.parametrize(
    ("field", "how"),
    [
        ("target_modules", {"targets": ["q_prj"]}),
        ("rank_pattern", {"targets": "qv", "rank_pattern": {"nope": 4}}),
        ("modules_to_save", {"targets": "qv", "modules_to_save": ["head"]}),
    ],
)
def test_unknown_modules(field: str, how: dict[str, Any]) -> None:
    """A name that no module has is refused, with the nearest that one has."""
    shape = find_model("llama-3.1-8b").architecture
    with pytest.raises(InputError) as caught:
        adapted_modules(shape, how.pop("targets"), 8, **how)
    (problem,) = caught.value.problems
    assert (problem.code, problem.field) == ("unknown_module", field)
    assert problem.params["nearest"]
