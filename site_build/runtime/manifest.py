"""What `pack` made: the parts of the Python runtime, as the pages need to know them."""

import json
from dataclasses import dataclass
from html import escape

# The folder under `dist/` that holds the part scripts.
FOLDER = "runtime"


@dataclass(frozen=True)
class Part:
    """One slice of the runtime: gzip, then base64, in a classic script.

    `kind` is what the slices of one thing share (`glue`, `wasm`, `stdlib`, `snapshot`), `index`
    counts from 1 to `count`. `gzip_bytes` is what the slice weighs in gzip, so what a visitor
    downloads, within half a per cent; `text` its base64. `needs` lists, in the glue alone, the
    parts that belong with it (see `entry`). `version` changes with any of this.
    """

    kind: str
    index: int
    count: int
    raw_bytes: int
    gzip_bytes: int
    text: str
    version: str
    needs: str = ""

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.index}"

    @property
    def url(self) -> str:
        """Address relative to the site's root. The name is stable, since a page that a cache still
        holds after a deployment must find its parts; `?v=` tells one content from another."""
        return f"{FOLDER}/{self.name}.js?v={self.version}"

    @property
    def entry(self) -> str:
        """`name:version:bytes`, as in the pages' list."""
        return f"{self.name}:{self.version}:{self.gzip_bytes}"

    def described(self) -> str:
        """What the part says of itself, as JSON: no file name has to mean anything."""
        own = {
            "kind": self.kind,
            "index": self.index,
            "count": self.count,
            "version": self.version,
            "bytes": self.gzip_bytes,
            "length": len(self.text),
        }
        return json.dumps(own | ({"needs": self.needs} if self.needs else {}))


@dataclass(frozen=True)
class RuntimeManifest:
    """All parts, in the order in which a page asks for them: the glue first."""

    parts: tuple[Part, ...]

    @property
    def build(self) -> str:
        """Changes with any part."""
        return self.parts[0].version

    @property
    def total_bytes(self) -> int:
        """Gzip bytes of the whole runtime: the end of the progress bar."""
        return sum(part.gzip_bytes for part in self.parts)

    def parts_attribute(self) -> str:
        """Value of the head script's `data-parts`."""
        return " ".join(part.entry for part in self.parts)

    def payload_scripts(self) -> str:
        """The same parts as inert `<script>` elements, for the single-file page."""
        return "\n".join(
            f'<script type="text/x-payload" data-chunk="{escape(part.described())}">'
            f"{part.text}</script>"
            for part in self.parts
        )
