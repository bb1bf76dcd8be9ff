"""Build, serve and check the site: ``python build.py [build|serve|watch|check]``."""

from __future__ import annotations

import argparse
import functools
import http.server
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from calculator.report.words import LANGUAGES
from site_build import addresses, assets, checks, installed, offline, pages, public_data, wheel
from site_build.dates import source_date
from site_build.delivery import Runtime
from site_build.errors import BuildError
from site_build.runtime import RuntimeBuildError, pack
from site_build.site import ROOT, Site, load, load_words

DIST = ROOT / "dist"
WATCHED = ("calculator", "site_build", "site_src", "build.py", "package-lock.json")


def build(dist: Path, site_url: str, node: str) -> None:
    """Make the whole site in ``dist``; nothing there is touched unless everything is right.

    ``site_url`` is where it will be served from (empty: unknown). Raises
    :class:`BuildError` or :class:`RuntimeBuildError`.
    """
    load_words(ROOT / "calculator" / "locale", LANGUAGES)
    site = load(site_url, os.environ.get("SITE_REPOSITORY", ""))
    static = assets.gather()
    with tempfile.TemporaryDirectory(prefix="llm-vram-") as name:
        manifest = pack(Path(name), node)
        packed = assets.read(Path(name))
    runtime = Runtime(manifest.parts_attribute(), manifest.total_bytes, manifest.payload_scripts())
    templates = pages.environment()
    builder = pages.Builder(site, static, runtime, source_date(), templates)
    shared = packed | {f"static/{path}": data for path, data in static.files.items()}
    shared |= {f"licences/{row.file_name}": row.text.read_bytes() for row in site.licences}
    shared |= public_data.build(site.repository)
    single = builder.pages("single")
    archive = offline.site_zip(builder.pages("folder") | shared)
    downloads = pages.Downloads(
        {path: len(data) for path, data in single.items()}, offline.ZIP_PATH, len(archive)
    )
    hosted = builder.pages("hosted", downloads) | shared | installed.manifests(site, static)
    urls = {f"static/{path}": static.address(path) for path in static.files}
    urls |= {part.url.partition("?")[0]: part.url for part in manifest.parts}
    files = hosted | single | {offline.ZIP_PATH: archive} | addresses.build(site, templates)
    files["sw.js"] = installed.service_worker(_kept(hosted, site), urls)
    files |= wheel.build()
    files[".nojekyll"] = b""
    _check(files, site)
    _write(dist, files)
    print(f"{len(files)} files, {sum(map(len, files.values())) / 1e6:.1f} MB in {dist}")


def _kept(hosted: Mapping[str, bytes], site: Site) -> dict[str, bytes]:
    """What a visitor's device keeps: not the pages of single models, nor the data files.

    They would double the number of requests of an installation, for pages of which few are
    ever read; without a network the zip has them.
    """
    left_out = {path for page in site.model_pages for path in page.paths.values()}
    left_out |= public_data.build(site.repository).keys()
    return {path: data for path, data in hosted.items() if path not in left_out}


def _check(files: Mapping[str, bytes], site: Site) -> None:
    found = list(checks.faults(files, site.base_path))
    if found:
        raise BuildError("dist", None, "\n".join(["the built pages have faults:", *found]))


def _write(dist: Path, files: Mapping[str, bytes]) -> None:
    """Replace what is in ``dist`` but for its ``.gitignore``."""
    dist.mkdir(parents=True, exist_ok=True)
    for child in dist.iterdir():
        if child.name == ".gitignore":
            continue
        if child.is_dir():
            shutil.rmtree(child)
        else:
            child.unlink()
    for path, data in files.items():
        target = dist / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def check(dist: Path, site_url: str) -> None:
    """Check a site that is built already. Raises :class:`BuildError`."""
    files = {
        path.relative_to(dist).as_posix(): path.read_bytes()
        for path in sorted(dist.rglob("*"))
        if path.is_file() and path.name != ".gitignore"
    }
    if "index.html" not in files:
        raise BuildError(dist, None, "nothing is built there yet")
    _check(files, load(site_url))
    print(f"{dist}: no fault in {sum(path.endswith('.html') for path in files)} pages")


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site's own 404 page, as GitHub Pages does."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = DIST / "404.html"
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        pass


def serve(dist: Path, port: int) -> None:
    """Serve ``dist`` on this machine until interrupted."""
    handler = functools.partial(_Handler, directory=str(dist))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise BuildError(f"port {port}", None, f"can't be used ({error.strerror})") from None
    with server:
        print(f"http://localhost:{server.server_port}/  (Ctrl+C stops)", flush=True)
        server.serve_forever()


def _newest() -> float:
    found = 0.0
    for name in WATCHED:
        path = ROOT / name
        for file in [path, *path.rglob("*")]:
            if file.suffix != ".pyc" and file.is_file():
                found = max(found, file.stat().st_mtime)
    return found


def watch(arguments: Sequence[str]) -> None:
    """Build anew, in a fresh process, whenever a source changes."""
    seen = 0.0
    while True:
        newest = _newest()
        if newest > seen:
            seen = newest
            os.spawnv(os.P_WAIT, sys.executable, [sys.executable, __file__, "build", *arguments])
        time.sleep(0.5)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 a fault in the sources or the built site."""
    parser = argparse.ArgumentParser(prog="build.py", description=__doc__)
    parser.add_argument(
        "command", nargs="?", default="build", choices=("build", "serve", "watch", "check")
    )
    parser.add_argument("--dist", type=Path, default=DIST, help="where the site is built")
    parser.add_argument("--site-url", default="", help="the address it will be served from")
    parser.add_argument("--node", default=os.environ.get("NODE") or shutil.which("node") or "node")
    parser.add_argument("--port", type=int, default=8000, help="for serve")
    options = parser.parse_args(arguments)
    try:
        if options.command == "build":
            build(options.dist, options.site_url, options.node)
        elif options.command == "check":
            check(options.dist, options.site_url)
        elif options.command == "serve":
            serve(options.dist, options.port)
        else:
            watch(
                [
                    "--dist",
                    str(options.dist),
                    "--site-url",
                    options.site_url,
                    "--node",
                    options.node,
                ]
            )
    except (BuildError, RuntimeBuildError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
