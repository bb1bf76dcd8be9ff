"""What the pages' policy allows, attempts to break it, hostile input, and who is asked for what."""

import base64
import hashlib
import http.server
import re
import threading
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from tests.e2e.helpers import PATHS, open_live, wait_until_live
from tests.e2e.test_installed import kept_pages
from tests.server import Site
from tests.waiting import wait

HOSTED = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob: 'self'; "
    "style-src 'self'; img-src 'self'; font-src data:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
SINGLE = (
    "default-src 'none'; script-src 'wasm-unsafe-eval' {script}; worker-src blob:; "
    "style-src {style}; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
)
HOSTILE = (
    "\"'><img src=x onerror=attacked()><script>attacked()</script><svg onload=attacked()>"
    "<a href=javascript:attacked()>a</a></textarea></select><style>*{color:red}</style>"
    "<iframe srcdoc='<script>attacked()</script>'></iframe>{{7*7}}${7*7}\u202e\x00&lt;b&gt;"
)
# What hostile input would make, beside the page's own.
MADE = (
    "img, iframe, object, embed, base, svg[onload], [onerror], a[href^='javascript:'], main script"
)
# Chromium itself asks it how to fill in forms, whatever a form says of that.
OF_THE_BROWSER = "content-autofill.googleapis.com:443"
COUNTED = """
    window.violations = [];
    addEventListener("securitypolicyviolation", (event) => {
        violations.push(event.violatedDirective);
    });
"""
ATTACKED = "window.attacked = () => { window.wasAttacked = true; };"

# Each tries one thing in the page, and says "refused" or what it achieved.
ATTEMPTS = {
    "inline handler": """() => {
        document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='attacked()'>");
    }""",
    "inline script": """() => {
        const script = document.createElement("script");
        script.textContent = "attacked()";
        document.head.append(script);
    }""",
    "script of another origin": """address => {
        const script = document.createElement("script");
        script.src = address;
        document.head.append(script);
    }""",
    "script from data": """() => {
        const script = document.createElement("script");
        script.src = "data:text/javascript,attacked()";
        document.head.append(script);
    }""",
    "script from a blob": """() => {
        const script = document.createElement("script");
        script.src = URL.createObjectURL(new Blob(["attacked()"], {type: "text/javascript"}));
        document.head.append(script);
    }""",
    "link with a script": """() => {
        const link = document.createElement("a");
        link.href = "javascript:attacked()";
        document.body.append(link);
        link.click();
    }""",
    "eval": """() => {
        setTimeout(() => { (0, eval)("attacked()"); });
    }""",
    "timer with a text": """() => {
        setTimeout("attacked()");
    }""",
    "style attribute": """() => {
        document.body.insertAdjacentHTML("beforeend", "<p id=styled style='opacity: 0.5'>");
        if (getComputedStyle(styled).opacity === "0.5") attacked();
    }""",
    "style element": """() => {
        document.head.insertAdjacentHTML("beforeend", "<style>body {opacity: 0.5}</style>");
        if (getComputedStyle(document.body).opacity === "0.5") attacked();
    }""",
    "base": """address => {
        document.head.insertAdjacentHTML("afterbegin", `<base href="${address}">`);
        if (document.baseURI === address) attacked();
    }""",
    "picture": """address => {
        new Image().src = address;
    }""",
    "frame": """address => {
        document.body.insertAdjacentHTML("beforeend", `<iframe src="${address}"></iframe>`);
    }""",
    "style sheet": """address => {
        document.head.insertAdjacentHTML(
            "beforeend", `<link rel="stylesheet" href="${address}">`
        );
    }""",
    "fetch": """address => {
        fetch(address, {mode: "no-cors"}).then(attacked, () => {});
    }""",
    "fetch of the own origin": """() => {
        fetch(location.href).then(attacked, () => {});
    }""",
    "beacon": """address => {
        navigator.sendBeacon(address, "secret");
    }""",
    "web socket": """address => {
        new WebSocket(address.replace("http", "ws"));
    }""",
    "form": """address => {
        document.body.insertAdjacentHTML("beforeend", `<form id=sent action="${address}"></form>`);
        sent.submit();
    }""",
    "worker of another kind": """() => {
        new Worker("data:text/javascript,postMessage(1)").onmessage = attacked;
    }""",
    "fetch in a worker": """address => {
        const script = `fetch("${address}", {mode: "no-cors"}).then(() => postMessage(1))`;
        const blob = new Blob([script], {type: "text/javascript"});
        const worker = new Worker(URL.createObjectURL(blob));
        worker.onmessage = attacked;
        worker.onerror = () => {};
    }""",
    "eval in a worker": """() => {
        const blob = new Blob(["eval('postMessage(1)')"], {type: "text/javascript"});
        new Worker(URL.createObjectURL(blob)).onmessage = attacked;
    }""",
}


