"""The same sources give the same bytes."""

import os
import subprocess
import sys
from pathlib import Path

from site_build.site import ROOT

# In another process with another seed of hashes, and with nothing kept of the first build.
BUILD = """
import functools, sys
import build
build.pack = functools.partial(build.pack, kept=None)
sys.exit(build.main(sys.argv[1:]))
"""


def test_second_build_has_the_same_bytes(
    tmp_path: Path, dist: Path, files: dict[str, bytes]
) -> None:
    """A second build, of Python's parts too, differs from the first in no byte of no file."""
    arguments = ["--dist", str(tmp_path), "--site-url", "https://example.org/calcolatore/"]
    done = subprocess.run(
        [sys.executable, "-c", BUILD, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "123", "TZ": "Pacific/Auckland", "LC_ALL": "C"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    again = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert again.keys() == files.keys()
    assert [path for path in files if again[path] != files[path]] == []
