"""The programs that the project is built and tested with, and where this machine has them.

Standard library alone, and the syntax of Python 3.8: this runs before any Python of our choosing.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / ".toolchain.json"
VENV = ROOT / ".venv"
TOOLS = ROOT / ".tools"


class Missing(Exception):
    """Something is needed and can't be had; the text says what, and what a person can do."""


def recorded() -> dict[str, str]:
    """The paths found by the last set-up, by tool: `python`, `node`, `npm`, `chromium`.

    A path that is no longer there is left out, so that it is looked for again.
    """
    try:
        found = json.loads(RECORD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {tool: path for tool, path in found.items() if os.path.exists(path)}


def record(tool: str, path: str) -> None:
    """Remember where a tool is."""
    found = {**recorded(), tool: path}
    RECORD.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def path_of(tool: str) -> str:
    """Where the last set-up found a tool. Raises Missing if it did not."""
    path = recorded().get(tool)
    if not path:
        raise Missing(f"{tool} has not been set up yet: run 'python3 scripts/setup.py --browser'.")
    return path


def on_path(name: str) -> Iterator[str]:
    """Every program of that name on PATH, first to last: the first may be one that does not run."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        candidate = os.path.join(folder or ".", name)
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            yield candidate


def output_of(command: Sequence[str], timeout: float = 60) -> str:
    """What a command prints, or nothing if it can't be started, fails, or takes too long."""
    try:
        done = subprocess.run(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def run(command: Sequence[str], doing: str, hint: str = "", **environment: str) -> None:
    """Run a command in the project's folder and keep quiet, unless it fails.

    Raises Missing with the end of what it printed, and with the hint if there is one.
    """
    print(f"set-up: {doing}", flush=True)
    try:
        done = subprocess.run(
            list(command),
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as problem:
        raise Missing(f"{doing} failed: {problem}. {hint}".rstrip()) from problem
    if done.returncode:
        said = done.stdout.decode("utf-8", "replace").strip().splitlines()
        end = "\n".join("  | " + line for line in said[-15:])
        raise Missing(f"{doing} failed: exit status {done.returncode}.\n{end}\n{hint}".rstrip())


def is_root() -> bool:
    """Whether packages of the system may be installed."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def is_current(stamp: Path, content: str) -> bool:
    """Whether the stamp that a finished step left says that it would do the same again."""
    try:
        return stamp.read_text(encoding="utf-8") == content
    except OSError:
        return False
