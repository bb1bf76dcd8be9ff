"""The catalogue of models: published counts, what must hold for any shape, and finding by name."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.errors import InputError
from calculator.models import find_model, models
from calculator.parameters.count import count

EVERY = pytest.mark.parametrize("model", models().values(), ids=lambda model: model.id)
SHAPES = st.sampled_from([model.architecture for model in models().values()])


@EVERY
def test_published_count(model: Any) -> None:
    """The fields give the published count to the last parameter; else the row says why not."""
    if model.published is not None:
        assert count(model.architecture).total == model.published
    if model.stored is not None:
        difference = model.stored - count(model.architecture).total
        assert difference and model.stored_difference.startswith(f"{difference:+d}")
    assert model.source


@EVERY
def test_parts_and_active(model: Any) -> None:
    """Parts sum to the total, and no token uses more than all of it."""
    counted = count(model.architecture)
    assert sum(counted.by_part.values()) == counted.total
    assert counted.active <= counted.total
    assert (counted.active < counted.total) == bool(model.architecture.num_experts)


@given(SHAPES, st.integers(1, 8))
def test_more_layers_more_parameters(shape: Any, more: int) -> None:
    """Layers add parameters, as does width of the MLP or a larger vocabulary."""
    step = more * shape.moe_layer_step
    assert count(replace(shape, num_hidden_layers=shape.num_hidden_layers + step)).total > (
        count(shape).total
    )
    assert count(replace(shape, vocab_size=shape.vocab_size + more)).total > count(shape).total


@given(SHAPES)
def test_tied_never_more_than_untied(shape: Any) -> None:
    """A head that shares the embedding's matrix adds nothing."""
    tied = count(replace(shape, tie_word_embeddings=True)).total
    untied = count(replace(shape, tie_word_embeddings=False)).total
    assert tied < untied


@EVERY
def test_found_by_any_name(model: Any) -> None:
    """A slug, a repository, and either in capitals mean the model itself."""
    for text in (model.id, model.id.upper(), model.repository, f" {model.repository.lower()} "):
        assert find_model(text) is model


def test_part_of_a_name() -> None:
    """A part of just one name is enough; of many it is refused with candidates."""
    assert find_model("3.1-405").id == "llama-3.1-405b"
    with pytest.raises(InputError) as caught:
        find_model("8b")
    (problem,) = caught.value.problems
    assert problem.code == "ambiguous_model"
    assert int(problem.params["count"]) > 1 and "llama-3.1-8b" in str(problem.params["candidates"])
