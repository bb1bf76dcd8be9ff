"""The worker's script: the runtime's own two scripts, ours, and what the build tells ours."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)

NOTICE = """\
/* Contains Pyodide {version}, Copyright (C) 2018-2025 Michael Droettboom, Mozilla, Pyodide
   contributors, under the Mozilla Public License 2.0 (https://github.com/pyodide/pyodide), which
   contains CPython under the PSF License 2.0 and Emscripten under the MIT License. */
"""


# Where the runtime tries for a name that only Node knows, or for its own address, and catches the
# failure: each such throw makes V8 parse all of the script once more, 20 ms.
NO_THROW = 'var exports={},__filename="https://runtime.invalid/worker.js";'


def lock(pyodide: Path) -> dict[str, object]:
    """Pyodide's own lock without a package: its loader wants one, and checks the ABI in it."""
    whole = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    return {"info": whole["info"], "packages": {}}


def version(pyodide: Path) -> str:
    package = json.loads((pyodide / "package.json").read_text(encoding="utf-8"))
    return str(package["version"])


def worker_script(pyodide: Path, asm: str, worker: str, settings: Mapping[str, object]) -> bytes:
    """`asm` is pyodide.asm.js, as shipped or pruned; `settings` reach worker.js as a global."""
    loader = (pyodide / "pyodide.js").read_text(encoding="utf-8")
    pieces = (
        NOTICE.format(version=version(pyodide)),
        NO_THROW,
        asm,
        loader,
        f"self.vramSettings={json.dumps(settings, separators=(',', ':'))};",
        worker,
    )
    return "\n".join(_SOURCE_MAP.sub("", piece) for piece in pieces).encode()
