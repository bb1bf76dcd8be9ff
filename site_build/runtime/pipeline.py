"""Makes all parts of the runtime, from the calculator's source and the pinned Pyodide."""

import json
import struct
import tempfile
from pathlib import Path

from . import bytecode, cache, packing
from .commands import HERE, run_script
from .glue import lock, worker_script
from .manifest import RuntimeManifest
from .prune import pruned

PROJECT = HERE.parent.parent
PYODIDE = PROJECT / "node_modules" / "pyodide"
PRUNED = PROJECT / ".cache" / "pyodide"
SCRIPTS = PROJECT / "site_src" / "static" / "js"


def pack(
    dist: Path,
    node: str,
    *,
    project: Path = PROJECT,
    pyodide: Path = PYODIDE,
    snapshot: bool = True,
    kept: Path | None = PROJECT / ".cache" / "runtime",
) -> RuntimeManifest:
    """Write the part scripts into `dist`/runtime and say what they are.

    `node` is the Node executable; `project` holds pyproject.toml and the calculator; `pyodide` is
    the npm package's folder. Without `snapshot` the parts hold the standard library as bytecode
    instead, which relies on Pyodide's public interface alone and starts twice as slowly. `kept`
    holds the parts of the last build, which are used again when nothing that they are made from
    has changed. The same sources give the same bytes. Raises RuntimeBuildError where a step fails.
    """
    name = cache.key(_sources(project, pyodide), snapshot) if kept else ""
    manifest = cache.load(kept, name) if kept else None
    if manifest is None:
        manifest = _make(node, project, pruned(node, pyodide, PRUNED), snapshot)
        if kept:
            cache.save(kept, name, manifest)
    packing.write(manifest, dist)
    return manifest


def _sources(project: Path, pyodide: Path) -> list[Path]:
    folders = (project / "calculator", HERE, SCRIPTS, pyodide)
    inside = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return [project / "pyproject.toml", *(p for p in inside if "__pycache__" not in p.parts)]


def _make(node: str, project: Path, pyodide: Path, snapshot: bool) -> RuntimeManifest:
    with tempfile.TemporaryDirectory() as folder:
        glue, contents = _contents(node, project, pyodide, snapshot, Path(folder))
    return packing.manifest(glue, contents)


def _contents(
    node: str, project: Path, pyodide: Path, snapshot: bool, folder: Path
) -> tuple[bytes, dict[str, bytes]]:
    """The worker's script, and what it needs in the order in which it can use it."""
    library = standard_library(node, project, pyodide, folder)
    memory = make_snapshot(node, pyodide, library, folder) if snapshot else b""
    settings = {
        "lock": lock(pyodide),
        # The first word of a snapshot: a memory of this size is made before the rest arrives.
        "snapshotBytes": struct.unpack_from("<I", memory)[0] if memory else 0,
    }
    asm = (pyodide / "pyodide.asm.js").read_text(encoding="utf-8")
    ours = [(SCRIPTS / name).read_text(encoding="utf-8") for name in ("unpack.js", "worker.js")]
    wasm = (pyodide / "pyodide.asm.wasm").read_bytes()
    return (
        worker_script(pyodide, asm, "\n".join(ours), settings),
        {"wasm": wasm, **({"snapshot": memory} if memory else {"stdlib": library})},
    )


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
