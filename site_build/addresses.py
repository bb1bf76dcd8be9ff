"""Files that exist for servers and search engines: the 404 page, sitemap and robots file."""

from __future__ import annotations

import base64
import hashlib

import jinja2

from site_build.content import front_matter
from site_build.pages import alternates, source_of
from site_build.site import SOURCE, Site


def build(site: Site, templates: jinja2.Environment) -> dict[str, bytes]:
    """The files by path; sitemap and robots file only where the site's address is known."""
    files = {"404.html": _not_found(site, templates)}
    if site.site_url:
        files["sitemap.xml"] = _sitemap(site)
        files["robots.txt"] = f"Sitemap: {site.address('sitemap.xml')}\n".encode()
    return files


def _not_found(site: Site, templates: jinja2.Environment) -> bytes:
    """Served at any depth, so its links start at the site's own path and its style is inside."""
    style = (SOURCE / "templates" / "404.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    pages = {
        language: [
            {
                "heading": front_matter(source_of(page, language))[0]["heading"],
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
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ]
    for page in site.every_page:
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>'
            for code, href in alternates(site, page)
        )
        lines += [
            f"<url><loc>{site.address(page.paths[language])}</loc>{links}</url>"
            for language in site.languages
        ]
    return "\n".join([*lines, "</urlset>\n"]).encode()
