"""LaTeX between dollar signs in Markdown, turned into MathML at build time."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor


class _Formula(InlineProcessor):
    def __init__(self, pattern: str, md: Markdown, display: str) -> None:
        super().__init__(pattern, md)
        self.display = display

    def handleMatch(  # type: ignore[override]  # noqa: N802 (the library's name)
        self, match: re.Match[str], data: str
    ) -> tuple[Element | str, int, int]:
        markup = convert(match[1], display=self.display)
        # the namespace is implied in HTML, and the attribute only costs bytes
        markup = markup.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
        return self.md.htmlStash.store(markup), match.start(0), match.end(0)


class Formulas(Extension):
    """``$…$`` inside a line and ``$$…$$`` on its own."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (the library's name)
        # before escapes (180), which would eat the backslashes
        display = _Formula(r"\$\$(.+?)\$\$", md, "block")
        inline = _Formula(r"(?<![\\$])\$(?![ $])([^$\n]+?)(?<! )\$", md, "inline")
        md.inlinePatterns.register(display, "formula-display", 187)
        md.inlinePatterns.register(inline, "formula-inline", 186)
