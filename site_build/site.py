"""``site_src/site.toml`` and the frame's texts, read and validated."""

from __future__ import annotations

import posixpath
import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from calculator.models import models
from site_build.errors import BuildError

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "site_src"


@dataclass(frozen=True)
class Page:
    """A page in every language.

    ``calculator`` names the form it holds, ``catalogue`` the table, if any; ``model`` is the
    slug of the one model that it is about. Only pages with ``nav`` stand in the header.
    """

    id: str
    calculator: str | None
    paths: dict[str, str]
    catalogue: str | None = None
    nav: bool = True
    model: str | None = None


@dataclass(frozen=True)
class Licence:
    """A third-party work that is shipped; ``text`` is the file with its licence."""

    name: str
    version: str
    licence: str
    url: str
    text: Path

    @property
    def file_name(self) -> str:
        return f"{re.sub(r'[^a-z0-9]+', '-', self.name.lower()).strip('-')}.txt"


@dataclass(frozen=True)
class Site:
    """Everything about the site that is not a page's own content."""

    site_url: str
    languages: tuple[str, ...]
    pages: tuple[Page, ...]
    licences: tuple[Licence, ...]
    words: dict[str, dict[str, Any]]
    repository: str

    @cached_property
    def model_pages(self) -> tuple[Page, ...]:
        """A page for each model, in folders beside the table of models."""
        folders = {
            language: posixpath.dirname(path)
            for language, path in self.page("models").paths.items()
        }
        return tuple(
            Page(
                f"models/{slug}", None,
                {each: f"{folder}/{slug}/index.html" for each, folder in folders.items()},
                nav=False, model=slug,
            )
            for slug in models()
        )  # fmt: skip

    @property
    def every_page(self) -> tuple[Page, ...]:
        """The site's own pages, then those of the models."""
        return (*self.pages, *self.model_pages)

    def page(self, page_id: str) -> Page:
        if page_id.startswith("models/"):
            return self._model_pages_by_id[page_id]
        for page in self.pages:
            if page.id == page_id:
                return page
        known = ", ".join(page.id for page in self.pages)
        raise KeyError(f"no page {page_id!r}; there are {known}")

    @cached_property
    def _model_pages_by_id(self) -> dict[str, Page]:
        return {page.id: page for page in self.model_pages}

    @property
    def base_path(self) -> str:
        """The path that the site is served under, with both slashes."""
        path = urlsplit(self.site_url).path if self.site_url else "/"
        return path if path.endswith("/") else f"{path}/"

    def address(self, path: str) -> str:
        """The absolute address of a page's file, without ``index.html``."""
        return self.site_url.rstrip("/") + "/" + re.sub(r"(^|/)index\.html$", r"\1", path)


def relative(target: str, page_path: str) -> str:
    """``target`` as seen from the page at ``page_path``, both relative to ``dist/``."""
    return posixpath.relpath(target, posixpath.dirname(page_path) or ".")


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise BuildError(path, int(line[1]) if line else None, str(error)) from None


def _keys(table: dict[str, Any], prefix: str = "") -> dict[str, frozenset[str]]:
    """Every dotted key with the set of its ``{placeholders}``."""
    found: dict[str, frozenset[str]] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            found |= _keys(value, f"{name}.")
        else:
            found[name] = frozenset(re.findall(r"\{(\w+)\}", str(value)))
    return found


def load_words(folder: Path, languages: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The tables of texts in ``folder`` by language; all hold the same keys and placeholders."""
    words = {language: _toml(folder / f"{language}.toml") for language in languages}
    first = languages[0]
    wanted = _keys(words[first])
    for language in languages[1:]:
        path, present = folder / f"{language}.toml", _keys(words[language])
        for key in sorted(wanted.keys() ^ present.keys()):
            lacking = path if key in wanted else folder / f"{first}.toml"
            raise BuildError(lacking, None, f"the text {key!r} is missing")
        for key, placeholders in wanted.items():
            if placeholders != present[key]:
                raise BuildError(path, None, f"{key!r} has other placeholders than in {first}")
    return words


def _licence(row: dict[str, Any]) -> Licence:
    modules = ROOT / "node_modules"
    version = ""
    if "package" in row:
        manifest = modules / row["package"] / "package.json"
        if not manifest.is_file():
            raise BuildError(manifest, None, "missing: install the npm packages first")
        found = re.search(r'"version": *"([^"]+)"', manifest.read_text(encoding="utf-8"))
        version = found[1] if found else ""
    folder = modules / row["text"]["package"] if "package" in row["text"] else SOURCE / "licences"
    text = folder / row["text"]["file"]
    if not text.is_file():
        raise BuildError(text, None, f"the licence of {row['name']} is missing")
    return Licence(row["name"], version, row["licence"], row["url"], text)


def load(site_url: str, repository: str = "") -> Site:
    """The site as configured, served from ``site_url`` (empty: unknown)."""
    path = SOURCE / "site.toml"
    table = _toml(path)
    languages = tuple(table["languages"])
    pages = []
    for row in table["page"]:
        unknown = row.keys() - {"id", "calculator", "paths", "catalogue", "nav"}
        if unknown:
            raise BuildError(path, None, f"page {row.get('id')!r}: unknown key {min(unknown)!r}")
        if tuple(row["paths"]) != languages:
            raise BuildError(
                path, None, f"page {row['id']!r} needs a path in {', '.join(languages)}"
            )
        pages.append(
            Page(
                row["id"], row.get("calculator"), row["paths"],
                row.get("catalogue"), row.get("nav", True),
            )
        )  # fmt: skip
    return Site(
        (site_url or table["site_url"]).rstrip("/"),
        languages,
        tuple(pages),
        tuple(_licence(row) for row in table["licence"]),
        load_words(SOURCE / "i18n", languages),
        repository,
    )
