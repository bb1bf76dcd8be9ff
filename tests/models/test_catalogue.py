"""The catalogue's models, built by Transformers and adapted by PEFT."""

from collections import Counter

import oracle
import pytest
from spelling import spell

from calculator.architecture import Architecture
from calculator.models import Model, models
from calculator.parameters.count import count, tensors
from calculator.targets import PRESETS, adapted_modules

RANK = 8
# InternLM 2 has its modules in its own repository, not in Transformers
KNOWN = [model for model in models().values() if oracle.knows(model.architecture.family)]


def linear_tensors(model: Architecture) -> Counter[tuple[str, int, int, bool]]:
    """The linear layers as the oracle counts them."""
    found: Counter[tuple[str, int, int, bool]] = Counter()
    for each in tensors(model):
        if each.linear:
            name = each.name.rpartition(".")[2]
            found[name, each.rows, each.columns, each.bias] += each.copies
    return found


@pytest.mark.parametrize("model", KNOWN, ids=lambda model: model.id)
def test_parameters_and_linear_layers(model: Model) -> None:
    """Parameters agree, and so do the linear layers by name, shape and bias."""
    shape = model.architecture
    built = oracle.build(spell(shape))
    assert count(shape).total == oracle.parameters(built)
    theirs = oracle.linear_layers(built)
    if shape.tie_word_embeddings:  # a layer of theirs, but no tensor of its own
        theirs = Counter({key: n for key, n in theirs.items() if key[0] != "lm_head"})
    assert theirs == linear_tensors(shape)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("model", KNOWN, ids=lambda model: model.id)
def test_adapters(model: Model, preset: str) -> None:
    """The parameters of an adapter are those that PEFT says it trains."""
    shape = model.architecture
    ours = adapted_modules(shape, preset, RANK)
    names = preset if preset == "all-linear" else sorted({each.name for each in ours})
    theirs = oracle.trainable(oracle.build(spell(shape)), names, RANK)
    assert theirs == sum(each.parameters for each in ours)
