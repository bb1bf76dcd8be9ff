"""Static files with a hash of their content in the address, and the type face in base64."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path

from site_build.errors import BuildError
from site_build.site import ROOT, SOURCE

FONT = "@fontsource-variable/source-sans-3"
_FONT_FILE = "files/source-sans-3-latin-wght-normal.woff2"
# packed by the runtime's build, not served by themselves
_NOT_SERVED = ("js/worker.js",)


@dataclass(frozen=True)
class Assets:
    """Every static file by its path under ``static/``."""

    files: dict[str, bytes]

    def address(self, name: str) -> str:
        """``static/NAME?v=HASH``; the hash makes a browser take a changed file anew."""
        if name not in self.files:
            raise KeyError(f"no static file {name!r}")
        return f"static/{name}?v={hashlib.sha256(self.files[name]).hexdigest()[:8]}"


def _font_face(path: Path, family: str, weights: str, notice: str) -> bytes:
    """A sheet with the font in base64: from a disk, some browsers load no font files."""
    if not path.is_file():
        raise BuildError(path, None, "missing: install the npm packages first")
    data = base64.b64encode(path.read_bytes()).decode()
    return (
        f"/* {notice} */\n"
        f'@font-face{{font-family:"{family}";font-style:normal;font-weight:{weights};'
        f'font-display:swap;src:url(data:font/woff2;base64,{data})format("woff2")}}\n'
    ).encode()


def gather() -> Assets:
    """Read everything under ``site_src/static``; sheets become one, in the order of their names."""
    folder: Path = SOURCE / "static"
    files = read(folder)
    for name in _NOT_SERVED:
        files.pop(name, None)
    sheets = [name for name in files if name.startswith("css/")]
    files["css/style.css"] = b"\n".join(files.pop(name) for name in sheets)
    files["css/fonts.css"] = _font_face(
        ROOT / "node_modules" / FONT / _FONT_FILE,
        "Source Sans 3",
        "200 900",
        "Source Sans 3, Copyright Adobe, SIL Open Font License 1.1 (licences/source-sans-3.txt).",
    )
    files["css/math.css"] = _font_face(
        SOURCE / "fonts" / "stix-two-math.woff2",
        "STIX Two Math Subset",
        "400",
        "STIX Two Math, Copyright The STIX Fonts Project Authors, SIL Open Font License 1.1 "
        "(licences/stix-two-math.txt).",
    )
    return Assets(files)


def read(folder: Path) -> dict[str, bytes]:
    """Every file under ``folder`` by its path in there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
