"""The whole site as a zip, to be opened from a disk."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from site_build.delivery import OFFLINE_FOLDER

ZIP_PATH = f"{OFFLINE_FOLDER}/vram-calculator-offline.zip"
_FOLDER = "vram-calculator"
# the earliest moment that a zip can tell: the same files must give the same bytes
_EPOCH = (1980, 1, 1, 0, 0, 0)


def site_zip(files: Mapping[str, bytes]) -> bytes:
    """``files`` by path in one folder, deflated; ``index.html`` is the way in."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(f"{_FOLDER}/{path}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[path], compresslevel=9)
    return buffer.getvalue()
