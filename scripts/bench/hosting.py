"""What the benchmark serves: the built site, the floor and the stock runtime, from memory."""

from __future__ import annotations

import base64
import gzip
import http.server
import mimetypes
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a static host such as GitHub Pages compresses.
SQUEEZED = {".html", ".js", ".mjs", ".css", ".wasm", ".json", ".svg", ".webmanifest"}

FLOOR = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script>
WebAssembly.compileStreaming(fetch("pyodide.asm.wasm")).then(() => {
  self.shown = performance.now();
});
</script>"""

STOCK = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><p id="total"></p>
<script>
const worker = new Worker("worker.js");
worker.onmessage = ({ data }) => {
  document.getElementById("total").innerHTML = JSON.parse(data).slots.total;
  requestAnimationFrame(() => setTimeout(() => { self.shown = performance.now(); }));
};
</script>"""

STOCK_WORKER = """
importScripts("pyodide/pyodide.js");
(async () => {
  const wheel = fetch("WHEEL").then((response) => response.arrayBuffer());
  const python = await loadPyodide();
  python.unpackArchive(await wheel, "wheel");
  postMessage(python.pyimport("calculator.web").answer(REQUEST));
})();
"""


def shipped_wasm(dist: Path) -> bytes:
    """The WebAssembly module that the site's pages run, put together from its parts."""
    parts = sorted(
        (dist / "runtime").glob("wasm-*.js"), key=lambda path: int(path.stem.split("-")[1])
    )
    texts = [re.findall(r',"([\w+/=]+)"\]', path.read_text(encoding="ascii"))[0] for path in parts]
    return b"".join(gzip.decompress(base64.b64decode(text)) for text in texts)


def files(dist: Path, pyodide: Path, wheel: Path, request: str) -> dict[str, bytes]:
    """Everything by its path: the site below `site/`."""
    stock = STOCK_WORKER.replace("WHEEL", wheel.name).replace("REQUEST", repr(request))
    found = {
        "floor/index.html": FLOOR.encode(),
        "floor/pyodide.asm.wasm": shipped_wasm(dist),
        "stock/index.html": STOCK.encode(),
        "stock/worker.js": stock.encode(),
        f"stock/{wheel.name}": wheel.read_bytes(),
    }
    for path in pyodide.iterdir():
        if path.is_file():
            found[f"stock/pyodide/{path.name}"] = path.read_bytes()
    for path in dist.rglob("*"):
        if path.is_file():
            found[f"site/{path.relative_to(dist).as_posix()}"] = path.read_bytes()
    return found


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers from memory, compressed beforehand, with the headers of a static host."""

    protocol_version = "HTTP/1.1"
    # Else the second half of each answer waits 40 ms for the first one to be acknowledged.
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    kept: Mapping[str, tuple[bytes, bool]]

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).removeprefix("/")
        found = self.kept.get(path + "index.html" if path.endswith("/") or not path else path)
        self.send_response(200 if found else 404)
        body, squeezed = found or (b"", False)
        kind = mimetypes.guess_type(path)[0] or "text/html"
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("Content-Length", str(len(body)))
        if squeezed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def served(contents: Mapping[str, bytes]) -> Iterator[str]:
    """The address under which `contents` are served on this machine while it lasts."""
    kept = {}
    for path, data in contents.items():
        squeezed = Path(path).suffix in SQUEEZED
        kept[path] = (gzip.compress(data, 6) if squeezed else data, squeezed)
    handler = type("Kept", (Handler,), {"kept": kept})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
