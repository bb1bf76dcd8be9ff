"""A Python of the runtime's minor version, and the virtual environment made with it."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path
from typing import Iterator

from toolchain import ROOT, TOOLS, VENV, Missing, is_current, on_path, output_of, record, run

# The bytecode that is shipped is compiled by this Python and loaded by the runtime's, and either
# refuses the other's unless the minor version is the same.
VERSION = "3.13"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements" / "dev.txt"
UV_LOCK = ROOT / "requirements" / "uv.txt"

# A distribution may ship an interpreter without what makes an environment of it.
PROBE = "import ensurepip, ssl, sys, venv, zlib; print('%d.%d' % sys.version_info[:2])"


def set_up() -> None:
    """Make `.venv` hold what the lock file says, if it does not yet."""
    stamp = VENV / ".lock"
    content = f"{VERSION} {hashlib.sha256(LOCK.read_bytes()).hexdigest()}\n"
    runs = output_of([str(PYTHON), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"])
    if runs != VERSION:
        python = find()
        run([python, "-m", "venv", "--clear", str(VENV)], f"making .venv with {python}")
    elif is_current(stamp, content):
        record("python", str(PYTHON))
        return
    install(LOCK, "installing the Python packages (about 90 MB to download)")
    stamp.write_text(content, encoding="utf-8")
    record("python", str(PYTHON))


def install(lock: Path, doing: str) -> None:
    """Install into `.venv` exactly the files that a lock names by their hashes."""
    run(
        [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        + ["--require-hashes", "-r", str(lock)],
        doing,
        "Is the network there, and the package index reachable? Running it again goes on.",
    )


def find() -> str:
    """A Python that runs and can make environments: PYTHON, the system's, pyenv's, or uv's.

    Raises Missing if PYTHON names another, or if none is found and none can be fetched.
    """
    named = os.environ.get("PYTHON")
    if named:
        if output_of([named, "-c", PROBE]) == VERSION:
            return named
        raise Missing(
            f"PYTHON={named} is not a Python {VERSION} that runs and has venv and ensurepip."
            " Name another, or leave PYTHON unset."
        )
    for candidate in candidates():
        if output_of([candidate, "-c", PROBE]) == VERSION:
            return candidate
    return fetched()


def candidates() -> Iterator[str]:
    """Interpreters worth trying, likeliest first."""
    yield sys.executable
    yield from on_path("python" + VERSION)
    for home in dict.fromkeys([Path.home(), own_home()]):
        pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv")
        patches = (pyenv / "versions").glob(VERSION + ".*/bin/python" + VERSION)
        yield from (str(path) for path in sorted(patches, reverse=True))


def own_home() -> Path:
    """The user's home folder as the system has it: HOME may be a throw-away folder."""
    try:
        import pwd

        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except (ImportError, KeyError):
        return Path.home()


def fetched() -> str:
    """A Python that uv downloads into the project's own folder."""
    uv = shutil.which("uv") or installed_uv()
    hint = (
        f"No Python {VERSION} was found, and none could be fetched. Install one (with your system's"
        " packages, pyenv, or from python.org) and set PYTHON to its path if it is not on PATH."
    )
    folder = str(TOOLS / "python")
    request = [uv, "python", "install", "--no-bin", VERSION]
    doing = f"no Python {VERSION} here, so fetching one"
    run(request, doing, hint, UV_PYTHON_INSTALL_DIR=folder)
    for path in sorted(Path(folder).glob("cpython-*/bin/python" + VERSION)):
        if output_of([str(path), "-c", PROBE]) == VERSION:
            return str(path)
    raise Missing(hint)


def installed_uv() -> str:
    """The locked uv, installed by the Python that runs this into a folder of its own."""
    folder = TOOLS / "uv"
    uv = folder / "bin" / "uv"
    if not output_of([str(uv), "--version"]):
        run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            + ["--require-hashes", "--upgrade", "--target", str(folder), "-r", str(UV_LOCK)],
            "installing uv",
            f"Without a Python {VERSION}, this one needs pip to fetch it with"
            " (Debian: apt-get install python3-pip). Or install a Python"
            f" {VERSION} yourself and set PYTHON to its path.",
        )
    return str(uv)
