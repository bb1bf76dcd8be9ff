"""Before Python runs, and where it never does: the page stays useful and drops nothing."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.helpers import PATHS, box, choose, open_live, total, wait_until_live


def test_typed_before_python_is_ready(page: Page, served: str) -> None:
    """What is typed while Python's parts are on their way is answered first when it is up."""
    held: list[Route] = []
    page.route("**/runtime/wasm-*.js*", lambda route: held.append(route))
    page.goto(f"{served}index.html", wait_until="commit")
    expect(page.locator("#loading")).to_be_visible()
    expect(page.locator("#progress")).to_be_visible()
    box(page).fill("1")
    box(page).fill("13")
    choose(page, "memory_per_parameter-adam-8bit")
    expect(page.locator("#ready-made")).to_be_visible()
    total(page, "112 GB")
    for route in held:
        route.continue_()
    total(page, "156 GB")
    wait_until_live(page)
    expect(page.locator("#loading")).to_be_hidden()
    expect(page.locator("#ready-made")).to_be_hidden()
    expect(box(page)).to_have_value("13")


def test_runtime_blocked_and_tried_again(page: Page, root: str, complaints: list[str]) -> None:
    """A part that can't be had is told in words; the example and the typing stay; a retry works."""
    page.route("**/runtime/snapshot-2.js*", lambda route: route.abort())
    page.goto(f"{root}index.html")
    failed = page.locator("#failed")
    expect(failed).to_be_visible()
    expect(failed).to_contain_text("un pezzo del programma non è arrivato")
    expect(failed.locator("[data-code]:visible")).to_have_count(1)
    expect(page.locator("#loading")).to_be_hidden()
    box(page).fill("13")
    expect(box(page)).to_have_value("13")
    total(page, "112 GB")
    expect(page.locator("#ready-made")).to_be_visible()
    assert complaints and all("ERR_FAILED" in each for each in complaints)
    complaints.clear()
    page.unroute("**/runtime/snapshot-2.js*")
    page.locator("#retry").click()
    total(page, "208 GB")
    expect(failed).to_be_hidden()
    expect(box(page)).to_have_value("13")


@pytest.mark.parametrize(("name", "language"), PATHS)
def test_without_javascript(
    browser: Browser, browser_context_args: dict[str, object], served: str, dist: Path,
    name: str, language: str,
) -> None:  # fmt: skip
    """Without JavaScript the example, the article and a note stand there, and all links work."""
    context = browser.new_context(**{**browser_context_args, "java_script_enabled": False})  # type: ignore[arg-type]
    page = context.new_page()
    path = PATHS[name, language]
    for root in (served, f"{dist.resolve().as_uri()}/"):
        page.goto(root + path)
        first = {"training": "112\u00a0GB", "lora": "8"}.get(name, "16")
        expect(page.locator(".big-n")).to_contain_text(first)
        expect(page.locator("noscript p.stopped")).to_contain_text("JavaScript")
        expect(page.locator("table.terms tbody tr").first).to_be_visible()
        expect(page.locator("article h2").first).to_be_visible()
        expect(page.locator("#loading, #failed, #waiting, #stale, #ready-made")).to_have_count(5)
        for state in page.locator("#loading, #failed, #waiting, #stale, #ready-made").all():
            expect(state).to_be_hidden()
        if name != "lora":
            expect(page.locator("table.cases tbody tr")).to_have_count(8)
        page.locator("#other-language").click()
        other = "en" if language == "it" else "it"
        assert page.url == root + PATHS[name, other]
    context.close()


def test_latest_input_wins(page: Page, served: str) -> None:
    """However fast one types, the last value's result stays."""
    page.goto(f"{served}index.html")
    wait_until_live(page)
    box(page).press_sequentially("1234567", delay=0)
    box(page).fill("405")
    total(page, "6480 GB")
    expect(page.locator("#announce")).to_contain_text("6480")
    total(page, "6480 GB")


def test_404_page(page: Page, served: str, complaints: list[str]) -> None:
    """An unknown address, however deep, answers 404 with links that lead back into the site."""
    answer = page.goto(f"{served}no/such/page/here.html")
    assert answer is not None and answer.status == 404
    assert complaints and all("404" in each for each in complaints)
    complaints.clear()
    expect(page.locator("h1")).to_have_text("Pagina non trovata")
    expect(page.locator("section[lang=en] h2")).to_have_text("Page not found")
    links = page.locator("a")
    expect(links).to_have_count(14)
    links.nth(9).click()
    wait_until_live(page)
    assert page.url == f"{served}en/lora/index.html"


def test_whole_visit(
    browser: Browser, browser_context_args: dict[str, object], served: str
) -> None:
    """A visit of every page in both languages asks nothing of another origin, and nothing fails."""
    context = browser.new_context(**{**browser_context_args, "service_workers": "allow"})  # type: ignore[arg-type]
    asked: list[str] = []
    failed: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    # the worker's own script is a blob, which ends with its page
    context.on(
        "requestfailed",
        lambda request: None if request.url.startswith("blob:") else failed.append(request.url),
    )
    context.on("response", lambda r: failed.append(r.url) if r.status >= 400 else None)
    context.on("console", lambda m: failed.append(m.text) if m.type == "error" else None)
    context.on("weberror", lambda error: failed.append(str(error.error)))
    page = context.new_page()
    page.goto(served)
    wait_until_live(page)
    seen = [page.url]
    for language in (0, 1):
        if language:
            page.locator("#other-language").click()
            page.wait_for_load_state()
        for index in (1, 2, 3, 4, 0):
            page.locator("nav.main a").nth(index).click()
            page.wait_for_load_state()
            if index not in (3, 4):  # models and method have no form
                wait_until_live(page)
            seen.append(page.url)
    assert len(set(seen)) == 11  # the root is there with and without index.html
    context.close()
    assert failed == []
    assert [url for url in asked if not url.startswith((served, "blob:", "data:"))] == []


def test_questions_do_not_reach_the_network(page: Page, served: str) -> None:
    """Typing asks nothing of the server: what is typed stays in the browser."""
    page.goto(f"{served}index.html")
    wait_until_live(page)
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    box(page).fill("13")
    total(page, "208 GB")
    choose(page, "memory_per_parameter-megatron")
    total(page, "234 GB")
    # Chromium asks for the icon again whenever the address changes
    assert [url for url in asked if "/static/icon.svg" not in url] == []


def test_visitor_saves_data(page: Page, served: str) -> None:
    """The switch in the foot makes the next page wait for a changed value, until undone."""
    open_live(page, served + PATHS["training", "en"])
    switch = page.locator("#save-data")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator("#waiting")).to_be_visible()
    expect(switch).to_have_attribute("aria-pressed", "true")
    box(page).fill("13")
    wait_until_live(page)
    total(page, "208 GB")
    switch.click()
    open_live(page, served + PATHS["training", "en"])
    expect(switch).to_have_attribute("aria-pressed", "false")
