"""What stops a build, with the file and the line to look at."""

from __future__ import annotations

from pathlib import Path


class BuildError(Exception):
    """A fault in the sources of the site; prints as ``FILE:LINE: what is wrong``."""

    def __init__(self, path: Path | str, line: int | None, text: str) -> None:
        place = f"{path}:{line}" if line else f"{path}"
        super().__init__(f"{place}: {text}")
