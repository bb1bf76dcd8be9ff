"""Markdown with TOML front matter: filled by the engine's figures, rendered, cut in sections."""

from __future__ import annotations

import re
import tomllib
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import jinja2
import markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markupsafe import Markup

from site_build.errors import BuildError
from site_build.formulas import Formulas

FRONT_MATTER = ("title", "heading", "lead", "description", "nav")


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it; ``id`` is the anchor."""

    id: str
    heading: Markup
    body: Markup


@dataclass(frozen=True)
class Content:
    """A page's text in one language."""

    title: str
    heading: str
    lead: str
    description: str
    nav: str
    sections: tuple[Section, ...]


class _ClassesForStyles(Treeprocessor):
    """Aligned table cells carry a class: a style attribute would need a weaker security policy."""

    def run(self, root: Element) -> None:
        for cell in root.iter():
            style = cell.attrib.pop("style", None)
            if style is not None:
                cell.set("class", style.replace("text-align: ", "to-").rstrip(";"))


class _NoStyles(Extension):
    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802 (the library's name)
        md.treeprocessors.register(_ClassesForStyles(md), "classes-for-styles", 5)


def front_matter(path: Path) -> tuple[dict[str, str], str, int]:
    """The front matter, the text after it, and the line that the text starts at."""
    source = path.read_text(encoding="utf-8")
    match = re.match(r"\+\+\+\n(.*?)\n\+\+\+\n", source, re.DOTALL)
    if match is None:
        raise BuildError(path, 1, "front matter between +++ lines is missing")
    try:
        table = tomllib.loads(match[1])
    except tomllib.TOMLDecodeError as error:
        raise BuildError(path, 1, f"front matter: {error}") from None
    for number, line in enumerate(match[1].split("\n"), 2):
        key = line.partition("=")[0].strip()
        if key in table and key not in FRONT_MATTER:
            raise BuildError(path, number, f"unknown front-matter key {key!r}")
    for key in FRONT_MATTER:
        if not isinstance(table.get(key), str):
            raise BuildError(path, 1, f"front-matter key {key!r} is missing or no text")
    return table, source[match.end() :], source[: match.end()].count("\n") + 1


def fill(path: Path, text: str, first_line: int, environment: jinja2.Environment,
         context: Mapping[str, object]) -> str:  # fmt: skip
    """``text`` with its ``{{ … }}`` evaluated; faults are told with their line."""
    try:
        return environment.from_string(text).render(context)
    except jinja2.TemplateSyntaxError as error:
        raise BuildError(path, first_line + error.lineno - 1, str(error.message)) from None
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [f.lineno or 0 for f in frames if f.filename == "<template>"]
        line = first_line + lines[-1] - 1 if lines else None
        raise BuildError(path, line, f"{type(error).__name__}: {error}") from error


def to_html(text: str, words: Mapping[str, str]) -> str:
    """Markdown to HTML, with the one set of extensions that the whole site uses."""
    html = markdown.markdown(
        text,
        extensions=[
            "toc", "tables", "footnotes", "attr_list", "def_list", "abbr", "md_in_html",
            "fenced_code", Formulas(), _NoStyles(),
        ],
        extension_configs={"footnotes": {"BACKLINK_TITLE": words["footnote_back"]}},
        output_format="html",
    )  # fmt: skip
    # a block of code scrolls sideways on a phone, so the keyboard must be able to reach it
    return html.replace("<pre><code", '<pre tabindex="0"><code')


_HEADING = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>', re.DOTALL)


def sections(path: Path, html: str, words: Mapping[str, str], notes_id: str) -> tuple[Section, ...]:
    """The rendered text cut at its second-level headings; footnotes become the last section."""
    html, _, notes = html.partition('<div class="footnote">')
    pieces = _HEADING.split(html)
    if pieces[0].strip():
        raise BuildError(path, None, "there is text before the first ## heading")
    found = [
        Section(anchor, Markup(heading), Markup(body.strip()))
        for anchor, heading, body in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True)
    ]
    if notes:
        body = re.sub(r"^\s*<hr ?/?>\s*", "", notes.rpartition("</div>")[0])
        found.append(Section(notes_id, Markup(words["sources"]), Markup(body.strip())))
    return tuple(found)


def load(path: Path, words: Mapping[str, str], environment: jinja2.Environment,
         context: Mapping[str, object], notes_id: str) -> Content:  # fmt: skip
    """A page's content, ready to be put into its template."""
    table, text, line = front_matter(path)
    html = to_html(fill(path, text, line, environment, context), words)
    return Content(**table, sections=sections(path, html, words, notes_id))
