"""Every page as bytes by path, made from content, templates and the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

import calculator
from calculator.numbers import format_number
from site_build import model_pages, public_data, reference
from site_build.assets import Assets
from site_build.content import Content, front_matter, load
from site_build.delivery import Delivery, Mode, Runtime, offline_name
from site_build.errors import BuildError
from site_build.figures import Figures, answer
from site_build.forms import groups, initial_form
from site_build.site import SOURCE, Page, Site

NOTES_ID = {"it": "fonti-note", "en": "sources-notes"}
# Sections of the method page that every page's foot links to, by language.
_FOOT_ANCHORS = {
    "sources": {"it": "fonti", "en": "sources"},
    "limits": {"it": "limiti", "en": "limits"},
}
_CATALOGUE_SCRIPTS = ("js/catalogue.js",)
# In the order in which they must run; in a self-contained file they stand after Python's parts.
_CALCULATOR_SCRIPTS = (
    "js/unpack.js",
    "js/runtime.js",
    "js/form.js",
    "js/combobox.js",
    "js/upload.js",
    "js/app.js",
)


@dataclass(frozen=True)
class Downloads:
    """What a hosted page offers to take away: bytes of each self-contained file, and of the zip."""

    single: Mapping[str, int]
    zip_path: str
    zip_bytes: int


def environment() -> jinja2.Environment:
    """The templates' environment: everything escaped, nothing undefined."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(SOURCE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@dataclass(frozen=True)
class Builder:
    """Makes pages; ``built`` is the date that copies carry."""

    site: Site
    assets: Assets
    runtime: Runtime
    built: date
    templates: jinja2.Environment

    def pages(self, mode: Mode, downloads: Downloads | None = None) -> dict[str, bytes]:
        """All pages in every language, delivered in one way; single files for calculators only."""
        found: dict[str, bytes] = {}
        for page in self.site.every_page:
            if mode == "single" and page.calculator is None:
                continue
            contents = {
                language: self._content(self._delivery(mode, page, language))
                for language in self.site.languages
            }
            counts = {language: len(each.sections) for language, each in contents.items()}
            if len(set(counts.values())) > 1:
                where = SOURCE / "content"
                raise BuildError(where, None, f"page {page.id!r}: sections differ, {counts}")
            for language, content in contents.items():
                delivery = self._delivery(mode, page, language)
                found[delivery.path] = self._page(delivery, content, downloads)
        return found

    def _delivery(self, mode: Mode, page: Page, language: str) -> Delivery:
        return Delivery(mode, self.site, self.assets, self.runtime, page, language)

    def _content(self, delivery: Delivery) -> Content:
        language = delivery.language
        if delivery.page.model is not None:
            return model_pages.content(delivery, self.site.words[language]["reference"]["nav"])
        figures = Figures(delivery, self.templates)
        return load(
            source_of(delivery.page, language), self.site.words[language], self.templates,
            figures.functions(), NOTES_ID[language],
        )  # fmt: skip

    def _page(self, delivery: Delivery, content: Content, downloads: Downloads | None) -> bytes:
        site, page, language = self.site, delivery.page, delivery.language
        other = next(each for each in site.languages if each != language)
        hosted = delivery.mode == "hosted"
        context: dict[str, Any] = {
            "delivery": delivery,
            "mode": delivery.mode,
            "language": language,
            "words": site.words[language],
            "content": content,
            "version": calculator.__version__,
            "built": self.built,
            "built_text": _date_text(self.built, site.words[language]["months"]),
            "page_id": page.id,
            "calculator": page.calculator,
            "scripts": _scripts(page),
            "section": "models" if page.catalogue or page.model else "",
            "runtime_size": _megabytes(self.runtime.total_bytes, language),
            "payload": Markup(self.runtime.payload),
            "parts": self.runtime.parts,
            "address": site.address(page.paths[language]) if site.site_url else "",
            "alternates": alternates(site, page) if hosted else [],
            "pages": [
                {
                    "id": each.id,
                    "nav": _nav(source_of(each, language)),
                    "in_nav": each.nav,
                    "href": delivery.href(each.id),
                }
                for each in site.pages
            ],
            "other": {"language": other, "href": delivery.href(page.id, other)},
            "foot": {
                name: f"{delivery.href('method')}#{anchors[language]}"
                for name, anchors in _FOOT_ANCHORS.items()
            },
            "repository": site.repository,
            "downloads": self._downloads(delivery, downloads) if downloads else None,
        }
        template = "article.html"
        if page.calculator is not None:
            reply = answer(page.calculator, language, initial_form(page.calculator, language))
            if not reply["ok"]:
                where = "calculator/fields.py"
                raise BuildError(where, None, f"the first values of {page.calculator} fail")
            context |= {"slots": reply["slots"], "groups": groups(page.calculator, language)}
            template = "calculator.html"
        elif page.catalogue is not None:
            context |= {"table": reference.table(delivery), **self._catalogue(delivery, context)}
            template = "reference.html"
        elif page.model is not None:
            context["one"] = model_pages.page(delivery)
            template = "model.html"
        body = self.templates.get_template(template).render(context)
        # only now is it known what stands inside the page
        return body.replace("POLICY-OF-THIS-PAGE", delivery.policy(), 1).encode()

    def _catalogue(self, delivery: Delivery, context: Mapping[str, Any]) -> dict[str, Any]:
        """Links beside a reference table: to the other tables, and to its public data."""
        of = {page.id: page.catalogue for page in self.site.pages if page.catalogue}
        path = public_data.path_of(delivery.page.catalogue or "")
        return {
            "catalogues": [each for each in context["pages"] if each["id"] in of],
            "data_href": delivery.file(path),
            "data_name": path.rpartition("/")[2],
        }

    def _downloads(self, delivery: Delivery, downloads: Downloads) -> dict[str, str]:
        name = offline_name(delivery.page, delivery.language)
        size = downloads.single.get(name, 0)
        return {
            "single": delivery.file(name) if size else "",
            "single_size": _megabytes(size, delivery.language),
            "zip": delivery.file(downloads.zip_path),
            "zip_size": _megabytes(downloads.zip_bytes, delivery.language),
        }


def source_of(page: Page, language: str) -> Path:
    """The Markdown file of a page."""
    path = SOURCE / "content" / language / f"{page.id}.md"
    if not path.is_file():
        raise BuildError(path, None, f"page {page.id!r} has no text in {language}")
    return path


@cache
def _nav(path: Path) -> str:
    """What the page of this text is called in the header; asked by every page, so kept."""
    return front_matter(path)[0]["nav"]


def _scripts(page: Page) -> tuple[str, ...]:
    if page.calculator:
        return _CALCULATOR_SCRIPTS
    return _CATALOGUE_SCRIPTS if page.catalogue else ()


def alternates(site: Site, page: Page) -> list[tuple[str, str]]:
    """The page's absolute addresses by ``hreflang``; none where the site's own is unknown."""
    if not site.site_url:
        return []
    found = [(language, site.address(page.paths[language])) for language in site.languages]
    return [*found, ("x-default", found[0][1])]


def _megabytes(size: int, language: str) -> str:
    return f"{format_number(Decimal(size) / 10**6, language, decimals=1)}\u00a0MB"


def _date_text(day: date, months: list[str]) -> str:
    return f"{day.day} {months[day.month - 1]} {day.year}"
