"""Draw the icons that an installed copy shows, from site_src/static/icon.svg.

The pictures are kept in git; run this after changing the drawing:
    .venv/bin/python scripts/icons.py CHROMIUM
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parent.parent / "site_src" / "static"
# file name, pixels, and the share of the width that the drawing takes
ICONS = (
    ("icon-192.png", 192, 1.0),
    ("icon-512.png", 512, 1.0),
    ("maskable-512.png", 512, 0.8),
)


def main(chromium: str) -> None:
    """Write the pictures."""
    drawing = (STATIC / "icon.svg").read_text(encoding="utf-8")
    ground = re.search(r'fill="(#[0-9a-f]{6})"', drawing)
    if ground is None:
        raise ValueError("icon.svg has no ground to fill the edges with")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, pixels, share in ICONS:
            page = browser.new_page(viewport={"width": pixels, "height": pixels})
            fill = ground[1] if share < 1 else "transparent"
            page.set_content(
                f"<style>body{{margin:0;display:grid;place-items:center;height:100vh;"
                f"background:{fill}}}svg{{width:{share:.0%}}}</style>{drawing}"
            )
            page.screenshot(path=STATIC / "icons" / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium")
