"""The command line: text and JSON, exit statuses, what goes to which stream."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import calculator
from calculator import catalogue, cli
from calculator.fields import FORMS
from calculator.report.words import table

Run = Callable[..., subprocess.CompletedProcess[str]]
RESULT_KEYS = [
    "schema",
    "version",
    "calculator",
    "id",
    "inputs",
    "parameters",
    "terms",
    "phases",
    "peak",
    "allocated_bytes",
    "reserved_bytes",
    "total_bytes",
    "range_bytes",
    "assumptions",
    "fits",
]
COMMANDS = {
    "training": ["training", "--parameters", "7", "--activation-memory", "20"],
    "training-8bit": ["training", "--parameters", "70", "--memory-per-parameter", "adam-8bit"],
    "training-bytes": ["training", "--parameters", "1.5", "--memory-per-parameter", "6.5"],
    "inference": ["inference", "--parameters", "7"],
    "inference-4bit": ["inference", "--parameters", "405", "--weight-format", "int4"],
    "lora": [
        *["lora", "--parameters", "7", "--lora-rank", "8", "--input-dimension", "4096"],
        *["--output-dimension", "4096", "--adapted-matrices", "64"],
    ],
    "lora-alone": [
        *["lora", "--input-dimension", "4096", "--output-dimension", "1024"],
        *["--adapted-matrices", "32", "--adapter-dtype", "bf16"],
    ],
    "recipes": ["recipes"],
}


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", COMMANDS)
def test_text(
    name: str,
    language: str,
    snapshot: Callable[[str, str], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The text of a command is that of its snapshot, to the space."""
    assert cli.main([*COMMANDS[name], "--lang", language]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    snapshot(f"{name}-{language}.txt", printed.out)


@pytest.mark.parametrize("language", ["it", "en"])
def test_errors_as_text(
    language: str, snapshot: Callable[[str, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong stands on standard error, a line for each field, in the snapshot's words."""
    wrong = ["--parameters", "sette", "--memory-per-parameter", "adam-9bit"]
    decimal = {"it": "1.234", "en": "1,234"}[language]
    assert cli.main(["training", *wrong, "--activation-memory", decimal, "--lang", language]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    snapshot(f"errors-{language}.txt", printed.err)


def test_training_as_json(run: Run) -> None:
    """The JSON of the worked example has the ledger, in whole bytes, and the contract's keys."""
    done = run(
        *["training", "--parameters", "7", "--memory-per-parameter", "adam-mixed"],
        *["--activation-memory", "20", "--json"],
    )
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert list(result) == RESULT_KEYS
    assert result["total_bytes"] == 132_000_000_000
    assert {term["id"]: term["bytes"] for term in result["terms"]} == {
        "weights": 14_000_000_000,
        "gradients": 14_000_000_000,
        "master_weights": 28_000_000_000,
        "optimizer_states": 56_000_000_000,
        "activation_input": 20_000_000_000,
    }
    assert result["inputs"] == {
        "parameters": 7,
        "memory_per_parameter": "adam-mixed",
        "activation_memory": 20,
    }
    assert result["parameters"] == dict.fromkeys(("total", "trainable", "active"), 7_000_000_000)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "recipes"])
def test_result_object(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every calculator's object has the contract's keys, and its terms sum to its totals."""
    assert cli.main([*COMMANDS[name], "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == RESULT_KEYS
    assert (result["schema"], result["version"]) == (1, calculator.__version__)
    total = sum(term["bytes"] for term in result["terms"])
    assert result["total_bytes"] == result["allocated_bytes"] == result["reserved_bytes"] == total
    assert result["peak"] == {"phase": None, "bytes": total}
    assert result["range_bytes"] == [total, total]
    assert result["phases"] == result["fits"] == []
    assert list(result["parameters"]) == ["total", "trainable", "active"]
    for term in result["terms"]:
        assert list(term)[:4] == ["id", "bytes", "formula", "source"]
        assert set(term) <= {"id", "bytes", "formula", "source", "bytes_per_parameter", "parts"}
        assert sum(p["bytes"] for p in term.get("parts", [])) in (0, term["bytes"])
    for assumption in result["assumptions"]:
        assert list(assumption) == ["id", "text"]


def test_json_is_the_same_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    """Language changes a result's texts and nothing else: numbers in JSON are plain."""
    objects = []
    for language in ("it", "en"):
        arguments = ["training", "--parameters", "7.5", "--activation-memory", "0.25", "--json"]
        assert cli.main([*arguments, "--lang", language]) == 0
        objects.append(json.loads(capsys.readouterr().out))
    for result in objects:
        assert result["inputs"]["parameters"] == 7.5
        for each in [*result["terms"], *result["assumptions"]]:
            each.pop("formula", None)
            each.pop("text", None)
    assert objects[0] == objects[1]


def test_language_settles_how_text_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    """1,234 is one and a bit under --lang it, and refused under en, which is the default."""
    arguments = ["training", "--parameters", "1,234", "--json"]
    assert cli.main([*arguments, "--lang", "it"]) == 0
    assert json.loads(capsys.readouterr().out)["parameters"]["total"] == 1_234_000_000
    assert cli.main(arguments) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["code"], error["field"]) == ("ambiguous", "parameters")
    assert error["params"] == {"text": "1,234", "first": "1.234", "second": "1234"}


def test_errors_as_json(run: Run) -> None:
    """With --json the error object goes to standard error, with all problems if several."""
    done = run("training", "--parameters", "-1", "--activation-memory", "x", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    error = json.loads(done.stderr)["error"]
    assert list(error) == ["code", "field", "message", "params", "problems"]
    assert [(each["code"], each["field"]) for each in error["problems"]] == [
        ("negative", "parameters"),
        ("not_a_number", "activation_memory"),
    ]
    done = run("training", "--json")
    assert list(json.loads(done.stderr)["error"]) == ["code", "field", "message", "params"]


@pytest.mark.parametrize("name", FORMS)
def test_every_field_is_a_flag(name: str, run: Run) -> None:
    """A command's help names each of its fields as a flag, and says what it takes."""
    done = run(name, "--help")
    assert done.returncode == 0
    for field in FORMS[name]:
        value = "FILE" if field.kind == "config" else "VALUE"
        assert f"--{field.name.replace('_', '-')} {value}" in done.stdout
        for slug in catalogue.offered(field.choices) if field.choices else ():
            assert slug in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "COMMAND"),
        (["trainign"], "training"),
        (["training", "--parametres", "7"], "did you mean --parameters?"),
        (["lora", "--rank=8"], "did you mean --lora-rank?"),
        (["training", "--lang", "fr"], "'fr'"),
        (["training", "--parameters"], "--parameters"),
        (["training", "--param", "7"], "--param"),
    ],
)
def test_misuse(words: list[str], said: str, run: Run) -> None:
    """A misspelt command or flag exits with 2 and says what there is."""
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "Traceback" not in done.stderr


def test_version(run: Run) -> None:
    """--version prints the version that results carry."""
    assert run("--version").stdout.strip() == calculator.__version__


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_scenario(source: str, tmp_path: Path, run: Run) -> None:
    """A scenario comes from a file or from standard input; flags overrule it, its id is echoed."""
    text = json.dumps({"id": {"row": [1, 2.5]}, "parameters": "7B", "activation_memory": 1})
    path = tmp_path / "scenario.json"
    path.write_text(text, encoding="utf-8")
    name = "-" if source == "standard input" else str(path)
    done = run("training", "--scenario", name, "--activation-memory", "20", "--json", feed=text)
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert (result["id"], result["total_bytes"]) == ({"row": [1, 2.5]}, 132_000_000_000)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("{", "bad_json"),
        ("", "bad_json"),
        ("[7]", "not_an_object"),
        ("7", "not_an_object"),
        ('"seven"', "not_an_object"),
        ("null", "not_an_object"),
        ('{"parametri": 7}', "empty"),
        ('{"parameters": "\\ud800"}', "not_a_number"),
        ('{"parameters": 1e9999999999999999999}', "infinite"),
        ('{"parameters": ' + "[" * 5000 + "]" * 5000 + "}", "not_a_number"),
        ("[" * 100_000 + "]" * 100_000, "bad_json"),
    ],
    ids=range(11),
)
def test_bad_scenario(content: str, code: str, run: Run) -> None:
    """A scenario that can't be read or estimated exits with 2 and the code for it."""
    done = run("training", "--scenario", "-", "--json", feed=content)
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["error"]["code"] == code


@pytest.mark.parametrize("language", ["it", "en"])
def test_unreadable_file(language: str, tmp_path: Path, run: Run) -> None:
    """A file that is not there, or is no text, is named in the message."""
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe")
    for path in (tmp_path / "none.json", tmp_path, binary):
        done = run("training", "--scenario", str(path), "--lang", language)
        assert (done.returncode, done.stdout) == (2, "")
        begin = table(language)["errors"]["unreadable_file"].partition("{text}")[0]
        assert done.stderr.startswith(begin) and done.stderr.count("\n") == 1


def test_recipes_as_json(run: Run) -> None:
    """`recipes --json` has every recipe with its ledger, and where each comes from."""
    rows: list[dict[str, Any]] = json.loads(run("recipes", "--json").stdout)
    assert [row["id"] for row in rows] == list(catalogue.recipes())
    for row in rows:
        ledger = ("weights", "gradients", "master_weights", "optimizer_states")
        assert list(row) == ["id", "name", "bytes_per_parameter", *ledger, "source"]
        assert sum(row[part] for part in ledger) == row["bytes_per_parameter"]
        assert row["source"]
