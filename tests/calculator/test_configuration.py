"""Configuration files: every family's count, and text and objects that mean harm."""

import json
import time
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculator.architecture import Architecture
from calculator.configuration import parse_configuration, read_configuration
from calculator.configuration.classes import classes, nested_types, unsupported
from calculator.configuration.dimensions import DIMENSIONS
from calculator.configuration.overrides import WORDS
from calculator.configuration.parse import MAXIMUM_CHARACTERS, MAXIMUM_DEPTH
from calculator.errors import InputError, Problem
from calculator.models import models
from calculator.parameters.count import count
from calculator.parameters.names import known_families
from calculator.report import messages
from calculator.report.words import table

HERE = Path(__file__).parent
ROWS = tomllib.loads((HERE / "configs.toml").read_text())["row"]
LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}
BASE = read_configuration(LLAMA).architecture


def published(id: str) -> str:
    """The text of the configuration file of that name."""
    return (HERE / "configs" / f"{id}.json").read_text(encoding="utf-8")


def refusal(config: Any) -> tuple[Problem, ...]:
    """What a configuration, as text or object, is refused with."""
    with pytest.raises(InputError) as caught:
        if isinstance(config, str):
            read_configuration(parse_configuration(config))
        else:
            read_configuration(config)
    for problem in caught.value.problems:
        for language in ("it", "en"):
            line = messages.line(problem, language)
            assert "None" not in line and "{" not in line.replace("{…}", ""), line
            # no more than a few lines, whatever was typed
            assert len(line) < 400, line
    return caught.value.problems


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_published_configurations(row: dict[str, Any]) -> None:
    """A published file counts to the published total, with the notes that it deserves."""
    found = read_configuration(parse_configuration(published(row["id"])))
    counted = count(found.architecture)
    assert counted.total == row["parameters"]
    assert counted.active == row.get("active", row["parameters"])
    assert [note.id for note in found.notes] == row.get("notes", [])
    for note in found.notes:
        for language in ("it", "en"):
            assert table(language)["assumptions"][note.id].format(**note.params)


def test_every_family_of_the_catalogue_has_a_file() -> None:
    """The files cover the catalogue's families, and count as its rows of the same name."""
    catalogue = models()
    named = [row["id"] for row in ROWS if row["id"] in catalogue]
    families = {catalogue[id].architecture.family for id in named}
    assert families == {model.architecture.family for model in catalogue.values()}
    for id in named:
        read = read_configuration(parse_configuration(published(id))).architecture
        assert count(read) == count(catalogue[id].architecture), id


def test_table_names_only_what_exists() -> None:
    """Every row sets fields of the architecture, aliases dimensions, and has its layers' names."""
    fields = Architecture.__dataclass_fields__.keys()
    for id, row in classes().items():
        assert row.aliases.keys() <= DIMENSIONS.keys(), id
        for fixed in (row.set, *row.when.values(), *row.unless.values()):
            assert fixed.keys() <= fields, id
            for name, words in WORDS.items():
                assert fixed.get(name, words[0]) in words, id
        assert id in known_families() or id == "unknown"
    assert not unsupported() & classes().keys()
    assert set(nested_types().values()) <= classes().keys()


def test_absent_fields_are_the_classes() -> None:
    """What a file leaves out is the class's default, and for the main dimensions a note says so."""
    found = read_configuration({"model_type": "mistral"})
    assert count(found.architecture).total == 7_241_732_096
    (note,) = found.notes
    assert note.id == "config_defaults"
    assert "vocab_size" in note.params["fields"]