class Inline(HTMLParser):
    """The policy of a page, and the hashes of the scripts and styles that stand in it."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=False)
        self.policy = ""
        self.hashes: dict[str, list[str]] = {"script": [], "style": []}
        self._inside = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        # what has a type of its own is data, not a script
        self._inside = tag if tag in self.hashes and not {"src", "type"} & values.keys() else ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            digest = base64.b64encode(hashlib.sha256(data.encode()).digest()).decode()
            if f"'sha256-{digest}'" not in self.hashes[self._inside]:
                self.hashes[self._inside].append(f"'sha256-{digest}'")
            self._inside = ""


@pytest.fixture(params=["http", "file", "single"])
def training(request: pytest.FixtureRequest, dist: Path) -> str:
    """The training page's address: hosted, from a folder, and in one file."""
    if request.param == "http":
        served: str = request.getfixturevalue("served")
        return f"{served}index.html"
    name = "index.html" if request.param == "file" else "offline/vram-training-it-offline.html"
    return (dist / name).as_uri()


@pytest.fixture
def stranger() -> Iterator[tuple[str, list[str]]]:
    """The address of another origin, which is a proxy too, and what it is asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        do_POST = do_CONNECT = do_GET

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", asked
        server.shutdown()


def test_policy_is_as_narrow_as_it_can_be(dist: Path) -> None:
    """Scripts and styles of the own origin alone, or those of which the page names the hashes."""
    pages = [path for path in dist.rglob("*.html") if path.name != "404.html"]
    assert len(pages) > 14
    for path in pages:
        page = Inline(path.read_text(encoding="utf-8"))
        if path.parent.name == "offline":
            assert all(page.hashes.values())
            hashes = {tag: " ".join(found) for tag, found in page.hashes.items()}
            assert page.policy == SINGLE.format(**hashes), path
        else:
            assert page.policy == HOSTED, path
            assert page.hashes == {"script": [], "style": []}, path
    lost = Inline((dist / "404.html").read_text(encoding="utf-8"))
    assert lost.policy == (
        f"default-src 'none'; style-src {lost.hashes['style'][0]}; base-uri 'none'; "
        "form-action 'none'"
    )


def test_attempts_are_refused(
    page: Page, training: str, stranger: tuple[str, list[str]], complaints: list[str]
) -> None:
    """The page's policy refuses each attempt and says so, and nobody else is asked for anything."""
    address, asked = stranger
    page.add_init_script(ATTACKED + COUNTED)
    open_live(page, training)
    for name, attempt in ATTEMPTS.items():
        page.evaluate("violations.length = 0")
        try:
            page.evaluate(attempt, address)
        except Error as error:  # where it is refused, it may throw
            assert re.search("Policy|SecurityError", error.message), name
        if name.endswith("in a worker"):
            # There, the refusal is told in the worker.
            page.wait_for_timeout(500)
        else:
            wait(lambda: page.evaluate("violations"), f"{name}: refused")
        assert page.evaluate("window.wasAttacked ?? false") is False, name
        assert asked == [], name
    assert page.evaluate("VramRuntime.state()") == "ready"
    complaints.clear()


@pytest.mark.parametrize(
    ("name", "language"), [("training", "it"), ("inference", "en"), ("lora", "it")]
)
def test_hostile_link(page: Page, served: str, name: str, language: str) -> None:
    """Markup in the value of every key of a link, and in keys, shows as text."""
    page.add_init_script(ATTACKED)
    address = served + PATHS[name, language]
    open_live(page, address)
    own = page.locator(MADE).count()
    keys = page.evaluate("[...document.querySelectorAll('[data-field]')].map(f => f.dataset.field)")
    assert len(keys) > 3
    value = quote(HOSTILE)
    for query in (
        "&".join(f"{key}={value}" for key in keys if key not in ("model", "config")),
        "&".join(f"{key}={value}" for key in keys),
        f"{value}={value}&__proto__={value}&constructor={value}&calculator={value}",
    ):
        open_live(page, f"{address}?{query}#{value}")
        check_harmless(page, own)
    expect(page.locator("#notice")).to_contain_text("<img")


