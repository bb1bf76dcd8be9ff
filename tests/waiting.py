"""Waiting for what a browser does, by looking at it and never by the clock alone."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Seconds; for a busy machine of two cores. Nothing waits that long where all is well.
PATIENCE = 90.0


def wait(question: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
    """Ask until the answer is true. Raises ``AssertionError`` with the last answer."""
    deadline = time.monotonic() + seconds
    while not (answer := question()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds:.0f} s; the last answer: {answer!r}")
        time.sleep(0.05)
    return answer
