"""The set-up of further browsers says what is missing, and installs only where it may."""

from pathlib import Path

import pytest

import toolchain
from toolchain import apt, engines


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with an empty PATH, on which nothing was found yet, for someone who is not root."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(toolchain, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(apt, "is_root", lambda: False)
    return tmp_path / "bin"


def program(folder: Path, name: str, prints: str) -> Path:
    """A program that prints a line."""
    path = folder / name
    path.write_text(f"#!/bin/sh\necho '{prints}'\n")
    path.chmod(0o755)
    return path


def test_what_is_missing_is_named_with_its_package(bare: Path) -> None:
    """The message names the programs and Debian's packages."""
    with pytest.raises(toolchain.Missing, match=r"firefox.*apt-get install firefox-esr.*xdotool"):
        engines.set_up()


def test_a_hint_to_firefox_is_none(bare: Path) -> None:
    """Ubuntu has a program of that name that only says where to get the real one."""
    program(bare, "firefox-esr", "install it yourself")
    real = program(bare, "firefox", "Mozilla Firefox 153.8.0esr")
    for name in ("WebKitWebDriver", "Xvfb", "xdotool"):
        program(bare, name, "")
    engines.set_up()
    assert toolchain.path_of("firefox") == str(real)
