"""A page saved with Ctrl+S, "Webpage, complete", works without a network, whenever it was saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browsers import saving
from tests.browsers.chromium import Chromium
from tests.browsers.desktop import Desktop
from tests.browsers.driver import Browser
from tests.browsers.firefox import Firefox
from tests.server import Site
from toolchain import path_of

TITLE = "Calcolatore VRAM"
# The part of the runtime that the page asks for last.
LAST = "runtime/snapshot-5.js"
Saver = Callable[[], Path]
CONFIG = (
    '{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008,'
    ' "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32000}'
)


@pytest.fixture
def own_site(dist: Path) -> Iterator[Site]:
    """The site, by http, for one test: its faults are arranged, and it is switched off."""
    with Site(dist) as running:
        yield running


@pytest.fixture(params=["chromium", "firefox"])
def engine(request: pytest.FixtureRequest) -> str:
    """The browser that saves and then shows the copy."""
    name: str = request.param
    return name


@pytest.fixture
def window(engine: str, desktop: Desktop, tmp_path: Path) -> Iterator[Browser]:
    """A browser with a visible window and a new profile, which saves to `tmp_path/saved`."""
    (tmp_path / "saved").mkdir()
    kind = Chromium if engine == "chromium" else Firefox
    settings = saving.settings(engine, tmp_path / "saved")
    browser = kind(path_of(engine), tmp_path / "profile", settings, desktop.environment)
    yield browser
    browser.close()


@pytest.fixture
def save(window: Browser, desktop: Desktop, dist: Path, tmp_path: Path) -> Saver:
    """Presses Ctrl+S; the saved page."""

    def press() -> Path:
        # Pages without a calculator have none of the runtime.
        live = window.value("typeof VramRuntime") == "object"
        parts = (dist / "runtime").iterdir() if live else ()
        sizes = {file.stem: file.stat().st_size for file in parts}
        return saving.save(desktop, TITLE, tmp_path / "saved", sizes)

    return press


@pytest.fixture
def open_copy(
    browsers: Callable[[str], Browser], engine: str, own_site: Site, tmp_path: Path
) -> Callable[[Path], Browser]:
    """Opens a saved copy; it says that it is one, and asks for nothing."""

    def show(copy: Path) -> Browser:
        own_site.folder = tmp_path / "nothing"
        own_site.requests.clear()
        visitor = browsers(engine)
        visitor.open(copy.as_uri())
        visitor.until("!document.getElementById('copy').hidden")
        note = visitor.text("#copy")
        assert "copia salvata" in note and "https://example.org/calcolatore/" in note
        return visitor

    return show


@pytest.fixture
def check_copy(open_copy: Callable[[Path], Browser], own_site: Site) -> Callable[[Path], None]:
    """Checks a copy in which 13 was typed: it says 208 GB, and goes on computing."""

    def check(copy: Path) -> None:
        visitor = open_copy(copy)
        visitor.ready()
        assert visitor.value("document.getElementById('parameters').value") == "13"
        visitor.total("208 GB")
        assert visitor.value("document.getElementById('loading').hidden")
        visitor.fill("#parameters", "6,7")
        visitor.total("107,2 GB")
        assert own_site.requests == []

    return check


def type_13(window: Browser) -> None:
    """Wait for Python, and have it compute."""
    window.ready()
    window.fill("#parameters", "13")
    window.total("208 GB")


def test_saved_when_ready(
    window: Browser, save: Saver, check_copy: Callable[[Path], None], own_site: Site
) -> None:
    """What was typed is kept in the copy."""
    window.open(own_site.address)
    type_13(window)
    check_copy(save())


def test_saved_while_loading(
    window: Browser, save: Saver, check_copy: Callable[[Path], None], own_site: Site, dist: Path
) -> None:
    """The browser fetches for the copy what had not arrived; the page itself can still go on."""
    own_site.stuck = {LAST}
    window.begin(own_site.address)
    window.until("document.getElementById('progress')?.value > 0.5")
    window.fill("#parameters", "13")
    copy = save()
    assert 'data-runtime="ready"' not in copy.read_text(encoding="utf-8")
    check_copy(copy)
    own_site.folder = dist
    own_site.release()
    if window.value("VramRuntime.state()") == "failed":
        # Chromium stops what a page is still loading when it saves it, and the page says so.
        window.click("#retry")
    window.total("208 GB")


def test_saved_under_a_service_worker(
    window: Browser, save: Saver, check_copy: Callable[[Path], None], own_site: Site
) -> None:
    """A page that came from the service worker's cache is saved as whole as any."""
    window.open(own_site.address)
    window.until("navigator.serviceWorker.controller?.state === 'activated'")
    own_site.requests.clear()
    window.open(own_site.address)
    type_13(window)
    assert set(own_site.requests) <= {"sw.js"}
    check_copy(save())


def test_saved_with_a_configuration(
    window: Browser, save: Saver, open_copy: Callable[[Path], Browser], own_site: Site
) -> None:
    """A pasted configuration and the depth of the form are in the copy too."""
    window.open(f"{own_site.address}lora/index.html?model=gpt2&target_modules=qv&lora_rank=8")
    window.ready()
    window.click("details summary")
    window.fill("#config", CONFIG)
    window.total("4 194 304")
    visitor = open_copy(save())
    visitor.ready()
    visitor.total("4 194 304")
    # Firefox breaks lines when it saves a page, here too.
    assert visitor.value("document.getElementById('config').value").split() == CONFIG.split()
    visitor.fill("#lora_rank", "16")
    visitor.total("8 388 608")
    assert own_site.requests == []


def test_saved_table(
    window: Browser, save: Saver, open_copy: Callable[[Path], Browser], own_site: Site
) -> None:
    """A table that was filtered and sorted is whole again in the copy, and still does both."""
    rows = "[...document.querySelectorAll('#table tbody tr:not(.fam)')]"
    names = f"{rows}.filter(row => !row.hidden).map(row => row.cells[0].textContent)"
    window.open(f"{own_site.address}modelli/index.html")
    everything = window.value(names)
    window.fill("#q", "qwen 7b")
    some = window.value(names)
    assert 0 < len(some) < len(everything)
    window.click("#table th:nth-child(2) button")
    visitor = open_copy(save())
    assert visitor.value("document.getElementById('q').value") == "qwen 7b"
    assert visitor.value(names) == some
    visitor.fill("#q", "")
    assert visitor.value(names) == everything
    visitor.click("#table th:nth-child(2) button")
    assert visitor.value(names)[0] == "Kimi-K2-Instruct"
    assert own_site.requests == []
