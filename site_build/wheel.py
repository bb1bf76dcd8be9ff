"""The calculator as a wheel, for those who want it at the command line."""

from __future__ import annotations

import tempfile
from pathlib import Path

from site_build.runtime.bytecode import calculator_wheel
from site_build.site import ROOT

FOLDER = "python"


def build() -> dict[str, bytes]:
    """The wheel by its path in ``dist/``; the same sources give the same bytes."""
    with tempfile.TemporaryDirectory(prefix="llm-vram-") as name:
        wheel = calculator_wheel(ROOT, Path(name))
        return {f"{FOLDER}/{wheel.name}": wheel.read_bytes()}