def test_null_is_not_absent() -> None:
    """An explicit null takes a thing away, or lets it be derived, where absence is the default."""
    mistral = {**LLAMA, "model_type": "mistral"}
    del mistral["num_key_value_heads"]
    assert read_configuration(mistral).architecture.num_key_value_heads == 8
    mistral["num_key_value_heads"] = None
    assert read_configuration(mistral).architecture.num_key_value_heads == 32
    lite = json.loads(published("deepseek-v2-lite"))
    assert read_configuration(lite).architecture.q_lora_rank == 0
    del lite["q_lora_rank"]
    assert read_configuration(lite).architecture.q_lora_rank == 1536
    assert [p.code for p in refusal({**LLAMA, "vocab_size": None})] == ["config_missing"]


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"model_type": "my-model"}, "config_unknown_type"),
        ({"model_type": None}, "config_no_type"),
        ({"model_type": None, "architectures": ["LlamaForCausalLM"]}, None),
        ({"model_type": "unknown"}, "config_no_type"),
    ],
)
def test_unknown_type_is_read_as_llama(change: dict[str, Any], note: str | None) -> None:
    """An unknown type with Llama's fields counts as Llama, and a note tells."""
    found = read_configuration({**LLAMA, **change})
    assert count(found.architecture) == count(BASE)
    assert [each.id for each in found.notes] == ([note] if note else [])


