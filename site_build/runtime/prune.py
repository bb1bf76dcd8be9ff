"""Pyodide without what only dynamically loaded modules would use, of which we load none.

The runtime exports 9,700 functions and variables, so that a C extension may be linked to any of
them. Its own script uses some 150. Without the other exports a tenth of the code is reached by
nothing and goes, 0.3 MB of the download; so do the script's lines about them.
"""

import hashlib
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from . import wasm
from .commands import HERE, RuntimeBuildError, run

PROJECT = HERE.parent.parent
WASM_OPT = PROJECT / "node_modules" / "binaryen" / "bin" / "wasm-opt"
SHIPPED = ("pyodide.js", "pyodide.mjs", "package.json", "pyodide-lock.json", "python_stdlib.zip")

# The script's own lines about exports: `var _f=Module["_f"]=wasmExports["f"];`, the wrapper that
# turns a pointer into an unsigned number, and the address of a variable.
_ASSIGNED = re.compile(r'var [\w$]+=(?:Module\["[^"]+"\]=)?wasmExports\["([^"]+)"\];')
_WRAPPED = re.compile(r'wasmExports\["([^"]+)"\]=makeWrapper_\w+\(wasmExports\["\1"\]\);')
_ADDRESS = re.compile(r'var [\w$]+=Module\["([^"]+)"\]=\d+;')
_WORD = re.compile(r"[A-Za-z_$][\w$]*")

# What the module is built with; wasm-opt must neither refuse these nor bring in others, which
# older browsers would not take.
FEATURES = (
    "bulk-memory",
    "bulk-memory-opt",
    "sign-ext",
    "mutable-globals",
    "nontrapping-float-to-int",
    "exception-handling",
    "reference-types",
    "call-indirect-overlong",
    "multivalue",
)


def pruned(node: str, pyodide: Path, kept: Path) -> Path:
    """A folder like `pyodide`, the npm package's, with the smaller script and wasm in it.

    It is made below `kept` once for each content. Raises RuntimeBuildError if the script has not
    the form that this module knows.
    """
    script = (pyodide / "pyodide.asm.js").read_text(encoding="utf-8")
    module = (pyodide / "pyodide.asm.wasm").read_bytes()
    made_from = (script.encode(), module, Path(__file__).read_bytes())
    name = hashlib.sha256(b"".join(hashlib.sha256(x).digest() for x in made_from)).hexdigest()
    folder = kept / name[:16]
    if not folder.is_dir():
        shutil.rmtree(kept, ignore_errors=True)
        making = kept / "unfinished"
        making.mkdir(parents=True)
        _make(node, script, module, making)
        for each in SHIPPED:
            shutil.copyfile(pyodide / each, making / each)
        making.rename(folder)
    return folder


def _make(node: str, script: str, module: bytes, folder: Path) -> None:
    exports = wasm.export_names(module)
    needed = used(script, exports)
    if not 100 < len(needed) < 1000 or len(exports) < 5000:
        raise RuntimeBuildError(
            f"{len(needed)} of {len(exports)} exports seem used: has Pyodide's script changed?"
        )
    (folder / "pyodide.asm.js").write_text(without(script, needed), encoding="utf-8")
    small, out = folder / "exports.wasm", folder / "pyodide.asm.wasm"
    small.write_bytes(wasm.with_exports(module, needed))
    features = [f"--enable-{feature}" for feature in FEATURES]
    options = ["--mvp-features", *features, "--remove-unused-module-elements"]
    run([node, str(WASM_OPT), str(small), "-o", str(out), *options])
    small.unlink()


def used(script: str, exports: Sequence[str]) -> set[str]:
    """The exports that the script mentions elsewhere than in its own lines about exports."""
    rest = script
    for pattern in (_WRAPPED, _ASSIGNED, _ADDRESS):
        rest = pattern.sub("", rest)
    words = set(_WORD.findall(rest))
    direct = set(re.findall(r'wasmExports(?:\.|\[")([\w$]+)', rest))
    quoted = set(re.findall(r'"([\w$]+)"', rest))
    return {name for name in exports if f"_{name}" in words or name in direct or name in quoted}


def without(script: str, needed: set[str]) -> str:
    """The script without its lines about other exports."""
    for pattern in (_WRAPPED, _ASSIGNED):
        script = pattern.sub(lambda line: line[0] if line[1] in needed else "", script)
    return script
