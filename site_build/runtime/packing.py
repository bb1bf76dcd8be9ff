"""Slices, compresses and writes the parts."""

import base64
import gzip
import hashlib
import json
from pathlib import Path

from .manifest import FOLDER, Part, describe

# What one slice should weigh in gzip: small enough for a progress bar that tells the truth and for
# a WebAssembly compiler that is to start early, large enough to keep the number of requests down.
SLICE_BYTES = 400_000


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:8]


def compress(data: bytes) -> bytes:
    # No time stamp and no file name: the same input gives the same bytes.
    return gzip.compress(data, compresslevel=9, mtime=0)


def slices(kind: str, data: bytes) -> list[Part]:
    """Cut `data` into equal pieces, each a gzip member of its own.

    Members of their own cost 0.2 % over one stream, and buy that a damaged part is told by
    gzip's own checksum, by name, before a byte of it is used.
    """
    whole = len(compress(data))
    count = max(1, round(whole / SLICE_BYTES))
    step = -(-len(data) // count)
    parts = []
    for index in range(count):
        raw = data[index * step : (index + 1) * step]
        packed = compress(raw)
        parts.append(
            Part(
                kind=kind,
                index=index + 1,
                count=count,
                raw_bytes=len(raw),
                gzip_bytes=len(packed),
                text=base64.b64encode(packed).decode("ascii"),
                version=digest(packed),
            )
        )
    return parts


def script(part: Part, build: str) -> str:
    """A classic script that hands its part over, whether the page's code runs before or after."""
    described = json.dumps(describe(part, build), separators=(",", ":"))
    return f'(self.vramParts=self.vramParts||[]).push([{described},"{part.text}"]);\n'


def write(parts: tuple[Part, ...], build: str, dist: Path) -> None:
    folder = dist / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        text = script(part, build)
        (folder / f"{part.name}.js").write_text(text, encoding="ascii", newline="\n")
