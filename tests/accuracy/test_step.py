"""What must hold between estimates of a training step, and the field's usual mistakes."""

from dataclasses import replace
from typing import Any

import pytest

from calculator.errors import InputError
from calculator.models import find_model
from calculator.step import Step, TrainingSettings, training_step

BASE = TrainingSettings(precision="bf16", attention="sdpa")


def step(model: str = "llama-3.1-8b", **settings: Any) -> Step:
    return training_step(find_model(model).architecture, replace(BASE, **settings))


def peak(model: str = "llama-3.1-8b", **settings: Any) -> int:
    return step(model, **settings).peak.bytes


def layer(model: str = "llama-3.1-8b", **settings: Any) -> dict[str, int]:
    """Bytes of each tensor that a layer keeps."""
    return {tensor.name: tensor.bytes for tensor in step(model, **settings).layer}


MODELS = (
    "gpt2", "opt-1.3b", "pythia-1.4b", "llama-2-7b", "llama-3.1-8b", "qwen2.5-0.5b", "qwen3-8b",
    "gemma-2-2b", "gemma-3-4b-it", "phi-3-mini-4k-instruct", "mixtral-8x7b-v0.1",
)  # fmt: skip
DENSE = MODELS[:-1]


@pytest.mark.parametrize("model", MODELS)
def test_terms_sum_to_the_phase_and_none_is_negative(model: str) -> None:
    """Each phase's terms are whole, positive, and sum to it; the peak is the largest."""
    found = step(model, gradient_accumulation_steps=2)
    for phase in found.phases:
        assert all(isinstance(size, int) and size > 0 for size in phase.terms.values())
        assert phase.bytes == sum(phase.terms.values())
    assert found.peak.bytes == max(phase.bytes for phase in found.phases)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("checkpointing", ["none", "full"])
