"""What holds for every estimate: more never takes less, and exact sums."""

from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import calculator
from calculator import catalogue

# Up to the largest input, in steps fine enough to be hit by rounding.
BILLIONS = st.decimals(Decimal("0.001"), 10**6, places=3)
BYTES = st.decimals(Decimal("0.01"), 1000, places=2)
GIGABYTES = st.decimals(0, 10**6, places=3)
PERCENT = st.decimals(0, 1000, places=2)
WHOLE = st.integers(1, 10**5)


def total(name: str, **inputs: Any) -> int:
    """The bytes of an estimate."""
    return calculator.estimate({"calculator": name, **inputs}).total_bytes


@given(BILLIONS, BYTES, GIGABYTES)
def test_training_is_n_times_b_plus_a(n: Decimal, b: Decimal, a: Decimal) -> None:
    """V = N x B + A to the byte, for any number of bytes per parameter."""
    shown = total("training", parameters=n, memory_per_parameter=b, activation_memory=a)
    assert shown == (n * b + a) * 10**9


@given(st.tuples(BILLIONS, BYTES, GIGABYTES), st.tuples(BILLIONS, BYTES, GIGABYTES))
def test_training_grows_with_n_b_and_a(
    one: tuple[Decimal, Decimal, Decimal], other: tuple[Decimal, Decimal, Decimal]
) -> None:
    """More parameters, bytes or activations never take less memory."""

    def memory(n: Decimal, b: Decimal, a: Decimal) -> int:
        return total("training", parameters=n, memory_per_parameter=b, activation_memory=a)

    low = [min(pair) for pair in zip(one, other, strict=True)]
    high = [max(pair) for pair in zip(one, other, strict=True)]
    assert memory(*low) <= memory(*high)
    assert (memory(*low) == memory(*high)) == (low == high)


@given(BILLIONS, st.sampled_from(sorted(catalogue.recipes())))
def test_recipe_equals_its_bytes(n: Decimal, slug: str) -> None:
    """A recipe and the number of bytes that it sums to give the same total."""
    by_slug = total("training", parameters=n, memory_per_parameter=slug)
    by_bytes = total("training", parameters=n, memory_per_parameter=catalogue.recipes()[slug].total)
    assert by_slug == by_bytes


@given(BILLIONS, BILLIONS, PERCENT, PERCENT, st.sampled_from(sorted(catalogue.formats())))
def test_inference_grows_with_n_and_overhead(
    n: Decimal, more: Decimal, o: Decimal, higher: Decimal, slug: str
) -> None:
    """More parameters or overhead never take less memory."""
    low = total(
        "inference", parameters=min(n, more), weight_format=slug, overhead_percent=min(o, higher)
    )
    high = total(
        "inference", parameters=max(n, more), weight_format=slug, overhead_percent=max(o, higher)
    )
    assert low <= high


@given(BILLIONS, PERCENT)
def test_wider_formats_take_more(n: Decimal, o: Decimal) -> None:
    """4 bits take less than 8, 8 less than 16, 16 less than 32."""
    sizes = [
        total("inference", parameters=n, weight_format=slug, overhead_percent=o)
        for slug in ("int4", "int8", "bf16", "fp32")
    ]
    assert sizes == sorted(set(sizes))


@given(WHOLE, WHOLE, WHOLE, WHOLE, st.sampled_from(sorted(catalogue.adapter_dtypes())))
def test_lora_counts_exactly(r: int, d_in: int, d_out: int, m: int, slug: str) -> None:
    """P = r x (d_in + d_out) x m in whole numbers, however large, and its bytes by the format."""
    scenario = {
        "calculator": "lora",
        "lora_rank": r,
        "input_dimension": d_in,
        "output_dimension": d_out,
        "adapted_matrices": m,
        "adapter_dtype": slug,
    }
    result = calculator.estimate(scenario)
    assert result.parameters_trainable == r * (d_in + d_out) * m
    size = catalogue.adapter_dtypes()[slug].bytes
    assert result.total_bytes == result.parameters_trainable * size
    a, b = result.terms[0].parts
    assert a.bytes == r * d_in * m * size and b.bytes == r * d_out * m * size


@given(BILLIONS)
def test_cheaper_recipes_take_less(n: Decimal) -> None:
    """SGD with momentum takes less than 8-bit Adam, that less than mixed Adam, Megatron most."""
    sizes = [
        total("training", parameters=n, memory_per_parameter=slug)
        for slug in ("sgd-momentum", "adam-8bit", "adam-mixed", "megatron")
    ]
    assert sizes == sorted(set(sizes))


@given(BILLIONS)
def test_training_takes_more_than_inference(n: Decimal) -> None:
    """Every recipe takes more than the 16-bit weights alone."""
    read = total("inference", parameters=n, weight_format="bf16", overhead_percent=0)
    for slug in catalogue.recipes():
        assert total("training", parameters=n, memory_per_parameter=slug) > read
