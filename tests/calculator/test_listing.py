"""The commands that list the catalogues: their rows, filters and languages."""

import json
from typing import Any

import pytest

from calculator import listing
from calculator.cli import main
from calculator.formats import every_format
from calculator.gpus import gpus
from calculator.model_groups import grouped_models, model_groups
from calculator.models import models
from calculator.report.words import LANGUAGES

SIZES = {"models": len(models()), "gpus": len(gpus()), "formats": len(every_format())}


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """The JSON rows of a command that succeeds."""
    assert main([*arguments, "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("command", listing.COMMANDS)
def test_every_row_has_its_source(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A list holds its whole catalogue, each row once and with sources."""
    found = rows(capsys, command)
    assert len(found) == SIZES.get(command, len(found))
    assert len({row["id"] for row in found}) == len(found)
    assert all(row["source"] for row in found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["models", "gpus", "formats"])
def test_lines(command: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As text: a line of headings and a line a row, each beginning with the slug."""
    assert main([command, "--lang", language]) == 0
    lines = capsys.readouterr().out.splitlines()
    slugs = [line.split()[0] for line in lines[1:]]
    assert len(slugs) == SIZES[command] == len(set(slugs))


FILTERS = [
    (["models", "--search", "llama 3.1"], {"llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b"}),
    (["models", "--family", "kimi"], {"kimi-k2-instruct"}),
    (["models", "--family", "gemma", "--min-parameters", "12,5"],
     {"gemma-2-27b", "gemma-3-27b-it"}),
    (["models", "--max-parameters", "0.1"], {"pythia-70m"}),
    (["gpus", "--vendor", "google", "--min-memory", "100"], {"tpu-v7"}),
    (["gpus", "--search", "rtx 5090", "--class", "consumer"],
     {"rtx-5090", "rtx-5090-d", "rtx-5090-laptop"}),
    (["formats", "--scope", "experts"], {"mxfp4"}),
    (["formats", "--scope", "linear", "--max-bits", "1"], {"aqlm-1x16-g16"}),
    (["recipes", "--search", "megatron"], {"megatron"}),
    (["models", "--search", "no such model"], set()),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "wanted"), FILTERS)
def test_filters(
    arguments: list[str], wanted: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Filters and search leave exactly the rows that fit."""
    assert {row["id"] for row in rows(capsys, *arguments)} == wanted


def test_nothing_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Where no row fits, a person is told so."""
    assert main(["gpus", "--search", "voodoo", "--lang", "it"]) == 0
    assert capsys.readouterr().out == "Nessuna riga corrisponde.\n"


def test_bad_filter(capsys: pytest.CaptureFixture[str]) -> None:
    """A filter that is no number, or an unknown group, is bad input."""
    for arguments in (["gpus", "--min-memory", "lots"], ["models", "--family", "lama"]):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 2
        assert "lots" in (said := capsys.readouterr().err) or "lama" in said


def test_filters_know_the_catalogue() -> None:
    """The vendors and classes that can be asked for are those that there are."""
    assert set(listing.VENDORS) == {gpu.vendor.lower() for gpu in gpus().values()}
    assert set(listing.KINDS) == {gpu.kind for gpu in gpus().values()}


def test_every_model_has_a_group() -> None:
    """The groups hold every model once, and none is empty."""
    members = [model.id for group in grouped_models().values() for model in group]
    assert sorted(members) == sorted(models())
    assert all(grouped_models()[slug] for slug in model_groups())


def test_counts_in_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """A model's row has its parts, which sum to its total."""
    for row in rows(capsys, "models"):
        parts = dict(row["parameters"])
        total, active = parts.pop("total"), parts.pop("active")
        assert sum(parts.values()) == total >= active > 0
        assert row["published"] in (None, total)
