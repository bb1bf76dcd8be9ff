"""Runs this package's Node scripts."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent


class RuntimeBuildError(Exception):
    """A step of the runtime's build failed; the message is for whoever builds."""


def run_script(node: str, script: str, job: Mapping[str, object]) -> str:
    """Run `script` with `job` as its one argument; what it printed to standard output."""
    done = subprocess.run(
        [node, str(HERE / script), json.dumps(job)], capture_output=True, text=True
    )
    if done.returncode != 0:
        raise RuntimeBuildError(f"{script} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
    return done.stdout
