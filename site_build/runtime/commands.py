"""Runs the programs that the runtime's build needs."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent


class RuntimeBuildError(Exception):
    """A step of the runtime's build failed; the message is for whoever builds."""


def run(
    command: Sequence[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> str:
    """Run `command`, with `env` added to the environment; what it printed to standard output.

    Raises RuntimeBuildError, with what it had to say, where it fails or is not there.
    """
    # Python in the snapshot remembers the time zone that it was started in
    surroundings = {**os.environ, "TZ": "UTC", **(env or {})}
    try:
        done = subprocess.run(command, cwd=cwd, env=surroundings, capture_output=True, text=True)
    except OSError as error:
        raise RuntimeBuildError(f"can't run {command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        said = "\n".join(filter(None, (done.stdout[-2000:], done.stderr[-4000:])))
        raise RuntimeBuildError(f"failed: {' '.join(command[:5])}\n{said}")
    return done.stdout


def run_script(node: str, script: str, job: Mapping[str, object]) -> str:
    """Run one of this package's Node scripts with `job` as its one argument."""
    return run([node, str(HERE / script), json.dumps(job)])
