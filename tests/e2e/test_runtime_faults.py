"""What goes wrong with the runtime: words say so, nothing is lost, and trying again works."""

import base64
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.helpers import PATIENCE, box, open_live, total, wait_until_live

PART = re.compile(r"push\(\[(\{.*\}),\"([\w+/=]+)\"\]\)")
Change = Callable[[str], str]


def cut_short(script: str) -> str:
    return script[: len(script) // 2]


def corrupt(script: str) -> str:
    """Swap two characters of the base64 text: it still decodes, to other bytes."""
    middle = len(script) // 2
    other = "A" if script[middle] != "A" else "B"
    return script[:middle] + other + script[middle + 1 :]


def shorter(script: str) -> str:
    """A script that runs, and hands over less than it announces."""
    return re.sub(r'.{9}"\]\);\n$', '"]);', script)


def of_another_build(script: str) -> str:
    """Whole, but it does not belong with the other parts."""
    if '"needs"' in script:
        return script.replace(" snapshot-1:", " snapshot-1:0")
    return re.sub(r'"version": "\w+"', '"version": "00000000"', script)


def with_content(change: Callable[[bytes], bytes]) -> Change:
    """Replace what a part holds by something else that is packed without a fault."""

    def changed(script: str) -> str:
        found = PART.search(script)
        assert found
        content = change(gzip.decompress(base64.b64decode(found[2])))
        text = base64.b64encode(gzip.compress(content)).decode()
        chunk = json.loads(found[1]) | {"length": len(text)}
        return f'self.vramParts.push([{json.dumps(chunk)},"{text}"]);'

    return changed


def spoil(page: Page, dist: Path, part: str, change: Change, times: int = 1) -> None:
    """Change a part's script on its way to the page."""

    def handle(route: Route) -> None:
        script = (dist / "runtime" / f"{part}.js").read_text(encoding="ascii")
        route.fulfill(body=change(script), content_type="text/javascript")

    page.route(f"**/runtime/{part}.js*", handle, times=times)


def failed(page: Page, code: str) -> None:
    """The page says in words what happened, and the ready-made results are still there."""
    expect(page.locator(f'#failed [data-code="{code}"]')).to_be_visible(timeout=PATIENCE)
    assert page.locator("#failed [data-code]:visible").count() == 1
    expect(page.locator("#slot-results")).to_contain_text("112")
    assert page.evaluate("VramRuntime.state()") == "failed"


def try_again(page: Page) -> None:
    page.locator("#retry").click()
    wait_until_live(page)
    expect(page.locator("#failed")).to_be_hidden()


@pytest.fixture
def errors(complaints: list[str]) -> Any:
    """These tests provoke errors on the console, but no request to elsewhere and no dialog."""
    yield complaints
    assert all(complaint.startswith(("console:", "error:")) for complaint in complaints)
    complaints.clear()


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("glue-1", cut_short),
        ("glue-1", corrupt),
        ("glue-1", of_another_build),
        ("wasm-3", cut_short),
        ("wasm-3", corrupt),
        ("wasm-3", of_another_build),
        ("snapshot-2", shorter),
        ("snapshot-2", corrupt),
    ],
)
def test_damaged_part(
    page: Page, served: str, dist: Path, errors: list[str], part: str, change: Change
) -> None:
    """Each kind of part, each kind of damage; what was typed meanwhile is answered in the end."""
    spoil(page, dist, part, change)
    page.goto(served)
    box(page).fill("13")
    failed(page, "part")
    expect(box(page)).to_have_value("13")
    try_again(page)
    total(page, "208 GB")


def test_missing_part(page: Page, served: str, errors: list[str]) -> None:
    """The rest is not asked for again."""
    page.route("**/runtime/wasm-2.js*", lambda route: route.fulfill(status=404), times=1)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(served)
    failed(page, "part")
    page.wait_for_load_state("load")
    asked.clear()
    box(page).fill("70")
    try_again(page)
    total(page, "1120 GB")
    assert [re.sub(r".*/|\?.*", "", url) for url in asked if "/runtime/" in url] == ["wasm-2.js"]


def test_network_cut_while_loading(page: Page, served: str, errors: list[str]) -> None:
    """Then the browser fails every part that had not come; later they come."""
    late = re.compile(r"/runtime/(wasm-[4-9]|snapshot)")
    page.route(late, lambda route: route.abort("internetdisconnected"))
    page.goto(served)
    failed(page, "part")
    box(page).fill("13")
    page.locator("#retry").click()
    failed(page, "part")
    page.unroute(late)
    try_again(page)
    total(page, "208 GB")


