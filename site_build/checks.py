"""Checks on the built files: links, anchors, foreign requests, and what the policy would refuse."""

from __future__ import annotations

import base64
import hashlib
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

# attributes that make a browser fetch something while it shows the page
_FETCHED = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
}
_NOT_FETCHED_LINKS = {"canonical", "alternate"}


@dataclass
class _Scan(HTMLParser):
    """What a page links to, fetches, and names as anchors."""

    path: str
    faults: list[str] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)
    described: list[tuple[int, str]] = field(default_factory=list)
    policy: str = ""
    _inline: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.anchors.append(values["id"])
        for name, value in values.items():
            if name == "style" or name.startswith("on"):
                self._fault(line, f"<{tag} {name}=…> is refused by the security policy")
            if name in ("for", "aria-labelledby", "aria-describedby"):
                self.described += [(line, each) for each in value.split()]
        if tag in ("script", "style") and "src" not in values and "data-chunk" not in values:
            self._inline = (tag, line)
        if tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        for name in ("href", "src"):
            if name not in values:
                continue
            fetched = (tag, name) in _FETCHED and values.get("rel") not in _NOT_FETCHED_LINKS
            parts = urlsplit(values[name])
            if fetched and (parts.netloc or parts.scheme not in ("", "data")):
                self._fault(line, f"<{tag}> fetches from another origin: {values[name]}")
            self.links.append((line, values[name]))

    def handle_data(self, data: str) -> None:
        if self._inline is None:
            return
        tag, line = self._inline
        self._inline = None
        digest = base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()
        if f"'sha256-{digest}'" not in self.policy:
            self._fault(line, f"an inline {tag} is refused by the security policy")

    def _fault(self, line: int, text: str) -> None:
        self.faults.append(f"{self.path}:{line}: {text}")


def _target(page: str, link: str, base_path: str) -> tuple[str, str] | None:
    """The file and anchor that a link of ``page`` means; ``None`` for other sites."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    if path.startswith("/"):
        if not path.startswith(base_path):
            return path, ""
        target = path[len(base_path) :]
    else:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    return target, parts.fragment


def faults(files: Mapping[str, bytes], base_path: str) -> Iterator[str]:
    """Everything wrong with the built ``files`` (by path), one line each."""
    scans: dict[str, _Scan] = {}
    for path, data in files.items():
        if path.endswith(".html"):
            scans[path] = _Scan(path)
            scans[path].feed(data.decode())
    for path, scan in sorted(scans.items()):
        yield from scan.faults
        if not scan.policy:
            yield f"{path}:1: no Content-Security-Policy"
        for name in sorted({each for each in scan.anchors if scan.anchors.count(each) > 1}):
            yield f"{path}: the id {name!r} stands there more than once"
        for line, name in scan.described:
            # the summary's title comes with the summary itself
            if name not in scan.anchors and name != "problems-title":
                yield f"{path}:{line}: refers to the id {name!r}, which is not there"
        for line, link in scan.links:
            found = _target(path, link, base_path)
            if found is None:
                continue
            target, anchor = found
            if target not in files:
                yield f"{path}:{line}: broken link {link}"
            elif anchor and target in scans and anchor not in scans[target].anchors:
                yield f"{path}:{line}: broken anchor {link}"
        if re.search(rb"\{\{ |\{%", files[path]):
            yield f"{path}: an unfilled template mark"