def test_unknown_type_with_experts() -> None:
    """Experts, latent attention and biases of an unknown type are read by their usual names."""
    experts = {"num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 1024}
    found = read_configuration({**LLAMA, **experts, "model_type": "x"}).architecture
    assert (found.num_experts, found.moe_intermediate_size) == (8, 1024)
    assert found.expert_layers == 32
    biased = read_configuration({**LLAMA, "model_type": "x", "qkv_bias": True}).architecture
    assert biased.attention_bias == "qkv"
    latent = {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64}
    assert read_configuration({**LLAMA, **latent, "model_type": "x"}).architecture.v_head_dim == 128


def test_missing_fields_are_named() -> None:
    """A type without defaults names all that is missing, where it would stand."""
    (problem,) = refusal({"model_type": "x", "n_embd": 64, "num_layers": 2})
    assert problem.code == "config_missing"
    fields = "num_attention_heads, intermediate_size, vocab_size"
    assert problem.params["fields"] == fields
    (problem,) = refusal({"model_type": "x", "text_config": {"model_type": "y"}})
    assert "text_config.hidden_size" in str(problem.params["fields"])


@pytest.mark.parametrize(
    "config",
    [
        {**LLAMA, "model_type": "mamba2"},
        {**LLAMA, "model_type": "bert"},
        {**LLAMA, "model_type": "qwen3_next"},
        {**LLAMA, "is_encoder_decoder": True},
        {**LLAMA, "model_type": "x", "mamba_d_state": 16},
        {**LLAMA, "layer_types": ["full_attention", "linear_attention"]},
        {"model_type": "gemma3n", "text_config": {**LLAMA, "model_type": "gemma3n_text"}},
    ],
)
def test_other_kinds_of_model_are_refused(config: dict[str, Any]) -> None:
    """A model that is no plain decoder is refused, though it has Llama's fields."""
    assert [problem.code for problem in refusal(config)] == ["config_unsupported"]


def test_nested_text_part() -> None:
    """The text part counts, by its own type or its parent's, and the parent's word on tying."""
    inner = {key: value for key, value in LLAMA.items() if key != "model_type"}
    outer = {"vision_config": {}, "text_config": {**inner, "model_type": "llama"}}
    found = read_configuration({"model_type": "x", **outer})
    assert count(found.architecture) == count(BASE)
    assert [note.id for note in found.notes] == ["config_ignored_vision"]
    tied = read_configuration({"model_type": "x", **outer, "tie_word_embeddings": True})
    assert tied.architecture == replace(BASE, tie_word_embeddings=True)
    assert read_configuration({"model_type": "mistral3", "text_config": inner}).model_type == (
        "mistral"
    )
    deep = {"model_type": "x", "thinker_config": {"text_config": {**inner, "model_type": "qwen3"}}}
    assert read_configuration(deep).architecture.qk_norm == "per_head"


def test_which_layers_have_experts() -> None:
    """However a file tells it, the number of layers with experts is that of Transformers."""
    base = {
        "model_type": "qwen3_moe",
        "num_hidden_layers": 12,
        "num_experts": 4,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 128,
    }
    for change, layers in (
        ({}, 12),
        ({"decoder_sparse_step": 2}, 6),
        ({"decoder_sparse_step": 5}, 2),
        ({"mlp_only_layers": [0, 5]}, 10),
        ({"mlp_only_layers": list(range(12))}, 0),
        ({"mlp_layer_types": ["dense", "sparse", "sparse"] * 4}, 8),
        ({"moe_layers": [1, 3, 99]}, 2),
    ):
        assert read_configuration({**base, **change}).architecture.expert_layers == layers, change


HOSTILE: list[tuple[Any, str]] = [
    (0, "config_out_of_bounds"),
    (-1, "config_out_of_bounds"),
    (10**9, "config_out_of_bounds"),
    (10**4000, "config_out_of_bounds"),
    (-(10**400_000), "config_out_of_bounds"),
    (1.5, "config_not_whole"),
    (4096.0, "config_not_whole"),
    (float("nan"), "config_not_whole"),
    (float("inf"), "config_not_whole"),
    (True, "config_not_whole"),
    ("4096", "config_not_whole"),
    ("9" * 1_000_000, "config_not_whole"),
    ([4096], "config_not_whole"),
    ([[[[]]]] * 1000, "config_not_whole"),
    ({"a": {"b": 1}}, "config_not_whole"),
]


@pytest.mark.parametrize("name", ["hidden_size", "num_hidden_layers", "vocab_size", "head_dim"])
@pytest.mark.parametrize(("value", "code"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_values(name: str, value: Any, code: str) -> None:
    """A value that is no whole number within bounds is refused at once, naming its field."""
    start = time.process_time()
    if name == "vocab_size" and value == 10**9:
        value = 10**10
    (problem,) = refusal({**LLAMA, name: value})
    assert (problem.code, problem.field, problem.params["name"]) == (code, "config", name)
    assert time.process_time() - start < 0.5


def test_every_bad_field_is_named() -> None:
    """All faults of a file are told together."""
    config = {
        **LLAMA,
        "hidden_size": -1,
        "vocab_size": "a",
        "mlp_bias": 1,
        "tie_word_embeddings": 0,
    }
    named = [(problem.code, problem.params["name"]) for problem in refusal(config)]
    assert named == [
        ("config_out_of_bounds", "hidden_size"),
        ("config_not_whole", "vocab_size"),
        ("config_not_a_flag", "mlp_bias"),
        ("config_not_a_flag", "tie_word_embeddings"),
    ]


MOE = {"model_type": "qwen3_moe", "num_hidden_layers": 4}


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ([], "config_not_an_object"),
        (None, "config_not_an_object"),
        ({**LLAMA, "model_type": 7}, "config_not_text"),
        ({**LLAMA, "model_type": ["llama"] * 1000}, "config_not_text"),
        ({**LLAMA, "num_attention_heads": 33}, "config_uneven"),
        ({**LLAMA, "num_key_value_heads": 5}, "config_uneven"),
        ({**MOE, "num_experts_per_tok": 200}, "config_exceeds"),
        ({**MOE, "decoder_sparse_step": 5}, None),
        ({**MOE, "mlp_layer_types": ["sparse"]}, "config_short_list"),
        ({**MOE, "mlp_layer_types": "sparse"}, "config_not_a_list"),
        ({**MOE, "mlp_only_layers": {"0": 1}}, "config_not_a_list"),
    ],
)
def test_objects_that_do_not_go_together(config: Any, code: str | None) -> None:
    """Dimensions that contradict one another are refused."""
    if code is None:
        assert read_configuration(config).architecture.expert_layers == 0
        return
    assert [problem.code for problem in refusal(config)] == [code]


HOSTILE_TEXTS = [
    ("", "bad_json"),
    ("{", "bad_json"),
    ('{"a": 1,}', "bad_json"),
    ("{'a': 1}", "bad_json"),
    ('"' + '\\"' * 900_000, "bad_json"),
    ('"' * 1_999_999, "bad_json"),
    ("[" * 15, "bad_json"),
    ("[]", "config_not_an_object"),
    ("7", "config_not_an_object"),
    ("null", "config_not_an_object"),
    ('{"a": 1, "b": {"c": 2, "c": 3}}', "config_duplicate_key"),
    ('{"a": NaN}', "config_not_finite"),
    ('{"a": [-Infinity]}', "config_not_finite"),
    ("[" * 21, "config_too_deep"),
    ("[" * 1_000_000 + "]" * 1_000_000, "config_too_deep"),
    ('{"a":' * 300_000, "config_too_deep"),
    ("[]" * 1_000_000, "bad_json"),
    ('{"model_type": "llama", "hidden_size": ' + "9" * 1_900_000 + "}", "config_out_of_bounds"),
    ('{"model_type": "llama", "hidden_size": 1' + "0" * 4000 + "}", "config_out_of_bounds"),
    ('{"model_type": "llama", "hidden_size": 1e999}', "config_not_whole"),
    ('{"model_type": "llama", "hidden_size": 1e3}', "config_not_whole"),
]


@pytest.mark.parametrize(("text", "code"), HOSTILE_TEXTS, ids=range(len(HOSTILE_TEXTS)))
def test_hostile_text(text: str, code: str) -> None:
    """Text that is too long, too deep or no JSON is refused in well under a second."""
    start = time.process_time()
    (problem,) = refusal(text)
    assert problem.code == code
    assert problem.field == "config"
    assert time.process_time() - start < 1


def test_fifty_megabytes_are_refused_by_their_length() -> None:
    """Text far beyond the limit is not even looked at."""
    text = '{"a": "' + "x" * 50_000_000
    start = time.process_time()
    (problem,) = refusal(text)
    assert problem.code == "config_too_long"
    assert time.process_time() - start < 0.1


def test_where_json_is_broken() -> None:
    """The line and the column of a syntax error, and the name of a key that stands twice."""
    (problem,) = refusal('{"a": 1,\n "b" 2}')
    assert problem.params == {"line": 2, "column": 6}
    (problem,) = refusal('{"vocab_size": 1, "vocab_size": 2}')
    assert problem.params == {"key": "vocab_size"}


def test_limits_are_inside() -> None:
    """Text as long and as deep as the limits allow is read, brackets in strings are not counted."""
    text = json.dumps(LLAMA | {"labels": "[" * 100 + '\\"[' * 50})
    padded = "\ufeff" + text + " " * (MAXIMUM_CHARACTERS - len(text) - 1)
    assert count(read_configuration(parse_configuration(padded)).architecture) == count(BASE)
    inner = "[" * (MAXIMUM_DEPTH - 1) + "]" * (MAXIMUM_DEPTH - 1)
    assert parse_configuration('{"a": ' + inner + "}")


def test_many_keys_are_quick() -> None:
    """A file of nothing but keys, and one of long numbers, take well under a second."""
    start = time.process_time()
    keys = ",".join(f'"k{index}":{index}' for index in range(120_000))
    parse_configuration("{" + keys + "}")
    numbers = ",".join("9" * 4000 for _ in range(450))
    parse_configuration('{"a":[' + numbers + "]}")
    assert time.process_time() - start < 1.5


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(
    sorted({key for each in DIMENSIONS.values() for key in each.keys})
    + ["text_config", "layer_types", "mlp_layer_types", "moe_layers", "architectures"]
    + sorted({flag for row in classes().values() for flag in (*row.when, *row.unless)})
)


@settings(deadline=None)
@given(
    st.sampled_from([*sorted(classes()), "x", ""]),
    st.dictionaries(KEYS, VALUES | st.integers(0, 300), max_size=8),
)
def test_any_object_is_read_or_refused(model_type: str, config: dict[str, Any]) -> None:
    """Arbitrary values give an architecture that can be counted, or problems in words."""
    try:
        found = read_configuration({"model_type": model_type, **config})
    except InputError as error:
        assert error.problems
        for problem in error.problems:
            assert messages.line(problem, "it")
    else:
        counted = count(found.architecture)
        assert 0 < counted.active <= counted.total
        assert sum(counted.by_part.values()) == counted.total


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    """Arbitrary text gives an object or an error, never a traceback."""
    try:
        assert isinstance(parse_configuration(text), dict)
    except InputError as error:
        assert error.problems
