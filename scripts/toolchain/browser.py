"""A Chromium for the tests in a real browser, and for the pictures of the pages."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from toolchain import Missing, is_root, on_path, output_of, path_of, record, recorded, run
from toolchain.python import PYTHON

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/{0}.app/Contents/MacOS/{0}"
WHAT_TO_DO = (
    "Install Chromium or Chrome (Debian: apt-get install chromium), or set CHROMIUM to the path of"
    " one. Building and serving the site need none."
)


def set_up() -> None:
    """Record a Chromium that runs. CHROMIUM overrules what was found before."""
    named = os.environ.get("CHROMIUM")
    if named and not runs(named):
        raise Missing(f"CHROMIUM={named} is not a Chromium or Chrome that runs. {WHAT_TO_DO}")
    if named or "chromium" not in recorded():
        record("chromium", named or system() or debian() or downloaded())


def launch_options() -> dict[str, Any]:
    """What Playwright's `launch` needs to start the recorded browser."""
    return {"executable_path": path_of("chromium")}


def runs(path: str) -> bool:
    """Whether that program starts and is a Chromium: Ubuntu's package is only a hint to another."""
    return bool(re.search(r"\bChrom(e|ium)\b", output_of([path, "--version"])))


def system() -> str:
    """A Chromium that is installed, or nothing."""
    places = [path for name in NAMES for path in on_path(name)]
    places += [MAC.format(name) for name in ("Chromium", "Google Chrome")]
    return next((path for path in places if runs(path)), "")


def debian() -> str:
    """Debian's package, where packages may be installed, or nothing."""
    apt = next(on_path("apt-get"), "")
    if not apt or not is_root() or not is_debian():
        return ""
    # Another program may hold the lock for a while. Fonts, since a bare machine may have none, and
    # text without glyphs has other widths.
    options = ["-qq", "-o", "DPkg::Lock::Timeout=300"]
    packages = ["chromium", "fonts-dejavu-core", "fonts-liberation"]
    # Installing calls programs that a short PATH does not have.
    folders = [os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"]
    quiet = {"DEBIAN_FRONTEND": "noninteractive", "PATH": os.pathsep.join(folders)}
    try:
        run([apt, *options, "update"], "no Chromium here, so asking Debian for one", **quiet)
        run(
            [apt, *options, "install", "--yes", "--no-install-recommends", *packages],
            "installing Debian's Chromium (about 100 MB to download)",
            **quiet,
        )
    except Missing as problem:
        print(f"set-up: {problem}", flush=True)
    return system()


def is_debian() -> bool:
    """Whether this is Debian itself: what derives from it may name its packages otherwise."""
    try:
        return "\nID=debian\n" in "\n" + Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return False


def downloaded() -> str:
    """The browser that Playwright downloads for itself. Raises Missing if that does not run."""
    run(
        [str(PYTHON), "-m", "playwright", "install", "--no-shell", "chromium"],
        "no Chromium here, so letting Playwright download one (about 170 MB)",
        WHAT_TO_DO,
    )
    ask = (
        "from playwright.sync_api import sync_playwright as playwright\n"
        "with playwright() as p: print(p.chromium.executable_path)"
    )
    path = output_of([str(PYTHON), "-c", ask])
    if not path or not runs(path):
        raise Missing(f"The Chromium that Playwright downloaded does not run. {WHAT_TO_DO}")
    return path
