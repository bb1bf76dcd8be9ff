"""Python source to the bytecode that the runtime reads.

The build's own Python must be of the runtime's minor version (3.13): bytecode carries a magic
number, and `pyodide py-compile` compiles with the interpreter that runs it.
"""

import io
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from importlib.util import MAGIC_NUMBER
from pathlib import Path

from .commands import run

# -P: else our own build.py would be the package of that name that these tools import.
_PYTHON = (sys.executable, "-P")
# The oldest date that a zip can hold; any fixed one would do.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_EPOCH_SECONDS = "315532800"
# Second word of a .pyc (PEP 552): made from a hash, and not to be checked against the source,
# which is not shipped.
_UNCHECKED_HASH = (1).to_bytes(4, "little")
_QUIETLY = ("--silent", "--compression-level", "0")


def calculator_wheel(project: Path, folder: Path) -> Path:
    """Build the wheel of the calculator from `project`, and nothing downloaded to do so."""
    run(
        [*_PYTHON, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=project,
        env={"SOURCE_DATE_EPOCH": _EPOCH_SECONDS},
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def package_files(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel without its metadata."""
    return {name: data for name, data in read_zip(wheel).items() if ".dist-info/" not in name}


def read_zip(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}


def write_zip(files: Mapping[str, bytes]) -> bytes:
    """A zip that stores its members: the gzip around it does better on the whole than deflate
    does on each, and the browser has nothing to inflate on import."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), files[name])
    return buffer.getvalue()


def compiled(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every `.py` replaced by its `.pyc`, without docstrings and assertions (`-OO`).

    Both would be paid for in the visitor's download and in the memory snapshot.
    """
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "sources.zip"
        archive.write_bytes(write_zip(files))
        run(
            [*_PYTHON, "-OO", "-m", "pyodide_cli", "py-compile", *_QUIETLY, str(archive)],
            # py_compile makes hash-based files where this is set, else files with time stamps.
            env={"SOURCE_DATE_EPOCH": _EPOCH_SECONDS},
        )
        return {name: _unchecked(name, data) for name, data in read_zip(archive).items()}


def _unchecked(name: str, data: bytes) -> bytes:
    if not name.endswith(".pyc"):
        return data
    if data[:4] != MAGIC_NUMBER:
        raise ValueError(f"{name}: bytecode of another Python")
    return data[:4] + _UNCHECKED_HASH + data[8:]


def only(files: Mapping[str, bytes], names: Iterable[str]) -> dict[str, bytes]:
    """The named files; KeyError for one that is not there."""
    return {name: files[name] for name in names}
