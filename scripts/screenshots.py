#!/usr/bin/env python3
"""Take the README's pictures of the built site in `dist/`: both languages, themes and widths.

The same site, fonts and browser give the same pictures: nothing on them moves or tells the time.
"""

from __future__ import annotations

import functools
import http.server
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from toolchain import ROOT, browser

FOLDER = ROOT / "docs" / "screenshots"
PAGES = {"it": "index.html", "en": "en/index.html"}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Heights that show the answer and what it is made of.
SIZES = {1280: 900, 360: 780}


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address under which a folder is served on this machine while it lasts."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def picture(
    chromium: Browser, address: str, file: Path, width: int, theme: Literal["light", "dark"]
) -> None:
    """Take one picture, of the page as it stands when Python is up."""
    page = chromium.new_page(
        viewport={"width": width, "height": SIZES[width]},
        color_scheme=theme,
        reduced_motion="reduce",
    )
    page.goto(address)
    # Not wait_for_function: it evaluates text in the page, and the page's policy forbids that.
    for _ in range(600):
        if page.evaluate("VramRuntime.state()") == "ready":
            break
        page.wait_for_timeout(100)
    else:
        raise SystemExit(f"screenshots: Python did not start on {address}.")
    page.evaluate("document.fonts.ready")
    page.screenshot(path=file)
    page.close()


def main() -> int:
    """Take them all. Returns the exit status."""
    dist = ROOT / "dist"
    if not (dist / "index.html").is_file():
        print("screenshots: dist/ holds no site; run 'make build' first.", file=sys.stderr)
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, served(dist) as root:
        chromium = playwright.chromium.launch(**browser.launch_options())
        for language, path in PAGES.items():
            for width in SIZES:
                for theme in THEMES:
                    file = FOLDER / f"training-{language}-{width}-{theme}.png"
                    picture(chromium, root + path, file, width, theme)
                    print(file.relative_to(ROOT))
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
