"""The built site as its files, and its pages as elements."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

VOID = {"meta", "link", "input", "br", "hr", "img", "col"}


@dataclass
class Element:
    """A tag, its attributes, the text inside it, and the tags that it stands in."""

    tag: str
    attributes: dict[str, str]
    inside: tuple[str, ...]
    text: str = ""

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name, "")


@dataclass
class Page(HTMLParser):
    """A page's elements in order; an unclosed or crossed tag is an error."""

    source: str
    elements: list[Element] = field(default_factory=list)
    _open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.source)
        self.close()
        assert [element.tag for element in self._open] == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self._open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside = tuple(element.tag for element in self._open)
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}, inside))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def find(self, tag: str, **attributes: str) -> list[Element]:
        """Elements of that tag whose attributes have these values."""
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self.elements
            if element.tag == tag and all(element[n] == v for n, v in wanted.items())
        ]


@pytest.fixture(scope="session")
def files(dist: Path) -> dict[str, bytes]:
    """Every file of the built site by its path."""
    found = sorted(path for path in dist.rglob("*") if path.is_file())
    return {path.relative_to(dist).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="session")
def pages(files: dict[str, bytes]) -> dict[str, Page]:
    """The hosted pages, without the self-contained copies that hold all of Python."""
    return {
        path: Page(data.decode())
        for path, data in files.items()
        if path.endswith(".html") and not path.startswith("offline/")
    }


@pytest.fixture
def elements(pages: dict[str, Page]) -> Iterator[tuple[str, Element]]:
    """Each element of every hosted page, with the page's path."""
    return ((path, each) for path, page in pages.items() for each in page.elements)
