"""A real browser on the built site, by http below a host's root and from the disk."""

import gzip
import http.server
import mimetypes
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import ConsoleMessage, Page, Request, expect

from toolchain import browser

# Where the site is served, as GitHub Pages serves a project's.
BASE_PATH = "/calcolatore/"
# For a busy machine; nothing waits that long where all is well.
expect.set_options(timeout=20_000)
_SQUEEZED = {".html", ".css", ".js", ".svg", ".webmanifest"}


class _Handler(http.server.BaseHTTPRequestHandler):
    """Serves `folder` below BASE_PATH: gzip for text, the site's own page for what is not there."""

    protocol_version = "HTTP/1.1"
    folder: Path

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        file = (self.folder / path.removeprefix(BASE_PATH)).resolve()
        if file.is_dir():
            file /= "index.html"
        inside = path.startswith(BASE_PATH) and file.is_relative_to(self.folder)
        if inside and file.is_file():
            self._send(200, file)
        else:
            self._send(404, self.folder / "404.html")

    def _send(self, status: int, file: Path) -> None:
        data = file.read_bytes()
        self.send_response(status)
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        if file.suffix in _SQUEEZED:
            data = gzip.compress(data, 1)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up in the midst of an answer is no error."""


@pytest.fixture(scope="session")
def served(dist: Path) -> Iterator[str]:
    """The address of the site's root, by http."""
    handler = type("Handler", (_Handler,), {"folder": dist.resolve()})
    with _Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{BASE_PATH}"
        server.shutdown()


@pytest.fixture(params=["http", "file"])
def root(request: pytest.FixtureRequest, dist: Path) -> str:
    """The address of the site's root, by http and then from the disk."""
    if request.param == "file":
        return f"{dist.resolve().as_uri()}/"
    address: str = request.getfixturevalue("served")
    return address


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The Chromium that the set-up found."""
    return {**browser_type_launch_args, **browser.launch_options()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Nothing moves, and no service worker stands between a test and the requests that it sees."""
    return {**browser_context_args, "reduced_motion": "reduce", "service_workers": "block"}


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complains of, and each request that leaves the site's own origin."""
    found: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            found.append(f"console: {message.text}")

    def asked(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "file") and parts.hostname != "127.0.0.1":
            found.append(f"request: {request.url}")

    page.on("console", heard)
    page.on("pageerror", lambda error: found.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (found.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.context.on("request", asked)
    return found


@pytest.fixture(autouse=True)
def nothing_to_complain_of(complaints: list[str]) -> Iterator[None]:
    """No test may end with an error on the console; one that provokes errors clears the list."""
    yield
    assert complaints == []