@pytest.mark.parametrize(
    "path",
    [
        *("index.html", "inferenza/index.html", "en/lora/index.html"),
        "offline/vram-training-it-offline.html",
    ],
)
def test_hostile_typing(page: Page, dist: Path, path: str) -> None:
    """Markup typed or pasted into every text field makes no element and runs nothing."""
    page.add_init_script(ATTACKED)
    open_live(page, (dist / path).as_uri())
    own = page.locator(MADE).count()
    for depth in ("simple", "detailed"):
        page.locator(f"[data-to-depth={depth}]").click()
        for details in page.locator("form details:not([open]) summary").all():
            if details.is_visible():
                details.click()
        boxes = page.locator("form input[type=text]:visible, form textarea:visible")
        assert boxes.count() > 0
        for place in boxes.all():
            before = place.input_value()
            page.locator("#announce").evaluate("place => { place.textContent = ''; }")
            place.fill(HOSTILE.replace("\x00", ""))
            expect(page.locator("#announce")).not_to_be_empty()
            check_harmless(page, own)
            place.fill(before)
    check_harmless(page, own)


def check_harmless(page: Page, own: int) -> None:
    """Nothing ran, and there are no more elements of the dangerous kinds than the page's own."""
    assert page.evaluate("window.wasAttacked ?? false") is False
    assert page.evaluate("({}).polluted === undefined && Object.keys(Object.prototype).length") == 0
    assert page.locator(MADE).count() == own


@pytest.mark.parametrize("mode", ["http", "folder", "single"])
def test_visit_asks_nobody_else(
    browser: Browser, dist: Path, tmp_path: Path, mode: str, stranger: tuple[str, list[str]]
) -> None:
    """All pages, typing, a theme: whoever is asked is the site, and nobody by way of the proxy."""
    proxy, asked = stranger
    errors: list[str] = []
    with Site(dist) as site:
        # The service worker's requests do not come to Playwright's ears, but to the proxy's.
        context = browser.new_context(proxy={"server": proxy, "bypass": "127.0.0.1"})
        context.on("request", lambda request: asked.append(request.url))
        context.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        page = context.new_page()
        for address in addresses(mode, site, dist, tmp_path):
            page.goto(address)
            if page.locator("#form").count():
                wait_until_live(page)
                page.locator("form input[type=text]:visible").first.fill("13")
            page.locator("button[data-theme-choice=dark]").click()
        own = (site.address if mode == "http" else "file:", "blob:", "data:", OF_THE_BROWSER)
        context.close()
    assert errors == []
    assert [address for address in asked if not address.startswith(own)] == []


def addresses(mode: str, site: Site, dist: Path, folder: Path) -> list[str]:
    """Where all pages of one mode are, one of each kind among the models' pages."""
    if mode == "single":
        return [path.as_uri() for path in sorted(dist.glob("offline/*.html"))]
    paths = [*kept_pages(dist), "modelli/llama-2-7b/index.html"]
    if mode == "http":
        return [site.address + path for path in paths]
    (archive,) = dist.glob("offline/*.zip")
    zipfile.ZipFile(archive).extractall(folder)
    (root,) = folder.iterdir()
    return [(root / path).as_uri() for path in paths]


def test_licences_of_what_is_shipped(page: Page, dist: Path, tmp_path: Path) -> None:
    """Hosted and in the zip, the method page leads to the licence of each work of others."""
    (archive,) = dist.glob("offline/*.zip")
    zipfile.ZipFile(archive).extractall(tmp_path)
    (root,) = tmp_path.iterdir()
    for where in (dist, root):
        licences = {path.as_uri() for path in (where / "licences").iterdir()}
        assert len(licences) >= 4
        for path in ("metodo/index.html", "en/method/index.html"):
            page.goto((where / path).as_uri())
            links = page.evaluate("[...document.links].map(link => link.href)")
            assert licences <= set(links)
    for path in dist.glob("offline/*.html"):
        text = path.read_text(encoding="utf-8")
        link = re.search(r'href="([^"#]*method/|[^"#]*metodo/)', text)
        assert link is not None and link[1].startswith("https://")
