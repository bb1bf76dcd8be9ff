#!/usr/bin/env python3
"""Set up what the project is built and tested with, in its own folder; do nothing twice.

Makes `.venv` and `node_modules` as their lock files say, finds a Chromium or all browsers when
asked to, and records the paths in `.toolchain.json`. Any Python from 3.8 on runs it. The only
change outside the project's folder are Debian's browsers, and that only for root on a Debian that
has none.
"""

from __future__ import annotations

import argparse
import sys
import time

import toolchain
from toolchain import browser, engines, node, python


def main() -> int:
    """Set up, or print a path. Returns the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--browser", action="store_true", help="find or install a Chromium too")
    arguments.add_argument("--browsers", action="store_true", help="three browser engines")
    arguments.add_argument("--path", metavar="TOOL", help="only print where a tool was found")
    asked = arguments.parse_args()
    try:
        if asked.path:
            print(toolchain.path_of(asked.path))
            return 0
        start = time.monotonic()
        python.set_up()
        node.set_up()
        if asked.browser or asked.browsers:
            browser.set_up()
        if asked.browsers:
            engines.set_up()
    except toolchain.Missing as problem:
        print(f"set-up: {problem}", file=sys.stderr)
        return 1
    print(f"set-up: ready ({time.monotonic() - start:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