def test_parts_of_two_deployments(page: Page, served: str, dist: Path, errors: list[str]) -> None:
    """An old page gets the new parts whole: the glue knows which belong together."""

    def older(route: Route) -> None:
        html = (dist / "index.html").read_text(encoding="utf-8")
        listed = re.sub(r"(snapshot-\d+):\w+", r"\1:00000000", html)
        # And one part fewer than there are now.
        route.fulfill(body=re.sub(r" snapshot-1:\w+:\d+", "", listed), content_type="text/html")

    page.route(served, older)
    page.goto(served)
    wait_until_live(page)
    box(page).fill("13")
    total(page, "208 GB")


def test_no_webassembly(page: Page, served: str, errors: list[str]) -> None:
    page.add_init_script("delete self.WebAssembly")
    page.goto(served)
    failed(page, "wasm")


def test_webassembly_that_does_not_compile(
    page: Page, served: str, dist: Path, errors: list[str]
) -> None:
    """As where a policy forbids it; Pyodide alone would hang here."""
    spoil(page, dist, "wasm-1", with_content(lambda wasm: b"\0bad" + wasm[4:]))
    page.goto(served)
    failed(page, "wasm")


@pytest.mark.parametrize(
    ("policy", "code"),
    [("script-src 'self'; worker-src blob:", "wasm"), ("worker-src 'none'", "worker")],
)
def test_policy_forbids(
    page: Page, served: str, dist: Path, errors: list[str], policy: str, code: str
) -> None:
    """A stricter policy than ours, as an intermediary may set it."""

    def stricter(route: Route) -> None:
        headers = {"Content-Security-Policy": policy, "Content-Type": "text/html; charset=utf-8"}
        route.fulfill(body=(dist / "index.html").read_bytes(), headers=headers)

    page.route(served, stricter)
    page.goto(served)
    failed(page, code)


def test_worker_that_says_nothing(page: Page, served: str, dist: Path, errors: list[str]) -> None:
    """Silence is told from slowness: it counts once the worker has everything."""
    page.clock.install()
    spoil(page, dist, "glue-1", with_content(lambda _: b"postMessage({stage: 'alive'})"))
    page.goto(served)
    expect(page.locator("#loading-start")).to_be_visible(timeout=PATIENCE)
    page.clock.run_for(20_000)
    assert page.evaluate("VramRuntime.state()") == "loading"
    page.clock.run_for(20_000)
    failed(page, "timeout")


def test_very_slow_link(page: Page, served: str) -> None:
    """Slowness is no failure, however long it lasts; the bar tells the truth meanwhile."""
    page.clock.install()
    held: list[Route] = []
    page.route("**/runtime/snapshot-2.js*", lambda route: held.append(route))
    page.goto(served, wait_until="domcontentloaded")
    box(page).fill("13")
    expect(page.locator("#loading-download")).to_be_visible(timeout=PATIENCE)
    page.clock.run_for(600_000)
    assert page.evaluate("VramRuntime.state()") == "loading"
    assert 0.3 < page.locator("#progress").evaluate("bar => bar.value") < 1
    expect(page.locator("#failed")).to_be_hidden()
    held[0].continue_()
    page.clock.resume()
    wait_until_live(page)
    total(page, "208 GB")


def test_engine_that_fails(page: Page, served: str, errors: list[str]) -> None:
    """The text goes to the console alone; another start answers what was asked."""
    open_live(page, served)
    page.evaluate("VramRuntime.ask('no JSON', () => {})")
    failed(page, "crash")
    assert any("JSONDecodeError" in error for error in errors)
    assert "JSONDecodeError" not in page.locator("body").inner_text()
    box(page).fill("13")
    try_again(page)
    total(page, "208 GB")


def test_saving_data(page: Page, served: str) -> None:
    """Nothing is loaded before the first input, and everything then."""
    page.add_init_script(
        "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
    )
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(served)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("VramRuntime.state()") == "held"
    assert not [url for url in asked if "/runtime/" in url]
    expect(page.locator("#waiting")).to_be_visible()
    box(page).fill("13")
    wait_until_live(page)
    total(page, "208 GB")
