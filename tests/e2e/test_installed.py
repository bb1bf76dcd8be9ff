"""The kept site: all of it from the device on the second visit, and updates only on a click."""

import json
import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.helpers import PATHS, box, open_live, total, wait_until_live
from tests.server import Site
from tests.waiting import wait

ROOT = Path(__file__).parents[2]
ASKED = "navigator.serviceWorker.controller?.state"
CACHES = "caches.keys()"
CONFIG = (
    '{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008,'
    ' "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32000}'
)


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Here service workers are what is tested."""
    return {**browser_context_args, "service_workers": "allow"}


@pytest.fixture(scope="session")
def newer(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same site, of another date."""
    folder = tmp_path_factory.mktemp("newer") / "dist"
    command = [
        sys.executable,
        "build.py",
        "--dist",
        str(folder),
        "--site-url",
        "https://example.org/calcolatore/",
    ]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1000000000"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    assert (folder / "sw.js").read_bytes() != (dist / "sw.js").read_bytes()
    return folder


@pytest.fixture
def site(dist: Path) -> Iterator[Site]:
    """The site on a server of the test's own."""
    with Site(dist) as running:
        yield running


def kept_files(dist: Path) -> set[str]:
    """The paths that the service worker keeps."""
    found = re.search(r"FILES = (\[.*?\]);", (dist / "sw.js").read_text(encoding="utf-8"), re.S)
    assert found is not None
    return {address.partition("?")[0] for address in json.loads(found[1])}


def kept_pages(dist: Path) -> list[str]:
    """Those of them that are pages."""
    return sorted(path for path in kept_files(dist) if path.endswith(".html"))


def install(page: Page, site: Site, path: str = "index.html") -> None:
    """A first visit, until the service worker has everything and controls the page."""
    page.goto(site.address + path)
    wait(lambda: page.evaluate(ASKED) == "activated", "the service worker controls the page")


def date_of(page: Page) -> str | None:
    """The date of the version that the page is of."""
    return page.locator("footer time").get_attribute("datetime")


def not_kept(page: Page) -> None:
    """The page works, and nothing was installed."""
    open_live(page, page.url)
    box(page).fill("13")
    total(page, "208 GB")
    gone = "navigator.serviceWorker.getRegistration().then(found => found?.active ?? null)"
    assert page.evaluate(gone) is None
    expect(page.locator("#update")).to_be_hidden()


def test_every_page_without_a_server(page: Page, site: Site, dist: Path) -> None:
    """After one visit the server is switched off: every page comes, however it is asked for."""
    install(page, site, "metodo/index.html")
    site.stop()
    for path in kept_pages(dist):
        folder = path.removesuffix("index.html")
        for asked in (path, folder.removesuffix("/"), f"{folder}?parameters=13"):
            answer = page.goto(site.address + asked, wait_until="commit")
            assert answer is not None and answer.ok
            expect(page.locator("h1")).to_be_visible()
            assert page.url.startswith(site.address + (path if asked == path else folder))
        if path in PATHS.values():
            wait_until_live(page)
            assert box(page).input_value() == "13"


def test_second_visit_costs_nothing(page: Page, site: Site, dist: Path) -> None:
    """Not a file is fetched again; only whether there is a new version is asked."""
    install(page, site)
    site.requests.clear()
    for path in kept_pages(dist):
        page.goto(site.address + path)
        if path in PATHS.values():
            wait_until_live(page)
    assert set(site.requests) <= {"sw.js"}


def test_first_visit_fetches_nothing_twice(page: Page, site: Site) -> None:
    """What the page has just loaded is asked after, not sent again, when the site is kept."""
    install(page, site)
    parts = [path for path in site.sent if path.startswith("runtime/")]
    assert len(parts) == len(set(parts)) > 1


def test_update_is_offered_and_not_forced(
    page: Page, context: BrowserContext, site: Site, newer: Path
) -> None:
    """A new version waits for a click; the other tab goes on as it is until its own click."""
    install(page, site)
    page.evaluate("caches.open('llm-vram /elsewhere/ 123')")
    other = context.new_page()
    open_live(other, f"{site.address}inferenza/index.html")
    box(other).fill("70")
    total(other, "168 GB")
    other.evaluate("window.notReloaded = true")
    old = date_of(page)

    site.folder = newer
    open_live(page, f"{site.address}index.html")
    box(page).fill("13")
    total(page, "208 GB")
    for each in (page, other):
        expect(each.locator("#update")).to_be_visible(timeout=60_000)
        assert date_of(each) == old
    assert len(page.evaluate(CACHES)) == 3

    with page.expect_navigation():
        page.locator("#update-now").click()
    wait_until_live(page)
    assert date_of(page) == "2001-09-09"
    assert box(page).input_value() == "13"
    total(page, "208 GB")
    expect(page.locator("#update")).to_be_hidden()
    kept = wait(
        lambda: len(names := page.evaluate(CACHES)) == 2 and names, "the old version is removed"
    )
    assert any(name.startswith("llm-vram /calcolatore/ ") for name in kept)

    assert date_of(other) == old and other.evaluate("window.notReloaded")
    expect(other.locator("#update")).to_be_visible()
    box(other).fill("13")
    total(other, "31,2 GB")
    with other.expect_navigation():
        other.locator("#update-now").click()
    wait_until_live(other)
    assert date_of(other) == "2001-09-09"
    assert box(other).input_value() == "13"
    expect(other.locator("#update")).to_be_hidden()


