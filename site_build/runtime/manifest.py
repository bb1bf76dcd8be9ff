"""What `pack` made: the parts of the Python runtime, as the pages need to know them."""

import json
from dataclasses import dataclass
from html import escape

# The folder under `dist/` that holds the part scripts.
FOLDER = "runtime"


@dataclass(frozen=True)
class Part:
    """One self-contained slice of the runtime: gzip, then base64, in a classic script.

    `kind` is what the slices of one thing share (`glue`, `wasm`, `stdlib`, `snapshot`), `index`
    counts from 1 to `count`. `raw_bytes` is the slice's own size, `gzip_bytes` what it weighs in
    gzip (so what a visitor downloads, within half a per cent), `text` its base64.
    """

    kind: str
    index: int
    count: int
    raw_bytes: int
    gzip_bytes: int
    text: str
    version: str

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.index}"

    @property
    def url(self) -> str:
        """Address relative to the site's root. The name is stable, since a page that a cache still
        holds after a deployment must find its parts; `?v=` tells one content from another."""
        return f"{FOLDER}/{self.name}.js?v={self.version}"


@dataclass(frozen=True)
class RuntimeManifest:
    """All parts, in the order in which a page asks for them, and the build that they belong to."""

    build: str
    parts: tuple[Part, ...]

    @property
    def total_bytes(self) -> int:
        """Gzip bytes of the whole runtime: the end of the progress bar."""
        return sum(part.gzip_bytes for part in self.parts)

    def parts_attribute(self) -> str:
        """Value of the head script's `data-parts`: `name:version:bytes` for each part."""
        return " ".join(f"{part.name}:{part.version}:{part.gzip_bytes}" for part in self.parts)

    def payload_scripts(self) -> str:
        """The same parts as inert `<script>` elements, for the single-file page."""
        return "\n".join(self._payload(part) for part in self.parts)

    def _payload(self, part: Part) -> str:
        described = escape(json.dumps(describe(part, self.build)), quote=True)
        return f'<script type="text/x-payload" data-chunk="{described}">{part.text}</script>'


def describe(part: Part, build: str) -> dict[str, str | int]:
    """What a part says of itself, so that nothing depends on the name of the file it came in."""
    return {
        "kind": part.kind,
        "index": part.index,
        "count": part.count,
        "build": build,
        "bytes": part.gzip_bytes,
        "length": len(part.text),
    }
