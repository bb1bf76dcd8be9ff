"""A Chromium for the tests in a real browser, and for the pictures of the pages."""

from __future__ import annotations

import os
import re
from typing import Any

from toolchain import Missing, apt, on_path, output_of, path_of, record, recorded, run
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
    # Fonts, since a bare machine may have none, and text without glyphs has other widths.
    packages = ["chromium", "fonts-dejavu-core", "fonts-liberation"]
    apt.install(packages, "Debian's Chromium (about 100 MB to download)")
    return system()


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
