"""The built pages: alike in both languages, linked to each other, with the engine's figures."""

import gzip
import json
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

import calculator
from calculator import web
from calculator.fields import CALCULATORS, FORMS, form_fields
from calculator.models import models
from calculator.numbers import parse_number
from calculator.report.words import LANGUAGES
from site_build.forms import initial_form
from site_build.site import ROOT, load

SITE = load("https://example.org/calcolatore/")
ADDRESS = "https://example.org/calcolatore/"
OWN_PAGES = [(page, language) for page in SITE.pages for language in SITE.languages]
EVERY_PAGE = [(page, language) for page in SITE.every_page for language in SITE.languages]
FORMS_OF_PAGES = [(page, language) for page, language in EVERY_PAGE if page.calculator]
COMMON_SIZES = ("1", "3", "7", "8", "13", "34", "70", "405")


def name_of(value: Any) -> str:
    """A page's id, or the language itself, for the names of tests."""
    return str(getattr(value, "id", value))


each_page = pytest.mark.parametrize(("entry", "language"), EVERY_PAGE, ids=name_of)
each_form = pytest.mark.parametrize(("entry", "language"), FORMS_OF_PAGES, ids=name_of)


def test_pages_are_those_promised(pages: dict[str, Any]) -> None:
    """Every page stands at its promised path, and there is no other."""
    assert pages.keys() == {
        *("index.html", "inferenza/index.html", "lora/index.html", "metodo/index.html"),
        *("en/index.html", "en/inference/index.html", "en/lora/index.html"),
        *("modelli/index.html", "schede/index.html", "formati/index.html"),
        *("en/models/index.html", "en/cards/index.html", "en/formats/index.html"),
        *(f"modelli/{slug}/index.html" for slug in models()),
        *(f"en/models/{slug}/index.html" for slug in models()),
        *("en/method/index.html", "404.html"),
    }


@pytest.mark.parametrize("entry", SITE.every_page, ids=name_of)
def test_languages_have_the_same_parts(entry: Any, pages: dict[str, Any]) -> None:
    """Both languages of a page have as many sections, fields, tables, formulas and links."""
    counts = []
    for language in SITE.languages:
        built = pages[entry.paths[language]]
        counts.append(
            {
                tag: len(built.find(tag))
                for tag in (
                    "section",
                    "h2",
                    "h3",
                    "input",
                    "fieldset",
                    "table",
                    "td",
                    "math",
                    "svg",
                )
            }
        )
    assert counts[0] == counts[1]
    ids = [
        [each["data-field"] for each in pages[entry.paths[language]].elements if each["data-field"]]
        for language in SITE.languages
    ]
    assert ids[0] == ids[1]


@each_page
def test_page_frame(entry: Any, language: str, pages: dict[str, Any]) -> None:
    """A page names its language, and has one h1, a title, a description and a skip link."""
    built = pages[entry.paths[language]]
    (html,) = built.find("html")
    assert html["lang"] == language
    assert len(built.find("h1")) == len(built.find("main")) == 1
    assert len([each for each in built.find("title") if "head" in each.inside]) == 1
    (description,) = built.find("meta", name="description")
    assert 50 <= len(description["content"]) <= 200
    first = next(each for each in built.elements if each.tag == "a")
    assert first["href"] == "#content" and built.find("main", id="content")
    levels = [int(each.tag[1]) for each in built.elements if re.fullmatch("h[1-6]", each.tag)]
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))


def test_titles_and_descriptions_differ(pages: dict[str, Any]) -> None:
    """No two pages share a title or a description."""
    built = [page for path, page in pages.items() if path != "404.html"]
    titles = [page.find("title")[0].text for page in built]
    descriptions = [page.find("meta", name="description")[0]["content"] for page in built]
    assert len(set(titles)) == len(set(descriptions)) == len(built) == len(EVERY_PAGE)


