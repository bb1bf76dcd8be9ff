"""A web server for one built site, whose faults a test can arrange."""

from __future__ import annotations

import http.server
import shutil
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

# So that nothing in the pages may count on standing at a host's root.
BASE_PATH = "/calcolatore/"


class Site:
    """Serves ``folder`` below :data:`BASE_PATH` on this machine, until stopped.

    * ``requests``: the paths asked for so far, without query, seen from the site's root;
    * ``sent``: those of which the content was sent;
    * ``missing``: paths that are answered with 404;
    * ``stuck``: paths of which the first answer stops half-way until :meth:`release`;
    * ``folder``: may be exchanged at any time, as by a deployment.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.requests: list[str] = []
        self.sent: list[str] = []
        self.missing: set[str] = set()
        self.stuck: set[str] = set()
        self._released = threading.Event()
        self._server: _Server | None = None
        self._port = 0

    @property
    def address(self) -> str:
        """The address of the site's root, with a slash at its end."""
        return f"http://127.0.0.1:{self._port}{BASE_PATH}"

    def start(self) -> None:
        """Listen; after :meth:`stop`, on the same port as before."""
        self._server = _Server(self, self._port)
        self._port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Answer nothing any more: connections are refused."""
        self.release()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def release(self) -> None:
        """Let the answers that are stuck go on, and none stick from now on."""
        self.stuck = set()
        self._released.set()

    def hold_back(self, path: str) -> None:
        """Called in the midst of an answer."""
        if path in self.stuck:
            self.stuck = self.stuck - {path}
            self._released.wait()

    def __enter__(self) -> Site:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    # a thread that is stuck must not keep the server from closing
    block_on_close = False

    def __init__(self, site: Site, port: int) -> None:
        self.site = site
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is none."""


class _Handler(http.server.SimpleHTTPRequestHandler):
    """One request; ``self.path`` is what was asked for."""

    protocol_version = "HTTP/1.1"
    server: _Server

    @property
    def _asked(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix(BASE_PATH)

    def translate_path(self, path: str) -> str:
        asked = unquote(urlsplit(path).path)
        inside = asked.startswith(BASE_PATH) and ".." not in asked.split("/")
        name = asked.removeprefix(BASE_PATH)
        if not inside or name in self.server.site.missing:
            name = "no such file"
        # the slash at the end tells a folder from a file
        return f"{self.server.site.folder}/{name}"

    def do_GET(self) -> None:
        self.server.site.requests.append(self._asked)
        super().do_GET()

    def end_headers(self) -> None:
        # As a host that lets a browser keep files and ask again, but not what a test holds back:
        # browsers let the second request for a file that may be kept wait for the first.
        stuck = self._asked in self.server.site.stuck
        self.send_header("Cache-Control", "no-store" if stuck else "no-cache")
        self.send_header("Vary", "Accept-Encoding")
        super().end_headers()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        self.server.site.sent.append(self._asked)
        outputfile.write(source.read(1000))
        outputfile.flush()
        self.server.site.hold_back(self._asked)
        shutil.copyfileobj(source, outputfile)

    def log_message(self, format: str, *args: object) -> None:
        pass


def pages_of(folder: Path) -> Iterable[str]:
    """The paths of the site's own pages, seen from its root."""
    for path in sorted(folder.rglob("index.html")):
        yield path.relative_to(folder).as_posix()