def test_update_keeps_a_configuration(page: Page, site: Site, newer: Path) -> None:
    """What is too long for the address is in the form again when the new version is shown."""
    install(page, site)
    site.folder = newer
    open_live(page, f"{site.address}lora/index.html?model=gpt2&target_modules=qv&lora_rank=8")
    page.locator("details summary").click()
    config = page.locator("#config")
    config.fill(CONFIG)
    expect(page.locator(".big-n")).to_have_text("4\u00a0194\u00a0304")
    expect(page.locator("#update")).to_be_visible(timeout=60_000)
    with page.expect_navigation():
        page.locator("#update-now").click()
    wait_until_live(page)
    assert date_of(page) == "2001-09-09"
    expect(page.locator(".big-n")).to_have_text("4\u00a0194\u00a0304")
    expect(config).to_have_value(CONFIG)


def test_update_found_by_an_earlier_tab(
    page: Page, context: BrowserContext, site: Site, newer: Path
) -> None:
    """A version that waits already is offered to whoever comes next, and comes when all left."""
    install(page, site)
    site.folder = newer
    page.reload()
    expect(page.locator("#update")).to_be_visible(timeout=60_000)
    next_page = context.new_page()
    open_live(next_page, f"{site.address}en/index.html")
    expect(next_page.locator("#update")).to_be_visible()
    page.close()
    next_page.close()
    last = context.new_page()
    last.goto(site.address)
    wait(lambda: last.reload() and date_of(last) == "2001-09-09", "the new version")


def test_old_page_under_a_new_service_worker(
    page: Page, context: BrowserContext, site: Site, newer: Path, complaints: list[str]
) -> None:
    """Python crashes in a page of the old version, the server is off: it starts from the new."""
    install(page, site)
    open_live(page, f"{site.address}index.html")
    box(page).fill("13")
    total(page, "208 GB")
    site.folder = newer
    updater = context.new_page()
    updater.goto(f"{site.address}en/index.html")
    expect(updater.locator("#update")).to_be_visible(timeout=60_000)
    with updater.expect_navigation():
        updater.locator("#update-now").click()
    wait(lambda: len(page.evaluate(CACHES)) == 1, "the old version is removed")
    site.stop()
    page.evaluate("VramRuntime.ask('no JSON', () => {})")
    expect(page.locator("#failed")).to_be_visible()
    # in the place of the question that it can't answer
    box(page).fill("6,7")
    page.locator("#retry").click()
    total(page, "107,2 GB")
    complaints.clear()


@pytest.mark.parametrize("lost", ["static/icons/icon-512.png", "en/lora/index.html", "sw.js"])
def test_failed_installation(page: Page, site: Site, lost: str, complaints: list[str]) -> None:
    """One file can't be had: nothing is kept, the page works, and the next visit tries again."""
    site.missing = {lost}
    page.goto(site.address)
    wait(lambda: lost in site.requests, f"{lost} is asked for")
    not_kept(page)
    complaints.clear()
    site.missing = set()
    install(page, site)


def test_failed_update(page: Page, site: Site, newer: Path, complaints: list[str]) -> None:
    """A new version with a file missing is not offered, and the old one stays whole."""
    install(page, site)
    old = date_of(page)
    site.folder, site.missing = newer, {"en/lora/index.html"}
    page.goto(site.address)
    wait(lambda: "en/lora/index.html" in site.requests[-60:], "the new version is fetched")
    states = "navigator.serviceWorker.getRegistration().then(r => [!!r.installing, !!r.waiting])"
    wait(lambda: page.evaluate(states) == [False, False], "the new version is given up")
    expect(page.locator("#update")).to_be_hidden()
    site.stop()
    open_live(page, f"{site.address}en/lora/index.html")
    assert date_of(page) == old
    complaints.clear()