@each_page
def test_navigation(entry: Any, language: str, pages: dict[str, Any]) -> None:
    """Each page links to the pages of its language, marks itself, and leads to its other half."""
    path = entry.paths[language]
    links = [each for each in pages[path].find("a") if "nav" in each.inside]
    targets = [urljoin(f"/{path}", link["href"]) for link in links]
    header = [f"/{each.paths[language]}" for each in SITE.pages if each.nav]
    tables = [f"/{each.paths[language]}" for each in SITE.pages if each.catalogue]
    assert targets == header + (tables if entry.catalogue else [])
    marked = [link for link in links if link["aria-current"] == "page"]
    assert {urljoin(f"/{path}", link["href"]) for link in marked} <= {f"/{path}"}
    # a page that is not in the header belongs to one that is
    assert bool(marked) == bool(entry.nav or entry.catalogue)
    assert entry.nav or [link["aria-current"] for link in links].count("true") == 1
    other = next(each for each in SITE.languages if each != language)
    (switch,) = pages[path].find("a", id="other-language")
    assert (switch["lang"], switch["hreflang"]) == (other, other)
    assert urljoin(f"/{path}", switch["href"]) == f"/{entry.paths[other]}"


@each_page
def test_canonical_and_alternates(entry: Any, language: str, pages: dict[str, Any]) -> None:
    """A page names its own address, and both languages name the same pair, Italian by default."""
    built = pages[entry.paths[language]]
    (canonical,) = built.find("link", rel="canonical")
    here = ADDRESS + entry.paths[language].removesuffix("index.html")
    assert canonical["href"] == here
    alternates = {each["hreflang"]: each["href"] for each in built.find("link", rel="alternate")}
    pair = {each: ADDRESS + entry.paths[each].removesuffix("index.html") for each in SITE.languages}
    assert alternates == {**pair, "x-default": pair["it"]}
    (address,) = built.find("meta", property="og:url")
    assert address["content"] == here


def test_sitemap_lists_every_page(files: dict[str, bytes]) -> None:
    """The sitemap has the address of each page once, and the robots file points to it."""
    listed = re.findall(r"<loc>(.*?)</loc>", files["sitemap.xml"].decode())
    wanted = [SITE.address(page.paths[language]) for page, language in EVERY_PAGE]
    assert sorted(listed) == sorted(wanted)
    assert f"Sitemap: {ADDRESS}sitemap.xml" in files["robots.txt"].decode()


def test_not_found_page(pages: dict[str, Any]) -> None:
    """The 404 page links to all pages in both languages from the site's own path, at any depth."""
    page = pages["404.html"]
    links = [each["href"] for each in page.find("a")]
    wanted = [f"/calcolatore/{each.paths[language]}" for each, language in OWN_PAGES]
    assert sorted(links) == sorted(wanted)
    assert page.find("meta", name="robots", content="noindex")
    assert not page.find("script") and not page.find("link")


def test_nothing_from_elsewhere(elements: Iterator[tuple[str, Any]]) -> None:
    """No attribute that makes a browser fetch names another origin; links to others are links."""
    fetching = {"src", "srcset", "poster", "data", "action", "formaction", "ping", "background"}
    for path, element in elements:
        for name, value in element.attributes.items():
            is_link = element.tag == "link" and name == "href"
            if name in fetching or (is_link and element["rel"] not in ("canonical", "alternate")):
                assert not re.match(r"(?:[a-z][a-z0-9+.-]*:)?//", value, re.I), (path, value)
        assert element.tag not in ("base", "iframe", "object", "embed", "img"), path


def test_styles_and_scripts_fetch_nothing(files: dict[str, bytes]) -> None:
    """Style sheets hold their fonts, and no script of ours names an address elsewhere."""
    for path, data in files.items():
        if path.endswith(".css"):
            assert all(
                url.startswith((b"data:", b"#")) for url in re.findall(rb"url\(\"?([^)]*)", data)
            ), path
            assert b"@import" not in data
        elif path.startswith("static/js/"):
            for url in re.findall(rb"https?://[^\s\"'`)]+", data):
                assert urlsplit(url.decode()).hostname in ("runtime.invalid", None), (path, url)


def test_nothing_inline(elements: Iterator[tuple[str, Any]]) -> None:
    """No inline script, style attribute or event handler: the policy would refuse them."""
    for path, element in elements:
        assert not (element.tag == "script" and not element["src"]), path
        assert not [name for name in element.attributes if name == "style" or name[:2] == "on"]
        assert not (element.tag == "style" and path != "404.html"), path


