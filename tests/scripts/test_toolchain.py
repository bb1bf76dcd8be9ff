"""The set-up takes only programs that run, and words what is missing."""

from pathlib import Path

import pytest

import toolchain
from toolchain import browser, node, python


def program(folder: Path, name: str, text: str) -> str:
    """An executable shell script."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


def test_shim_that_exits_127_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A python3.13 first on PATH that doesn't run gives way to pyenv's own of that version."""
    program(tmp_path / "shims", "python3.13", "exit 127\n")
    wanted = program(tmp_path / "pyenv/versions/3.13.9/bin", "python3.13", "echo 3.13\n")
    monkeypatch.delenv("PYTHON", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims'}:/bin:/usr/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setattr("sys.executable", program(tmp_path, "python3", "echo 3.11\n"))
    assert python.find() == wanted


def test_python_of_another_version_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PYTHON is an order, not a hint: what it names is used or complained about."""
    monkeypatch.setenv("PYTHON", program(tmp_path, "python3", "echo 3.12\n"))
    with pytest.raises(toolchain.Missing, match="is not a Python 3.13"):
        python.find()


@pytest.mark.parametrize(
    ("version", "good"), [("v20.0.0", True), ("v119.1.2", True), ("v18.20.1", False), ("", False)]
)
def test_node_is_new_enough(tmp_path: Path, version: str, good: bool) -> None:
    """Versions are compared as numbers, and a Node that prints none is none."""
    assert node.is_new_enough(program(tmp_path, "node", f"echo {version}\n")) is good


def test_chromium_named_but_not_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CHROMIUM is an order too, and the message says what to do instead."""
    monkeypatch.setenv("CHROMIUM", program(tmp_path, "chromium", "echo 'apt install it'\n"))
    with pytest.raises(toolchain.Missing, match=r"is not a Chromium[\s\S]*set CHROMIUM"):
        browser.set_up()


def test_record_forgets_what_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recorded program that was removed is looked for again, and never handed out."""
    monkeypatch.setattr(toolchain, "RECORD", tmp_path / "record.json")
    path = program(tmp_path, "node", "")
    toolchain.record("node", path)
    assert toolchain.path_of("node") == path
    Path(path).unlink()
    with pytest.raises(toolchain.Missing, match=r"setup\.py"):
        toolchain.path_of("node")


def test_failure_shows_what_was_said(capfd: pytest.CaptureFixture[str]) -> None:
    """A failing step tells its end and the hint; a good one only what it does."""
    with pytest.raises(toolchain.Missing, match=r"no such mirror[\s\S]*Is the network there"):
        toolchain.run(["sh", "-c", "echo no such mirror; exit 3"], "trying", "Is the network there")
    toolchain.run(["sh", "-c", "echo chatter"], "trying again")
    assert "chatter" not in capfd.readouterr().out
