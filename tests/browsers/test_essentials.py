"""What every visitor needs, in three engines: by http, from one file, and from the unpacked zip."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browsers.driver import Browser
from tests.server import Site

PATHS = {
    ("training", "it"): "index.html",
    ("training", "en"): "en/index.html",
    ("inference", "it"): "inferenza/index.html",
    ("inference", "en"): "en/inference/index.html",
    ("lora", "it"): "lora/index.html",
    ("lora", "en"): "en/lora/index.html",
    ("models", "it"): "modelli/index.html",
    ("models", "en"): "en/models/index.html",
    ("method", "it"): "metodo/index.html",
    ("method", "en"): "en/method/index.html",
}
PUBLIC = "https://example.org/calcolatore/"


@dataclass(frozen=True)
class Place:
    """One way of having the site: ``root`` is where its pages lie, if not in one file each."""

    name: str
    root: str

    def address(self, page: str, language: str = "it") -> str:
        """Where a page is."""
        if self.name == "single":
            return f"{self.root}offline/vram-{page}-{language}-offline.html"
        return self.root + PATHS[page, language]


@pytest.fixture(params=["http", "folder", "single"])
def place(request: pytest.FixtureRequest, site: Site, dist: Path, unpacked: Path) -> Place:
    """Each way in turn."""
    roots = {"http": site.address, "folder": f"{unpacked.as_uri()}/", "single": f"{dist.as_uri()}/"}
    return Place(request.param, roots[request.param])


def test_training(visitor: Browser, place: Place) -> None:
    """112 GB at once; 13 billion makes 208; numbers as Italians write them; words for the rest."""
    visitor.open(place.address("training"))
    visitor.total("112 GB")
    visitor.ready()
    visitor.fill("#parameters", "13")
    visitor.total("208 GB")
    visitor.fill("#parameters", "6,7")
    visitor.total("107,2 GB")
    visitor.click("label[for='memory_per_parameter-adam-bf16']")
    visitor.total("53,6 GB")
    visitor.fill("#parameters", "1.234")
    visitor.until("!document.getElementById('parameters-error').hidden")
    assert visitor.text("#parameters-error") == (
        "Errore: «1.234» può voler dire 1,234 o 1234. Scrivi uno dei due."
    )
    visitor.fill("#parameters", "")
    visitor.until("document.getElementById('parameters-error').hidden")
    empty = "Scrivi quanti parametri ha il modello: il risultato compare qui."
    visitor.until(f"document.getElementById('slot-results').textContent.includes('{empty}')")


def test_inference_and_lora(visitor: Browser, place: Place) -> None:
    """The other two calculators answer as well, in the other language too."""
    visitor.open(place.address("inference"))
    visitor.total("16,8 GB")
    visitor.ready()
    visitor.fill("#parameters", "70")
    visitor.total("168 GB")
    visitor.open(place.address("lora", "en"))
    visitor.total("8,388,608")
    visitor.ready()
    visitor.fill("#lora_rank", "8")
    visitor.total("4,194,304")


def test_language_switch(visitor: Browser, place: Place) -> None:
    """The way to the other language keeps what was typed; from one file it leads to the site."""
    visitor.open(place.address("training"))
    visitor.ready()
    visitor.fill("#parameters", "6,7")
    visitor.total("107,2 GB")
    visitor.until("document.getElementById('other-language').search === '?parameters=6.7'")
    if place.name == "single":
        href = visitor.value("document.getElementById('other-language').href")
        assert href == f"{PUBLIC}en/?parameters=6.7"
        return
    visitor.click("#other-language")
    visitor.until("document.documentElement.lang === 'en'")
    visitor.ready()
    visitor.total("107.2 GB")
    assert visitor.value("document.getElementById('parameters').value") == "6.7"
    assert urlsplit(visitor.value("location.href")).path.endswith("/en/index.html")


def test_links(visitor: Browser, place: Place) -> None:
    """Every page is reached by its link, a model's too; one file links to the site's pages."""
    visitor.open(place.address("training", "en"))
    pages = ("training", "inference", "lora", "models", "method")
    if place.name == "single":
        links = visitor.value("Array.from(document.querySelectorAll('nav.main a'), a => a.href)")
        paths = [PATHS[page, "en"].removesuffix("index.html") for page in pages]
        assert links[1:] == [PUBLIC + path for path in paths[1:]]
        return
    for page in reversed(pages):
        link = f"nav.main a[href$='{PATHS[page, 'en'].removeprefix('en/')}']"
        name = visitor.text(link)
        visitor.click(link)
        visitor.until(f"location.pathname.endsWith({PATHS[page, 'en']!r})")
        visitor.until("document.readyState === 'complete'")
        assert visitor.text("nav.main [aria-current]") == name
    visitor.open(place.address("models"))
    visitor.click("#table a[href='llama-2-7b/index.html']")
    visitor.until("location.pathname.endsWith('/modelli/llama-2-7b/index.html')")
    visitor.until("document.querySelector('h1')?.textContent.includes('Llama-2-7b')")


def test_note_of_a_copy(visitor: Browser, place: Place) -> None:
    """A copy says that it is one, of which version and date; the site itself does not."""
    visitor.open(place.address("training", "en"))
    visitor.until("document.readyState === 'complete'")
    shown = not visitor.value("document.getElementById('copy').hidden")
    assert shown == (place.name != "http")
    if shown:
        note = visitor.text("#copy")
        assert "a saved copy" in note and f"{PUBLIC}en/" in note
        assert visitor.text("footer time") in note


def test_pages_on_a_disk_are_strangers_here(visitor: Browser, tmp_path: Path) -> None:
    """The browsers are as strict as a visitor's: a page on a disk can't read its neighbours."""
    (tmp_path / "neighbour.txt").write_text("there")
    (tmp_path / "page.html").write_text("<!doctype html><title>A page</title>")
    visitor.open((tmp_path / "page.html").as_uri())
    answer = visitor.value("fetch('neighbour.txt').then(() => 'read', () => 'refused')")
    assert answer == "refused"
