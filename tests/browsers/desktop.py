"""A screen that nobody sees, with real key presses, for what only a real window can do."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.browsers.driver import Process
from tests.waiting import wait

# The server takes a number that is free, and writes it to the file.
_START = 'exec "$0" -displayfd 3 -screen 0 1280x900x24 -nolisten tcp 3>"$1"'


class Desktop:
    """An X server of its own without a window manager, and the keyboard by xdotool."""

    def __init__(self, server: str, xdotool: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._xdotool = xdotool
        number = folder / "number"
        number.touch()
        self._process = Process(["sh", "-c", _START, server, str(number)], folder / "log.txt")
        try:
            wait(lambda: self._number(number), "the screen has a number")
        except BaseException:
            self._process.end()
            raise
        self.environment = {"DISPLAY": f":{number.read_text().strip()}"}

    def _number(self, file: Path) -> str:
        self._process.printed()
        return file.read_text()

    def windows(self, title: str) -> list[str]:
        """The visible windows whose title matches, a regular expression."""
        return self._do("search", "--onlyvisible", "--name", title).split()

    def press(self, window: str, keys: str) -> None:
        """Give a window the keyboard, and press keys there, such as ``ctrl+s``."""
        self._do("windowfocus", "--sync", window)
        self._do("key", "--clearmodifiers", keys)

    def titles(self) -> Iterator[str]:
        """What is on the screen, for a message."""
        for window in self.windows(".+"):
            yield self._do("getwindowname", window).strip()

    def close(self) -> None:
        """Switch the screen off."""
        self._process.end()

    def _do(self, *command: str) -> str:
        # A window may be gone in the meantime, and a search may find nothing: no faults either.
        done = subprocess.run(
            [self._xdotool, *command], env={**os.environ, **self.environment},
            capture_output=True, encoding="utf-8", check=False, timeout=30,
        )  # fmt: skip
        return done.stdout
