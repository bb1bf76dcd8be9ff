"""Slices, compresses and writes the parts."""

import base64
import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from .manifest import FOLDER, Part, RuntimeManifest

# What one slice should weigh in gzip: small enough for a progress bar that tells the truth and for
# a WebAssembly compiler that is to start early, large enough to keep the number of requests down.
SLICE_BYTES = 400_000


def manifest(glue: bytes, contents: Mapping[str, bytes]) -> RuntimeManifest:
    """The parts of `contents` (kind -> bytes), and of the glue, which names them."""
    others = [part for kind, data in contents.items() for part in slices(kind, data)]
    # One part: the page must have it whole before it can start the worker.
    first = _part("glue", 1, 1, glue)
    needs = " ".join(part.entry for part in others)
    first = replace(first, needs=needs, version=_digest(first.version, needs))
    return RuntimeManifest((first, *others))


def slices(kind: str, data: bytes) -> list[Part]:
    """Cut `data` into equal pieces, each a gzip member of its own.

    Members of their own cost 0.2 % over one stream, and buy that a damaged part is told by
    gzip's own checksum, by name, before a byte of it is used.
    """
    whole = len(gzip.compress(data, compresslevel=1))
    count = max(1, round(whole / SLICE_BYTES))
    step = -(-len(data) // count)
    return [_part(kind, i + 1, count, data[i * step : (i + 1) * step]) for i in range(count)]


def _part(kind: str, index: int, count: int, raw: bytes) -> Part:
    # No time stamp and no file name: the same input gives the same bytes.
    packed = gzip.compress(raw, compresslevel=9, mtime=0)
    text = base64.b64encode(packed).decode("ascii")
    version = _digest(kind, str(index), str(count), text)
    return Part(kind, index, count, len(raw), len(packed), text, version)


def _digest(*texts: str) -> str:
    return hashlib.sha256("/".join(texts).encode()).hexdigest()[:8]


def write(made: RuntimeManifest, dist: Path) -> None:
    """One classic script a part, which hands it over whether the page's code runs before or
    after."""
    folder = dist / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for part in made.parts:
        text = f'(self.vramParts=self.vramParts||[]).push([{part.described()},"{part.text}"]);\n'
        (folder / f"{part.name}.js").write_text(text, encoding="ascii", newline="\n")