def test_more_tokens_never_take_less(model: str, checkpointing: str) -> None:
    """Longer sequences and larger batches, in steps that cross every window."""
    settings = {"activation_checkpointing": checkpointing}
    lengths = (1, 128, 1000, 1024, 2047, 2048, 4096, 8192)
    sizes = [peak(model, sequence_length=length, **settings) for length in lengths]
    assert sizes == sorted(sizes)
    sizes = [peak(model, micro_batch_size=size, **settings) for size in (1, 2, 3, 8)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("model", DENSE)
@pytest.mark.parametrize("precision", ["bf16", "amp-bf16", "fp32"])
def test_checkpointing_never_takes_more(model: str, precision: str) -> None:
    """None, selective, full: each no more than the one before. Where states alone make the peak,
    full may add what it holds besides: one layer's input, and eager attention's masks."""
    architecture = find_model(model).architecture
    for tokens in (128, 2048):
        none, selective, full = (
            peak(
                model,
                precision=precision,
                sequence_length=tokens,
                activation_checkpointing=kind,
            )
            for kind in ("none", "selective", "full")
        )
        held = 4 * tokens * (architecture.hidden_size + 2 * tokens)
        assert selective <= none
        assert full <= none + held


@pytest.mark.parametrize("model", DENSE)
def test_qlora_takes_less_than_lora_and_lora_less_than_full(model: str) -> None:
    """With checkpointing, short sequences and the base left as it is."""
    settings: dict[str, Any] = {
        "precision": "amp-bf16", "sequence_length": 512, "activation_checkpointing": "full",
    }  # fmt: skip
    qlora = peak(model, method="qlora", prepare_kbit=False, **settings)
    assert qlora < peak(model, method="lora", **settings) < peak(model, **settings)


def test_lora_on_everything_can_keep_more_than_full_training() -> None:
    """Llama-2-7B, 2,048 tokens: adapters on all linear layers, each with an fp32 input of its own,
    keep more than full training; on queries and values alone less."""
    full, every, some = (
        step("llama-2-7b", **more).phases[1].terms["activations"]
        for more in (
            {},
            {"method": "lora"},
            {"method": "lora", "target_modules": "qv"},
        )
    )
    assert some < full < every


def test_the_rank_hardly_matters() -> None:
    """Eight times the rank takes less than 6 % more."""
    small, large = (peak(method="lora", lora_rank=rank) for rank in (8, 64))
    assert small < large < 1.06 * small


def test_foreach_is_fused_and_one_more_state() -> None:
    """At the optimizer's step, 2 bytes a parameter in bf16 and 4 in fp32."""
    for precision, width in (("bf16", 2), ("fp32", 4)):
        fused, foreach = (
            step(precision=precision, optimizer_step=kernel).phases[-1].bytes
            for kernel in ("fused", "foreach")
        )
        assert foreach - fused == pytest.approx(width * 8_030_261_248, rel=1e-4)


def test_selective_is_not_full() -> None:
    """With flash attention nothing is left to recompute: selective keeps what none keeps."""
    assert peak(activation_checkpointing="selective") == peak()
    eager = {"attention": "eager"}
    saved = layer(**eager)
    selective = layer(**eager, activation_checkpointing="selective")
    assert sum(saved.values()) - sum(selective.values()) == 6 * 32 * 2048**2


def test_no_cache_of_keys_and_values() -> None:
    """Training has no such term, whatever the length."""
    assert not any("cache" in name for phase in step().phases for name in phase.terms)


def test_a_gated_mlp_keeps_four_tensors_of_its_width() -> None:
    """8 I bytes a token: gate, its activation, up, and their product."""
    wide = [size for size in layer().values() if size == 2048 * 14336 * 2]
    assert len(wide) == 4


def test_states_count_all_experts_and_activations_only_those_used() -> None:
    """Mixtral: gradients of 46.7 billion, and tensors of 2 of 8 experts a token."""
    found = step("mixtral-8x7b-v0.1")
    assert found.phases[-1].terms["gradients"] == pytest.approx(2 * 46.7e9, rel=1e-3)
    names = {tensor.name: tensor.bytes for tensor in found.layer}
    assert names["experts.product"] == 2048 * 2 * 14336 * 2


def test_tied_embeddings_count_once_but_their_gradient_twice_for_a_moment() -> None:
    """Llama-3.2-1B: weights without a second matrix, backward's end with a second gradient."""
    found = {phase.id: phase for phase in step("llama-3.2-1b").phases}
    assert found["after_load"].terms["weights"] == pytest.approx(2 * 1_235_814_400, rel=1e-4)
    assert found["backward_end"].terms["temporaries"] >= 2 * 128256 * 2048


@pytest.mark.parametrize("model", ["gemma-3-4b-it", "qwen3-8b"])
def test_the_width_of_heads_is_the_models_own(model: str) -> None:
    """Queries are heads x head_dim wide, which is not the hidden size times one."""
    architecture = find_model(model).architecture
    width = architecture.num_attention_heads * architecture.head_dim
    assert layer(model)["queries"] == 2048 * width * 2


def test_the_loss_takes_twelve_bytes_a_logit() -> None:
    """Log-softmax, its gradient and that of the fp32 logits, and a label a token."""
    start = next(phase for phase in step().phases if phase.id == "backward_start")
    assert start.terms["logits"] == 2048 * (12 * 128256 + 8)


def test_fused_kernels_take_eight_bytes_a_logit_and_a_fused_loss_none() -> None:
    """The kernel overwrites the fp32 logits with their gradient; fused with the head, there are
    none."""
    start = next(p for p in step(kernels="fused").phases if p.id == "backward_start")
    assert start.terms["logits"] == 2048 * (8 * 128256 + 8)
    fused = next(p for p in step(loss="fused").phases if p.id == "backward_start")
    assert fused.terms["logits"] == 2 * 4096 * (2048 + 128256)


def test_scores_are_kept_only_where_they_are_written() -> None:
    """No s x s tensor with flash, unless fp32 or a mask takes another kernel."""
    assert not {"softmax", "probabilities", "mask"} & layer().keys()
    assert layer(precision="fp32")["softmax"] == 4 * 32 * 2048**2
    assert layer(padding=True)["mask"] == 2 * 2048**2


def test_autocast_keeps_a_16_bit_copy_of_every_matrix() -> None:
    """2 bytes a weight of the linear layers until backward has passed them."""
    copies = sum(size for name, size in layer(precision="amp-bf16").items() if "cast" in name)
    assert copies == 2 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336)


def test_accumulation_adds_gradients_to_every_forward_but_the_first() -> None:
    """Two micro-batches take as much as sixteen."""
    two, sixteen = (peak(gradient_accumulation_steps=steps) for steps in (2, 16))
    assert peak() < two == sixteen


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tensor_parallel", 2), ("data_parallel", 8), ("sharding", "zero-3"),
        ("kernels", "compiled"), ("loss", "chunked"), ("activation_offload", True),
        ("optimizer", "adamw-9bit"), ("precision", "fp8"), ("sequence_length", 0),
        ("optimizer_step", "loop-the-loop"), ("trainer", "megatron"),
    ],
)  # fmt: skip
def test_what_is_not_modelled_is_refused_by_name(name: str, value: Any) -> None:
    """The error names the setting; nothing is guessed."""
    with pytest.raises(InputError) as error:
        step(**{name: value})
    assert error.value.problems[0].field == name


def test_a_family_not_described_is_refused() -> None:
    """The blocks of MPT are not written down yet."""
    with pytest.raises(InputError) as error:
        step("mpt-7b")
    assert error.value.problems[0].field == "model"
