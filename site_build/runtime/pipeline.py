"""Makes all parts of the runtime, from the calculator's source and the pinned Pyodide."""

import hashlib
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from . import bytecode, packing
from .glue import glue, lock
from .manifest import Part, RuntimeManifest
from .node import HERE, run_script

PROJECT = HERE.parent.parent


def pack(
    dist: Path, node: str, *, project: Path = PROJECT, pyodide: Path | None = None
) -> RuntimeManifest:
    """Write the part scripts into `dist`/runtime and say what they are.

    `node` is the Node executable; `project` holds pyproject.toml and the calculator; `pyodide` is
    the npm package's folder. The same sources give the same bytes.
    """
    pyodide = pyodide or PROJECT / "node_modules" / "pyodide"
    with tempfile.TemporaryDirectory() as folder:
        contents = {
            "wasm": (pyodide / "pyodide.asm.wasm").read_bytes(),
            "stdlib": standard_library(node, project, pyodide, Path(folder)),
        }
    asm = (pyodide / "pyodide.asm.js").read_text(encoding="utf-8")
    scripts = PROJECT / "site_src" / "static" / "js"
    worker = "\n".join(
        (scripts / name).read_text(encoding="utf-8") for name in ("unpack.js", "worker.js")
    )
    settings = {"lock": lock(pyodide), "kinds": sorted(contents)}
    contents = {"glue": glue(pyodide, asm, worker, settings), **contents}
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


def standard_library(node: str, project: Path, pyodide: Path, folder: Path) -> bytes:
    """A zip of bytecode: what the calculator really imports, and the calculator."""
    package = bytecode.package_files(bytecode.calculator_wheel(project, folder))
    stock = bytecode.read_zip(pyodide / "python_stdlib.zip")
    traced = folder / "traced.zip"
    traced.write_bytes(bytecode.write_zip(stock | package))
    names = imported(node, pyodide, traced)
    # The package goes in whole: its data and translations are files that no import names.
    needed = bytecode.only(stock, sorted(names - package.keys()))
    return bytecode.write_zip(bytecode.compiled(needed | package))


def imported(node: str, pyodide: Path, stdlib: Path) -> set[str]:
    job = {
        "pyodide": str(pyodide),
        "lock": lock(pyodide),
        "stdlib": str(stdlib),
        "exercise": str(HERE / "exercise.py"),
    }
    return set(json.loads(run_script(node, "trace_modules.mjs", job)))
