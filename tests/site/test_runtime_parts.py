"""The parts of the runtime: what is in them, what they weigh, and that builds repeat."""

import base64
import gzip
import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Mapping
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

import pytest

from site_build.runtime import RuntimeBuildError, bytecode, cache, pack, packing
from site_build.runtime.pipeline import PROJECT

NODE = os.environ.get("NODE") or shutil.which("node") or "node"
SCRIPT = re.compile(
    r'\(self\.vramParts=self\.vramParts\|\|\[\]\)\.push\(\[(\{.*\}),"([\w+/=]+)"\]\);\n'
)


def read_parts(runtime: Path) -> dict[str, tuple[dict[str, Any], str]]:
    """Each part script's own description and text, by file name."""
    found = {}
    for path in sorted(runtime.iterdir()):
        match = SCRIPT.fullmatch(path.read_text(encoding="ascii"))
        assert match, f"{path.name} is no part"
        found[path.name] = (json.loads(match[1]), match[2])
    return found


def contents(runtime: Path) -> dict[str, bytes]:
    """The parts put together again, by kind."""
    slices: defaultdict[str, dict[int, bytes]] = defaultdict(dict)
    for chunk, text in read_parts(runtime).values():
        slices[chunk["kind"]][chunk["index"]] = gzip.decompress(base64.b64decode(text))
    return {kind: b"".join(of[i + 1] for i in range(len(of))) for kind, of in slices.items()}


def files(folder: Path) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def runtime(dist: Path) -> Path:
    return dist / "runtime"


def test_parts_describe_themselves(runtime: Path) -> None:
    """Kind, index, count, length and weight are told by the part, and are true."""
    parts = read_parts(runtime)
    for name, (chunk, text) in parts.items():
        assert name == f"{chunk['kind']}-{chunk['index']}.js"
        assert 1 <= chunk["index"] <= chunk["count"]
        assert len(text) == chunk["length"]
        assert len(base64.b64decode(text)) == chunk["bytes"]
    assert {chunk["kind"] for chunk, _ in parts.values()} == {"glue", "wasm", "snapshot"}


def test_glue_names_the_parts_that_belong_to_it(runtime: Path) -> None:
    """So a page never starts from parts of two builds."""
    parts = read_parts(runtime)
    glue, _ = parts.pop("glue-1.js")
    listed = dict(entry.split(":", 1) for entry in glue["needs"].split())
    assert listed == {
        name.removesuffix(".js"): f"{chunk['version']}:{chunk['bytes']}"
        for name, (chunk, _) in parts.items()
    }


def test_runtime_keeps_its_byte_budget(runtime: Path) -> None:
    """At most 5 MB in gzip, so that a page of 5.5 MB is within reach; no slice above 0.6 MB."""
    weights = {path.name: len(gzip.compress(path.read_bytes(), 6)) for path in runtime.iterdir()}
    assert sum(weights.values()) <= 5_000_000, weights
    assert max(weights.values()) <= 600_000, weights


def test_snapshot_tells_nothing_of_the_machine(runtime: Path) -> None:
    """No path of the machine that it was made on, no clock, no name."""
    memory = contents(runtime)["snapshot"]
    for leak in (str(PROJECT), str(Path.home()), str(Path(NODE).parent) + "/node"):
        assert leak.encode() not in memory, leak


def test_shipped_software_keeps_its_notices(runtime: Path) -> None:
    script = contents(runtime)["glue"].decode()
    for notice in ("Mozilla Public License 2.0", "PSF License 2.0", "Emscripten"):
        assert notice in script[:1000]


def test_two_builds_give_the_same_bytes(runtime: Path, tmp_path: Path) -> None:
    """The second made from scratch, in another folder."""
    pack(tmp_path / "dist", NODE, kept=None)
    assert files(tmp_path / "dist" / "runtime") == files(runtime)


def test_kept_parts_are_used_only_for_the_same_sources(tmp_path: Path) -> None:
    """A changed source gives another name to what is kept."""
    sources = tmp_path / "a.py", tmp_path / "b.py"
    for path in sources:
        path.write_text("1")
    before = cache.key(sources)
    assert cache.key(sources) == before
    sources[1].write_text("2")
    assert cache.key(sources) != before


def test_slices_make_up_the_whole() -> None:
    data = bytes(range(256)) * 7001
    parts = packing.slices("wasm", data)
    assert b"".join(gzip.decompress(base64.b64decode(part.text)) for part in parts) == data
    assert [part.index for part in parts] == list(range(1, len(parts) + 1))


def test_bytecode_has_no_docstrings_and_no_times() -> None:
    """Made with -OO, and as an unchecked-hash file, for no source is there to check against."""
    source = {"a/b.py": b'"""Doc."""\nassert 1\nX = 1\n', "a/data.toml": b"x = 1\n"}
    made = bytecode.compiled(source)
    assert sorted(made) == ["a/b.pyc", "a/data.toml"]
    assert made["a/b.pyc"][:8] == MAGIC_NUMBER + b"\x01\0\0\0"
    assert b"Doc." not in made["a/b.pyc"]
    assert made["a/data.toml"] == source["a/data.toml"]
    assert bytecode.compiled(source) == made


def test_failing_program_is_reported(tmp_path: Path) -> None:
    """The message says which, and what it said."""
    with pytest.raises(RuntimeBuildError, match="no-such-node"):
        pack(tmp_path, "no-such-node", kept=None)


def test_bytecode_variant_starts_too(tmp_path: Path) -> None:
    """The way back, should Pyodide's private snapshot interface ever go."""
    manifest = pack(tmp_path, NODE, snapshot=False, kept=None)
    assert {part.kind for part in manifest.parts} == {"glue", "wasm", "stdlib"}
    form = {"parameters": "13", "memory_per_parameter": "adam-mixed", "activation_memory": "0"}
    request = json.dumps({"calculator": "training", "language": "en", "form": form})
    done = subprocess.run(
        [NODE, str(Path(__file__).parent / "snapshot/ask.mjs"), str(tmp_path / "runtime"), request],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    reply = json.loads(done.stdout)
    assert reply["ok"] and "208" in reply["slots"]["total"]
