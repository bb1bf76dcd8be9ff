"""Packages of the system, where the system is Debian and its packages may be installed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Sequence

from toolchain import Missing, is_root, on_path, run


def install(packages: Sequence[str], what: str) -> None:
    """Install Debian's packages, if this is Debian and its root; say so if that does not work."""
    program = next(on_path("apt-get"), "")
    if not program or not is_root() or not is_debian():
        return
    # Another program may hold the lock for a while.
    options = ["-qq", "-o", "DPkg::Lock::Timeout=300"]
    # Installing calls programs that a short PATH does not have.
    folders = [os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"]
    quiet = {"DEBIAN_FRONTEND": "noninteractive", "PATH": os.pathsep.join(folders)}
    try:
        run([program, *options, "update"], f"asking Debian for {what}", **quiet)
        run(
            [program, *options, "install", "--yes", "--no-install-recommends", *packages],
            f"installing {what}",
            **quiet,
        )
    except Missing as problem:
        print(f"set-up: {problem}", flush=True)


def is_debian() -> bool:
    """Whether this is Debian itself: what derives from it may name its packages otherwise."""
    try:
        return "\nID=debian\n" in "\n" + Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return False
