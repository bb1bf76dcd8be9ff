"""The command line as a person meets it: one process a command."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def run() -> Run:
    """Run `python -m calculator` with the words given, `feed` on its standard input."""

    def command(*words: str, feed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "calculator", *words],
            cwd=ROOT,
            input=feed,
            capture_output=True,
            encoding="utf-8",
            # A terminal that knows no UTF-8 must not change what is printed.
            env={**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "100"},
            check=False,
        )

    return command
