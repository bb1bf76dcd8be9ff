"""How a page reaches its reader: hosted, in the offline folder, or as one self-contained file.

The three differ in where links lead, in how style, scripts and Python are brought along, and in
the security policy that follows from it; the templates are the same.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from typing import Literal

from markupsafe import Markup, escape

from site_build.assets import Assets
from site_build.site import Page, Site, relative

Mode = Literal["hosted", "folder", "single"]

_HOSTED_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob: 'self'; "
    "style-src 'self'; img-src 'self'; font-src data:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
OFFLINE_FOLDER = "offline"


def offline_name(page: Page, language: str) -> str:
    """The path of a page's self-contained file, in ``dist/``."""
    return f"{OFFLINE_FOLDER}/vram-{page.id}-{language}-offline.html"


@dataclass(frozen=True)
class Runtime:
    """The packed Python: the boot script's list, its gzip bytes, and the parts as inert scripts."""

    parts: str
    total_bytes: int
    payload: str


@dataclass
class Delivery:
    """One page in one language, delivered in one way."""

    mode: Mode
    site: Site
    assets: Assets
    runtime: Runtime
    page: Page
    language: str
    _inlined: dict[str, list[str]] = field(default_factory=lambda: {"script": [], "style": []})

    @property
    def path(self) -> str:
        """Where the file stands in ``dist/``."""
        if self.mode == "single":
            return offline_name(self.page, self.language)
        return self.page.paths[self.language]

    @property
    def root(self) -> str:
        """The way from the page to the site's root: empty, or ``../`` some times."""
        root = relative(".", self.path)
        return "" if root == "." else f"{root}/"

    def href(self, page_id: str, language: str | None = None) -> str:
        """A link to a page; from a self-contained file it leads to the site, if that is known."""
        page = self.site.page(page_id)
        language = language or self.language
        path = page.paths[language]
        if self.mode != "single":
            return relative(path, self.path)
        if (page.id, language) == (self.page.id, self.language):
            return ""
        return self.site.address(path) if self.site.site_url else relative(path, self.path)

    def file(self, path: str) -> str:
        """A link to a file of the site that is no page."""
        if self.mode == "single" and self.site.site_url:
            return f"{self.site.site_url}/{path}"
        return relative(path, self.path)

    def icon(self) -> str:
        """The address of the icon."""
        if self.mode != "single":
            return self.root + self.assets.address("icon.svg")
        return (
            f"data:image/svg+xml;base64,{base64.b64encode(self.assets.files['icon.svg']).decode()}"
        )

    def stylesheet(self, name: str) -> Markup:
        """The element that brings a style sheet in."""
        if self.mode != "single":
            return Markup('<link rel="stylesheet" href="{}">').format(self._address(name))
        return Markup("<style>{}</style>").format(self._inline("style", name))

    def script(self, name: str, *, defer: bool = False, **attributes: str) -> Markup:
        """The element that brings a script in; attributes are for files alone."""
        if self.mode == "single":
            return Markup("<script>{}</script>").format(self._inline("script", name))
        shown = "".join(
            f' {key.replace("_", "-")}="{escape(value)}"' for key, value in attributes.items()
        )
        return Markup('<script{} src="{}"{}></script>').format(
            Markup(" defer" if defer else ""), self._address(name), Markup(shown)
        )

    def _address(self, name: str) -> str:
        return self.root + self.assets.address(name)

    def _inline(self, kind: str, name: str) -> Markup:
        text = self.assets.files[name].decode()
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        if digest not in self._inlined[kind]:
            self._inlined[kind].append(digest)
        return Markup(text)

    def policy(self) -> str:
        """The Content-Security-Policy; call it when everything inlined has been asked for."""
        if self.mode != "single":
            return _HOSTED_POLICY
        hashes = {
            kind: " ".join(f"'sha256-{digest}'" for digest in found)
            for kind, found in self._inlined.items()
        }
        return (
            f"default-src 'none'; script-src 'wasm-unsafe-eval' {hashes['script']}; "
            f"worker-src blob:; style-src {hashes['style']}; img-src data:; font-src data:; "
            "base-uri 'none'; form-action 'none'"
        )
