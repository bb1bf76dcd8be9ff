"""Makes all parts of the runtime, from the calculator's source and the pinned Pyodide."""

import hashlib
import json
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path

from . import bytecode, packing
from .glue import glue, lock
from .manifest import Part, RuntimeManifest
from .node import HERE, run_script

PROJECT = HERE.parent.parent
SCRIPTS = PROJECT / "site_src" / "static" / "js"


def pack(
    dist: Path,
    node: str,
    *,
    project: Path = PROJECT,
    pyodide: Path | None = None,
    snapshot: bool = True,
) -> RuntimeManifest:
    """Write the part scripts into `dist`/runtime and say what they are.

    `node` is the Node executable; `project` holds pyproject.toml and the calculator; `pyodide` is
    the npm package's folder. Without `snapshot` the parts hold the standard library as bytecode
    instead, which relies on Pyodide's public interface alone and starts three times as slowly.
    The same sources give the same bytes. Raises RuntimeBuildError where a step fails.
    """
    pyodide = pyodide or PROJECT / "node_modules" / "pyodide"
    with tempfile.TemporaryDirectory() as folder:
        contents = _contents(node, project, pyodide, snapshot, Path(folder))
    build = build_id(contents)
    parts: list[Part] = []
    for kind, data in contents.items():
        parts += packing.slices(kind, data)
    manifest = RuntimeManifest(build, tuple(parts))
    packing.write(manifest.parts, build, dist)
    return manifest


def build_id(contents: Mapping[str, bytes]) -> str:
    """One name for all parts, so that parts of two builds are never mixed."""
    whole = hashlib.sha256()
    for kind, data in sorted(contents.items()):
        whole.update(kind.encode() + hashlib.sha256(data).digest())
    return whole.hexdigest()[:12]


def _contents(
    node: str, project: Path, pyodide: Path, snapshot: bool, folder: Path
) -> dict[str, bytes]:
    """What the parts hold, in the order in which the worker can use it."""
    library = standard_library(node, project, pyodide, folder)
    memory = make_snapshot(node, pyodide, library, folder) if snapshot else b""
    settings = {
        "lock": lock(pyodide),
        # The first word of a snapshot: a memory of this size is made before the rest arrives.
        "snapshotBytes": struct.unpack_from("<I", memory)[0] if memory else 0,
    }
    asm = (pyodide / "pyodide.asm.js").read_text(encoding="utf-8")
    ours = [(SCRIPTS / name).read_text(encoding="utf-8") for name in ("unpack.js", "worker.js")]
    return {
        "glue": glue(pyodide, asm, "\n".join(ours), settings),
        "wasm": (pyodide / "pyodide.asm.wasm").read_bytes(),
        **({"snapshot": memory} if memory else {"stdlib": library}),
    }


def standard_library(node: str, project: Path, pyodide: Path, folder: Path) -> bytes:
    """A zip of bytecode: what the calculator really imports, and the calculator."""
    package = bytecode.package_files(bytecode.calculator_wheel(project, folder))
    overlay = HERE / "overlay"
    library = bytecode.read_zip(pyodide / "python_stdlib.zip") | {
        path.relative_to(overlay).as_posix(): path.read_bytes() for path in overlay.rglob("*.py")
    }
    traced = folder / "traced.zip"
    traced.write_bytes(bytecode.write_zip(library | package))
    names = _imported(node, pyodide, traced)
    # The package goes in whole: its data and translations are files that no import names.
    needed = bytecode.only(library, names - package.keys())
    return bytecode.write_zip(bytecode.compiled(needed | package))


def _imported(node: str, pyodide: Path, library: Path) -> set[str]:
    job = {**_job(pyodide), "stdlib": str(library)}
    return set(json.loads(run_script(node, "trace_modules.mjs", job)))


def make_snapshot(node: str, pyodide: Path, library: bytes, folder: Path) -> bytes:
    """The memory of a runtime that has the calculator loaded, in the form of delta.mjs."""
    archive, out = folder / "library.zip", folder / "snapshot.bin"
    archive.write_bytes(library)
    job = {**_job(pyodide), "stdlib": str(archive), "out": str(out)}
    run_script(node, "make_snapshot.mjs", job)
    return out.read_bytes()


def _job(pyodide: Path) -> dict[str, object]:
    return {
        "pyodide": str(pyodide),
        "lock": lock(pyodide),
        "exercise": str(HERE / "exercise.py"),
        "tidy": str(HERE / "tidy.py"),
    }