def test_policy(pages: dict[str, Any]) -> None:
    """Every page has a policy that starts from nothing, before anything could be fetched."""
    for path, page in pages.items():
        (policy,) = page.find("meta", http_equiv="Content-Security-Policy")
        rules = policy["content"].split("; ")
        assert rules[0] == "default-src 'none'", path
        assert not re.search(r"'unsafe-(?:inline|eval)'|https?:|\*", policy["content"]), path
        index = page.elements.index(policy)
        assert not [e for e in page.elements[:index] if e.tag in ("script", "link", "style")]


def test_no_hole_in_the_text(pages: dict[str, Any]) -> None:
    """No page shows what a template or an engine object would look like when it isn't text."""
    for path, page in pages.items():
        assert not re.search(
            r"object at 0x|built-in method|Undefined|None|\bnan\b|Decimal\(|\{\{|\}\}|\{%",
            page.source,
        ), path
        assert "\\(" not in page.source and not re.search(r"(?<!\\)\$[a-zA-Z]", page.source), path


@each_form
def test_static_results(entry: Any, language: str, pages: dict[str, Any]) -> None:
    """The results in the HTML are those that the worker would give for the form as it stands."""
    built = pages[entry.paths[language]]
    form: dict[str, str] = {}
    for field in form_fields(entry.calculator):
        if field.choices:
            radios = [e for e in built.find("input", name=field.name) if "checked" in e.attributes]
            form[field.name] = radios[0]["value"]
        else:
            form[field.name] = built.find("input", id=field.name)[0]["value"]
    assert form == initial_form(entry.calculator, language)
    request = {"calculator": entry.calculator, "language": language, "form": form}
    reply = json.loads(web.answer(json.dumps(request)))
    assert f'<div id="slot-results">{reply["slots"]["results"]}</div>' in built.source
    assert f'id="slot-total">{reply["slots"]["total"]}</a>' in built.source


@each_form
def test_form_is_the_declaration(entry: Any, language: str, pages: dict[str, Any]) -> None:
    """Each declared field is in the form, labelled, described, and of the right kind."""
    built = pages[entry.paths[language]]
    shown = {e["data-field"]: e for e in built.elements if e["data-field"]}
    assert list(shown) == [field.name for field in FORMS[entry.calculator]]
    labels = {each["for"] for each in built.find("label")}
    for element in [*built.find("input"), *built.find("select"), *built.find("textarea")]:
        assert element["id"] in labels or element["aria-label"] or element["type"] == "file"
    for field in FORMS[entry.calculator]:
        assert shown[field.name]["data-depth"] == field.depth
        assert ("hidden" in shown[field.name].attributes) == (field.depth == "detailed")
        assert built.find("p", id=f"{field.name}-error")
        assert built.find("p", id=f"{field.name}-help")
        if field.choices or field.kind in ("flag", "targets"):
            values = [each["value"] for each in built.find("input", name=field.name)]
            assert field.initial in values
            continue
        tag = "textarea" if field.kind == "config" else "input"
        (box,) = built.find(tag, id=field.name)
        assert f"{field.name}-error" in box["aria-describedby"].split()
        if field.kind in ("number", "whole"):
            assert box["inputmode"] == ("numeric" if field.kind == "whole" else "decimal")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page_id", ["training", "inference"])
def test_common_cases(page_id: str, language: str, pages: dict[str, Any]) -> None:
    """The table of common cases has every size, and each cell's link gives the cell's figure."""
    page = SITE.page(page_id)
    built = pages[page.paths[language]]
    source = built.source
    table = source[source.index('<table class="data cases">') :].partition("</table>")[0]
    sizes = re.findall(r'<th scope="row">(\d+)', table)
    assert tuple(sizes) == COMMON_SIZES
    cells = re.findall(r'<td class="to-right"><a href="([^"]*)">([^<]*)</a>', table)
    heads = len(re.findall(r'<th scope="col" class="to-right">', table))
    assert len(cells) == len(COMMON_SIZES) * heads > 0
    for href, shown in cells:
        form = initial_form(page.calculator or "", language)
        form |= dict(pair.split("=") for pair in unescape(urlsplit(href).query).split("&") if pair)
        name = page.calculator or ""
        total = calculator.estimate({"calculator": name, **form}, language).total_bytes
        shown_gb = parse_number(shown.replace(",", "") if language == "en" else shown, language)
        assert abs(shown_gb - Decimal(total) / 10**9) <= Decimal("0.05")


