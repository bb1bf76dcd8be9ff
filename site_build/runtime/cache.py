"""Keeps the last build's parts, since making them takes ten seconds and most builds change none."""

import hashlib
import json
import shutil
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from .manifest import Part, RuntimeManifest


def key(sources: Iterable[Path], *settings: object) -> str:
    """One name for everything that the parts are made from: every file's path and content, this
    Python, and what else is given."""
    whole = hashlib.sha256(repr((sys.version, settings)).encode())
    for path in sorted(sources):
        whole.update(str(path).encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16]


def load(folder: Path, name: str) -> RuntimeManifest | None:
    kept = folder / f"{name}.json"
    if not kept.is_file():
        return None
    stored = json.loads(kept.read_text(encoding="utf-8"))
    return RuntimeManifest(tuple(Part(**part) for part in stored["parts"]))


def save(folder: Path, name: str, manifest: RuntimeManifest) -> None:
    """Keep `manifest`, and nothing older."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / f"{name}.json").write_text(json.dumps(asdict(manifest)), encoding="utf-8")
