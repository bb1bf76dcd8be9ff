"""Every page of the site as bytes by path, made from content, templates and the engine."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import jinja2

import calculator
from calculator.numbers import format_number
from site_build.assets import Assets
from site_build.content import Content, load
from site_build.errors import BuildError
from site_build.figures import Figures, answer
from site_build.forms import groups, initial_form
from site_build.site import SOURCE, Page, Site, relative

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob: 'self'; "
    "style-src 'self'; img-src 'self' data:; font-src data:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
NOTES_ID = {"it": "fonti-note", "en": "sources-notes"}


@dataclass(frozen=True)
class Runtime:
    """What pages must know of the packed runtime: the boot script's list and its size."""

    parts: str
    total_bytes: int


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


def build(site: Site, assets: Assets, runtime: Runtime) -> dict[str, bytes]:
    """The pages in every language, the 404 page, sitemap and robots file."""
    templates = environment()
    contents: dict[tuple[str, str], Content] = {}
    for page in site.pages:
        for language in site.languages:
            path = SOURCE / "content" / language / f"{page.id}.md"
            if not path.is_file():
                raise BuildError(path, None, f"page {page.id!r} has no text in {language}")
            figures = Figures(site, page, language, templates)
            contents[page.id, language] = load(
                path, site.words[language], templates, figures.functions(), NOTES_ID[language]
            )
        lengths = {
            language: len(contents[page.id, language].sections) for language in site.languages
        }
        if len(set(lengths.values())) > 1:
            raise BuildError(
                SOURCE / "content", None, f"page {page.id!r}: sections differ, {lengths}"
            )
    files = {
        page.paths[language]: _page(site, page, language, contents, assets, runtime, templates)
        for page in site.pages
        for language in site.languages
    }
    files["404.html"] = _not_found(site, contents, templates)
    if site.site_url:
        files["sitemap.xml"] = _sitemap(site)
        files["robots.txt"] = f"Sitemap: {site.address('sitemap.xml')}\n".encode()
    return files


def _page(
    site: Site,
    page: Page,
    language: str,
    contents: Mapping[tuple[str, str], Content],
    assets: Assets,
    runtime: Runtime,
    templates: jinja2.Environment,
) -> bytes:
    path = page.paths[language]
    root = relative(".", path)
    root = "" if root == "." else f"{root}/"
    other = next(each for each in site.languages if each != language)
    method = relative(site.page("method").paths[language], path)
    context: dict[str, Any] = {
        "language": language,
        "words": site.words[language],
        "content": contents[page.id, language],
        "policy": POLICY,
        "version": calculator.__version__,
        "page_id": page.id,
        "calculator": page.calculator,
        "root": root,
        "parts": runtime.parts,
        "runtime_size": _megabytes(runtime.total_bytes, language),
        "asset": lambda name: root + assets.address(name),
        "address": site.address(path) if site.site_url else "",
        "alternates": _alternates(site, page),
        "pages": [
            {
                "id": each.id,
                "nav": contents[each.id, language].nav,
                "href": relative(each.paths[language], path),
            }
            for each in site.pages
        ],
        "other": {"language": other, "href": relative(page.paths[other], path)},
        "sources_href": f"{method}#{_anchor(contents, language, 'sources')}",
        "limits_href": f"{method}#{_anchor(contents, language, 'limits')}",
        "repository": site.repository,
    }
    if page.calculator is None:
        return templates.get_template("article.html").render(context).encode()
    reply = answer(page.calculator, language, initial_form(page.calculator, language))
    if not reply["ok"]:
        raise BuildError(
            "calculator/fields.py", None, f"the {page.calculator} form's first values fail"
        )
    context |= {"slots": reply["slots"], "groups": groups(page.calculator, language)}
    return templates.get_template("calculator.html").render(context).encode()


def _megabytes(size: int, language: str) -> str:
    return f"{format_number(Decimal(size) / 10**6, language, decimals=1)}\u00a0MB"


_METHOD_ANCHORS = {
    "sources": {"it": "fonti", "en": "sources"},
    "limits": {"it": "limiti", "en": "limits"},
}


def _anchor(contents: Mapping[tuple[str, str], Content], language: str, name: str) -> str:
    """The anchor of a section of the method page that every page's foot links to."""
    anchor = _METHOD_ANCHORS[name][language]
    sections = contents["method", language].sections
    if anchor not in [section.id for section in sections]:
        raise BuildError(
            SOURCE / "content" / language / "method.md",
            None,
            f"no section {anchor!r}; the foot links to it",
        )
    return anchor


def _alternates(site: Site, page: Page) -> list[tuple[str, str]]:
    if not site.site_url:
        return []
    found = [(language, site.address(page.paths[language])) for language in site.languages]
    return [*found, ("x-default", found[0][1])]


def _not_found(
    site: Site, contents: Mapping[tuple[str, str], Content], templates: jinja2.Environment
) -> bytes:
    """Served at any depth, so its links start at the site's own path and its style is inside."""
    style = (SOURCE / "templates" / "404.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    pages = {
        language: [
            {
                "heading": contents[page.id, language].heading,
                "href": site.base_path + page.paths[language],
            }
            for page in site.pages
        ]
        for language in site.languages
    }
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        templates.get_template("404.html")
        .render(languages=site.languages, words=site.words, pages=pages, style=style, policy=policy)
        .encode()
    )


def _sitemap(site: Site) -> bytes:
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    )
    for page in site.pages:
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>'
            for code, href in _alternates(site, page)
        )
        lines += [
            f"<url><loc>{site.address(page.paths[language])}</loc>{links}</url>"
            for language in site.languages
        ]
    lines.append("</urlset>\n")
    return "\n".join(lines).encode()