@pytest.mark.parametrize("language", LANGUAGES)
def test_method_page(language: str, pages: dict[str, Any], files: dict[str, bytes]) -> None:
    """The method page lists every key of every form, and links to every licence that is shipped."""
    path = SITE.page("method").paths[language]
    built = pages[path]
    code = {each.text for each in built.find("code")}
    for name in CALCULATORS:
        assert {field.name for field in FORMS[name]} <= code
    links = {urljoin(f"/{path}", each["href"]).lstrip("/") for each in built.find("a")}
    licences = {name for name in files if name.startswith("licences/")}
    assert licences and licences <= links


def test_licences_are_whole(files: dict[str, bytes]) -> None:
    """Each work of others comes with the whole text of its licence."""
    for row, words in {
        "pyodide": b"Mozilla Public License Version 2.0",
        "cpython": b"PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2",
        "source-sans-3": b"SIL OPEN FONT LICENSE Version 1.1",
        "stix-two-math": b"SIL OPEN FONT LICENSE Version 1.1",
    }.items():
        text = b" ".join(files[f"licences/{row}.txt"].split())
        assert words in text and len(text) > 3000


def drawn(source: str) -> set[str]:
    """The characters whose glyphs the formulas of a page take from the math font."""
    found: set[str] = set()
    for formula in re.findall(r"<math.*?</math>", source, re.S):
        for tag, content in re.findall(r"<(m[inostext]+)[^>]*>([^<]*)</", formula):
            text = unescape(content)
            found |= {italic(text)} if tag == "mi" and len(text) == 1 else set(text)
    return found - {"\n"}


def italic(letter: str) -> str:
    """What a browser draws for an identifier of one letter."""
    kind, _, name = unicodedata.name(letter).partition(" LETTER ")
    if letter == "h":
        return "\N{PLANCK CONSTANT}"
    if not name:
        return letter
    return unicodedata.lookup(f"MATHEMATICAL ITALIC {kind.split()[-1]} {name}")


def test_math_font_has_the_characters(pages: dict[str, Any]) -> None:
    """The cut math font holds every character of the pages' formulas and of live results."""
    held = set((ROOT / "site_src" / "fonts" / "stix-two-math.txt").read_text(encoding="utf-8"))
    needed = set().union(*(drawn(page.source) for page in pages.values()))
    values = {"training": {"memory_per_parameter": "6,5"}, "inference": {}, "lora": {}}
    for name, language in ((name, language) for name in CALCULATORS for language in LANGUAGES):
        for parameters in ("7", "0.0001", "405000"):
            form = {**initial_form(name, language), **values[name], "parameters": parameters}
            request = {"calculator": name, "language": language, "form": form}
            needed |= drawn(json.loads(web.answer(json.dumps(request)))["slots"]["results"])
    assert needed and needed <= held, sorted(needed - held)


def squeezed(data: bytes) -> int:
    """The bytes that travel: a host compresses text on the way."""
    return len(gzip.compress(data, 6))


@each_form
def test_first_paint_is_light(
    entry: Any, language: str, pages: dict[str, Any], files: dict[str, bytes]
) -> None:
    """What must arrive before the first paint stays under 60 kB, compressed."""
    path = entry.paths[language]
    built = pages[path]
    head = [each for each in built.elements if "head" in each.inside]
    blocking = [e["src"] for e in head if e.tag == "script" and "defer" not in e.attributes]
    blocking += [each["href"] for each in head if each["rel"] == "stylesheet"]
    assert len(blocking) >= 3
    names = [urljoin(f"/{path}", each).lstrip("/").partition("?")[0] for each in blocking]
    assert squeezed(files[path]) + sum(squeezed(files[name]) for name in names) < 60_000


@each_form
def test_whole_page_fits_its_budget(
    entry: Any, language: str, pages: dict[str, Any], files: dict[str, bytes]
) -> None:
    """Everything that a page loads, Python included, stays under 5.5 MB, compressed."""
    path = entry.paths[language]
    built = pages[path]
    linked = [e["src"] for e in built.find("script")]
    linked += [e["href"] for e in built.find("link") if e["rel"] in ("stylesheet", "icon")]
    names = {urljoin(f"/{path}", each).lstrip("/").partition("?")[0] for each in linked}
    names |= {name for name in files if name.startswith("runtime/")}
    total = squeezed(files[path]) + sum(squeezed(files[name]) for name in names)
    assert 1_000_000 < total < 5_500_000
