"""What the tests ask of a browser, whichever it is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE, wait

# as WebDriver writes the key
BACKSPACE = "\ue003"


class Process:
    """A program with all that it starts, ended as one; what it prints goes to ``log``."""

    def __init__(
        self, command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self._name, self._log = command[0], log
        with log.open("wb") as out:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                env={**os.environ, **(environment or {})}, start_new_session=True,
            )  # fmt: skip

    def printed(self) -> str:
        """What it has printed so far. Raises ``AssertionError`` if it is no longer there."""
        text = self._log.read_text(encoding="utf-8", errors="replace")
        assert self._process.poll() is None, f"{self._name} ended:\n{text}"
        return text

    def end(self) -> None:
        """End it, and every process of its group that may have stayed behind."""
        for order, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, order)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        self._process.wait()


class Browser(ABC):
    """One window of one browser. Keys and clicks are the browser's own, not a script's."""

    version: str

    @abstractmethod
    def open(self, address: str) -> None:
        """Go there and wait until the page is loaded."""

    @abstractmethod
    def value(self, expression: str) -> Any:
        """What a JavaScript expression gives in the page; it must fit in JSON."""

    @abstractmethod
    def fill(self, selector: str, text: str) -> None:
        """Type a text in place of what stands in a text box."""

    @abstractmethod
    def click(self, selector: str) -> None:
        """Click on the first element of a selector."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""

    def begin(self, address: str) -> None:
        """Go there, and wait for nothing."""
        self.value(f"void (location.href = {json.dumps(address)})")

    def until(self, expression: str, seconds: float = PATIENCE) -> None:
        """Wait until a JavaScript expression is true in the page."""
        wait(lambda: self._held(expression), expression, seconds)

    def _held(self, expression: str) -> bool:
        # While a page goes and the next comes, there is a moment without either.
        try:
            return bool(self.value(f"Boolean({expression})"))
        except ScriptFailed:
            return False

    def show(self, selector: str) -> None:
        """Bring an element to the middle of the window."""
        where = json.dumps(selector)
        self.value(f"void document.querySelector({where}).scrollIntoView({{block: 'center'}})")

    def text(self, selector: str) -> str:
        """The text of the first element of a selector, with plain spaces."""
        found: str = self.value(f"document.querySelector({json.dumps(selector)}).textContent")
        return " ".join(found.split())

    def ready(self) -> None:
        """Wait until Python is up and has answered what stands in the form."""
        self.until("VramRuntime.state() === 'ready'")

    def total(self, expected: str) -> None:
        """Wait until the page says that total, such as ``112 GB``."""
        shown = "document.querySelector('#slot-total .total-n').textContent"
        self.until(rf"{shown}.replace(/\s/g, ' ') === {json.dumps(expected)}")


class ScriptFailed(Exception):
    """The page could not tell: the script threw, or the page is being replaced."""