def test_storage_is_full(page: Page, site: Site, complaints: list[str]) -> None:
    """Where the site doesn't fit, it is not kept, and works."""
    page.goto(site.address + "404.html")
    quota = {"origin": site.address.removesuffix("/calcolatore/"), "quotaSize": 200_000}
    page.context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
    page.goto(site.address)
    wait(lambda: "static/icons/icon-512.png" in site.requests, "everything is asked for")
    not_kept(page)
    complaints.clear()


def test_cache_is_lost(page: Page, site: Site) -> None:
    """The browser threw the kept files away: the service worker asks the network for them."""
    install(page, site)
    assert page.evaluate("caches.keys().then(names => caches.delete(names[0]))")
    open_live(page, f"{site.address}?parameters=13")
    total(page, "208 GB")


DENIED = {
    "local storage": "Object.defineProperty(window, 'localStorage', {get() {throw denied()}})",
    "service workers": "navigator.serviceWorker.register = () => Promise.reject(denied())",
    "no service workers": "delete Navigator.prototype.serviceWorker",
    "cache": "caches.open = caches.match = caches.keys = () => Promise.reject(denied())",
}


@pytest.mark.parametrize("denial", DENIED)
def test_storage_is_denied(page: Page, site: Site, denial: str) -> None:
    """A browser that keeps nothing for a site shows and computes all the same."""
    page.add_init_script(
        f"const denied = () => new DOMException('denied', 'SecurityError'); {DENIED[denial]}"
    )
    open_live(page, site.address)
    box(page).fill("13")
    total(page, "208 GB")
    dark = page.locator("button[data-theme-choice=dark]")
    dark.click()
    expect(dark).to_have_attribute("aria-pressed", "true")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_saving_data(page: Page, site: Site) -> None:
    """A visitor who saves data does not load Python and all pages with an article."""
    page.add_init_script(
        "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
    )
    page.goto(f"{site.address}metodo/index.html", wait_until="load")
    page.goto(f"{site.address}index.html", wait_until="load")
    page.wait_for_timeout(1500)
    assert not [path for path in site.requests if path == "sw.js" or path.startswith("runtime/")]
    box(page).fill("13")
    total(page, "208 GB")
    wait(lambda: page.evaluate(ASKED) == "activated", "kept after all")


@pytest.mark.parametrize("language", ["it", "en"])
def test_manifest(page: Page, site: Site, dist: Path, language: str) -> None:
    """The browser finds nothing wrong with the manifest, and its icons are what it says."""
    page.goto(site.address + PATHS["training", language])
    link = page.locator('link[rel="manifest"]')
    expect(link).to_have_count(1)
    path = f"app-{language}.webmanifest"
    assert page.evaluate("document.querySelector('link[rel=manifest]').href") == site.address + path
    session = page.context.new_cdp_session(page)
    told = session.send("Page.getAppManifest")
    assert told["url"] == site.address + path and told["errors"] == []
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A test's profile is one that forgets.
    assert {error["errorId"] for error in errors} <= {"in-incognito"}
    table = json.loads((dist / path).read_text(encoding="utf-8"))
    assert table["lang"] == language and table["display"] == "standalone"
    for name in ("id", "start_url", "scope"):
        assert urljoin(site.address + path, table[name]).startswith(site.address)
    assert {icon["purpose"] for icon in table["icons"]} == {"any", "maskable"}
    for icon in table["icons"]:
        data = (dist / icon["src"].partition("?")[0]).read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        assert data.startswith(b"\x89PNG") and icon["sizes"] == f"{width}x{height}"


@pytest.mark.parametrize("path", ["index.html", "offline/vram-training-it-offline.html"])
def test_nothing_is_installed_from_a_disk(page: Page, dist: Path, path: str) -> None:
    """A page on a disk has neither manifest nor service worker, and complains of nothing."""
    page.add_init_script("""
        window.calls = [];
        if (navigator.serviceWorker) navigator.serviceWorker.register = () => calls.push(1);
    """)
    open_live(page, (dist / path).as_uri())
    page.wait_for_timeout(700)
    assert page.evaluate("calls.length") == 0
    expect(page.locator('link[rel="manifest"]')).to_have_count(0)


def test_list_of_files(dist: Path) -> None:
    """Kept is every file but single models' pages, data, and what is there to be taken away."""
    left_out = re.compile(
        r"offline/|python/|data/|(modelli|en/models)/[^/]+/"
        r"|(sw\.js|404\.html|robots\.txt|sitemap\.xml|\.nojekyll)$"
    )
    present = {file.relative_to(dist).as_posix() for file in dist.rglob("*") if file.is_file()}
    assert kept_files(dist) == {path for path in present if not left_out.match(path)}
