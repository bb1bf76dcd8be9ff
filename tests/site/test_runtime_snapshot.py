"""The engine's tests once more, in the very memory that visitors get."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "snapshot"
NODE = os.environ.get("NODE") or shutil.which("node") or "node"
OPTIONS = ("-q", "--import-mode=importlib", "--rootdir=/project", "--confcutdir=/project")
# The snapshot holds no docstrings, so no example in one.
OPTIONS += ("--deselect=tests/calculator/test_cases.py::test_documented_example",)
# It installs the wheel, which takes processes; there are none in there.
ELSEWHERE = "test_package.py"
# What tests/calculator needs beside the standard library; of Hypothesis there is a stand-in.
PACKAGES = ("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "pygments")


def package_files() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None, name
        folder = Path(spec.origin).parent
        if not spec.submodule_search_locations:
            yield spec.origin, f"/project/packages/{name}.py"
            continue
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix in (".py", ".txt", ".json", ".gz"):
                yield str(path), f"/project/packages/{name}/{path.relative_to(folder).as_posix()}"


def project_files() -> Iterator[tuple[str, str]]:
    for path in (HERE / "replay").rglob("*.py"):
        yield str(path), f"/project/{path.relative_to(HERE).as_posix()}"
    yield str(ROOT / "node_modules/pyodide/python_stdlib.zip"), "/project/python_stdlib.zip"
    yield str(ROOT / "tests/conftest.py"), "/project/tests/conftest.py"
    for folder in ("calculator", "tests/calculator"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.name != ELSEWHERE and "__pycache__" not in path.parts:
                yield str(path), f"/project/{path.relative_to(ROOT).as_posix()}"


def record(calls: Path) -> None:
    """Run the engine's tests here, and keep what Hypothesis draws."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "recording", "tests/calculator"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(HERE), "HYPOTHESIS_CALLS": str(calls)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


def test_engine_tests_pass_in_the_restored_snapshot(dist: Path, tmp_path: Path) -> None:
    """Same results, and no import that the snapshot lacks."""
    record(tmp_path / "calls")
    job = {
        "runtime": str(dist / "runtime"),
        "files": [(str(tmp_path / "calls"), "/project/calls"), *package_files(), *project_files()],
        "entry": str(HERE / "run.py"),
        "arguments": ["/project/tests/calculator", *OPTIONS],
    }
    (tmp_path / "job.json").write_text(json.dumps(job), encoding="utf-8")
    done = subprocess.run(
        [NODE, str(HERE / "run.mjs"), str(tmp_path / "job.json")],
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
