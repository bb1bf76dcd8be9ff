"""`batch`: a line in, a line out, and one bad line stops nothing."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator import batch

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_good_lines(run: Run) -> None:
    """Answers come in the order of the lines, ids are echoed as they came, the status is 0."""
    ids = [1, "b", None, 2.5, True, [1, 2.5], {"n": 3}, 10**30]
    lines = [json.dumps({"id": each, "parameters": n}) for n, each in enumerate(ids, 1)]
    done = run("batch", feed="\n".join(lines) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == ids
    assert [answer["total_bytes"] for answer in answers] == [n * 16 * 10**9 for n in range(1, 9)]


def test_calculators_mixed(run: Run) -> None:
    """Each line names its calculator; without a name it is training."""
    lora = {"input_dimension": 4096, "output_dimension": 4096, "adapted_matrices": 64}
    lines = [
        {"parameters": 7},
        {"calculator": "inference", "parameters": 7},
        {"calculator": "lora", "lora_rank": 8, **lora},
    ]
    done = run("batch", "--json", feed="".join(json.dumps(line) + "\r\n" for line in lines))
    totals = [json.loads(line)["total_bytes"] for line in done.stdout.splitlines()]
    assert totals == [112_000_000_000, 16_800_000_000, 16_777_216]


def test_bad_lines_between_good_ones(run: Run) -> None:
    """A line that can't be estimated gives an error with its id, and the rest go on; status 1."""
    lines = [
        '{"id": "first", "parameters": 7}',
        '{"id": "second", "parameters": "x", "activation_memory": -1}',
        "not JSON",
        "",
        "[1]",
        '{"id": 6}',
        '{"id": "deep", "parameters": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"id": "half \\ud800", "parameters": "\\udfff"}',
        '{"id": "huge", "parameters": 1e9999999999999999999}',
        '{"id": NaN, "parameters": NaN}',
        '{"id": "last", "parameters": 13}',
    ]
    done = run("batch", feed="\n".join(lines))
    assert (done.returncode, done.stderr) == (1, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        None,
        "not_a_number",
        "bad_json",
        "not_an_object",
        "empty",
        "bad_json",
        "not_a_number",
        "infinite",
        "not_a_number",
        None,
    ]
    assert [answer["id"] for answer in answers] == [
        *("first", "second", None, None, 6, None, "half \ud800", "huge", "NaN", "last"),
    ]
    assert list(answers[1]) == ["id", "error"]
    assert len(answers[1]["error"]["problems"]) == 2
    assert answers[-1]["total_bytes"] == 208_000_000_000


def test_from_a_file_in_italian(tmp_path: Path, run: Run) -> None:
    """The lines may come from a file, and --lang settles how text is read and worded."""
    path = tmp_path / "lines.jsonl"
    path.write_text('{"parameters": "1,234"}\n{"parameters": "1.234"}\n', encoding="utf-8")
    done = run("batch", str(path), "--lang", "it")
    assert done.returncode == 1
    good, bad = (json.loads(line) for line in done.stdout.splitlines())
    assert good["parameters"]["total"] == 1_234_000_000
    assert bad["error"]["message"].startswith("«1.234» può voler dire 1,234 o 1234")


def test_line_separators_inside_a_line(run: Run) -> None:
    """A line ends at a line feed alone: JSON may hold the separators that Python also splits at."""
    done = run("batch", feed='{"id": "a\u2028b\u0085c", "parameters": 7}\n')
    assert done.returncode == 0
    (answer,) = done.stdout.rstrip("\n").split("\n")
    assert json.loads(answer)["id"] == "a\u2028b\u0085c"


def test_missing_file_and_no_lines(tmp_path: Path, run: Run) -> None:
    """No file is bad input; no line is nothing to do."""
    assert run("batch", str(tmp_path / "none.jsonl")).returncode == 2
    done = run("batch", feed="\n \n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@given(JSON, st.sampled_from(["parameters", "memory_per_parameter", "activation_memory", "other"]))
def test_any_json_gets_an_answer(value: object, key: str) -> None:
    """Whatever JSON a line holds, it gives one line of JSON that says result or error."""
    for thing in (value, {key: value}, {"id": value, "parameters": 7}):
        ((line, good),) = batch.answers([json.dumps(thing)], "it")
        answer = json.loads(line)
        assert ("error" in answer) is not good
        assert "\n" not in line


@pytest.mark.parametrize("value", [0, -0.0, 1.0, 1e300, 12345678901234567890, "x", [], {}])
def test_id_keeps_its_type(value: object) -> None:
    """An id comes back as the same JSON value, numbers included."""
    ((line, _),) = batch.answers([json.dumps({"id": value})], "en")
    assert json.dumps(json.loads(line)["id"]) == json.dumps(value)
