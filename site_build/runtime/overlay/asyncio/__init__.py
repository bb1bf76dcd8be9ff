"""No event loop: the runtime looks one function up when it starts, and calls it for promises."""

from typing import NoReturn


def get_event_loop() -> NoReturn:
    raise RuntimeError("this runtime has no event loop")
