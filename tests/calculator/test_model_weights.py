"""Weights of whole models by format, against sizes that others have measured or published."""

from decimal import Decimal
from itertools import pairwise

import pytest

from calculator.formats import SCOPES, Format, every_format
from calculator.gpus import UNIT_BYTES, gpus
from calculator.models import models
from calculator.parameters.count import count
from calculator.report.words import LANGUAGES
from calculator.terms.weights import model_weights, quantized

GIB = 2**30


def weigh(model: str, weight_format: str) -> int:
    """Bytes of the model's weights in the format."""
    return model_weights(models()[model].architecture, every_format()[weight_format]).bytes


# size in the unit given, with the digits that the source gives
PUBLISHED = [
    ("llama-2-7b", "nf4-dq", GIB, "3.60", "QLoRA, arXiv:2305.14314, section 3, on linear layers"),
    ("meta-llama-3-8b", "nf4-dq", GIB, "5.31", "the same"),
    ("gemma-2-2b", "nf4-dq", GIB, "2.07", "the same"),
    ("gpt-oss-20b", "mxfp4", GIB, "12.8", "gpt-oss, arXiv:2508.10925, table 1"),
    ("gpt-oss-120b", "mxfp4", GIB, "60.8", "gpt-oss, arXiv:2508.10925, table 1"),
    ("llama-3.1-8b", "gguf-q4-k-m", 10**9, "4.9", "llama.cpp, tools/quantize/README.md"),
    ("llama-3.1-405b", "bf16", 10**9, "812", "its 405,853,388,800 parameters, two bytes each"),
]


@pytest.mark.parametrize(("model", "weight_format", "unit", "size", "source"), PUBLISHED)
def test_published_sizes(model: str, weight_format: str, unit: int, size: str, source: str) -> None:
    """The weights round to the published size."""
    shown = Decimal(weigh(model, weight_format)) / unit
    assert shown.quantize(Decimal(size)) == Decimal(size), (shown, source)


@pytest.mark.parametrize(("model", "size"), [("llama-3.1-70b", 43.1), ("llama-3.1-405b", 249.1)])
def test_file_averages_carry_over(model: str, size: float) -> None:
    """An average taken on 8B gives larger files within half a per cent (llama.cpp's README)."""
    assert weigh(model, "gguf-q4-k-m") / 1e9 == pytest.approx(size, rel=0.005)


@pytest.mark.parametrize("slug", models())
def test_parts_and_order(slug: str) -> None:
    """Parts sum to the whole; fewer bits never take more; the floor is 16 bits outside."""
    model = models()[slug].architecture
    total = count(model).total
    for row in every_format().values():
        term = model_weights(model, row)
        inside = quantized(model, row)
        assert 0 <= inside <= total
        assert not term.parts or sum(part.bytes for part in term.parts) == term.bytes
        expected = inside * row.bytes + (total - inside) * 2
        assert abs(term.bytes - expected) <= 1
    sizes = [weigh(slug, name) for name in ("nf4-dq", "nf4", "int8-bnb", "bf16", "fp32")]
    assert all(before <= after for before, after in pairwise(sizes))


def test_tied_embedding_is_there_once() -> None:
    """Gemma-2-2B ties its 256,000 x 2,304 embedding: in 16-bit the count alone decides."""
    model = models()["gemma-2-2b"].architecture
    assert weigh("gemma-2-2b", "bf16") == 2 * count(model).total == 2 * 2_614_341_888


@pytest.mark.parametrize("row", every_format().values(), ids=lambda row: row.id)
def test_format_rows(row: Format) -> None:
    """A row's slug, scope and notes are well formed, and its bits are what it says they are."""
    assert row.id == row.id.lower() and "_" not in row.id and " " not in row.id
    assert row.scope in SCOPES
    assert row.source and all(row.source)
    assert row.bits > 0
    assert not row.note or set(row.note) == set(LANGUAGES)
    if row.how:
        plain = row.how.replace("×", "*")
        assert Decimal(str(eval(plain, {"__builtins__": {}}))) == row.bits


def test_gpu_rows() -> None:
    """Every card has a unit, sources and both notes; the driver shows within a tenth of it."""
    assert len(gpus()) == 171
    for gpu in gpus().values():
        assert gpu.memory_unit in UNIT_BYTES and gpu.source
        assert gpu.kind in ("consumer", "workstation", "datacenter")
        assert not gpu.note or set(gpu.note) == set(LANGUAGES)
        assert gpu.memory_bytes * gpu.devices == pytest.approx(gpu.nominal_bytes, rel=0.1)
    assert gpus()["rtx-4090"].memory_bytes == 24_564 * 2**20
    assert gpus()["mi250"].memory_bytes == 64 * GIB
    assert gpus()["tpu-v4"].memory_bytes == 32 * 10**9
