"""WebKitGTK through its driver program, in plain WebDriver: JSON by HTTP for each command."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.browsers.driver import BACKSPACE, Browser, Process, ScriptFailed
from tests.waiting import PATIENCE, wait

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_DEAD = "127.0.0.1:9"
_STARTS = 3
_PATIENCE_TO_START = 30
_CAPABILITIES = {
    "pageLoadStrategy": "normal",
    # Loopback is reached without the proxy; everything else asks one that is not there.
    "proxy": {
        "proxyType": "manual",
        "httpProxy": _DEAD,
        "sslProxy": _DEAD,
        "noProxy": ["127.0.0.1"],
    },
}


class WebKit(Browser):
    """The driver's small browser with a profile of its own, on the display of ``environment``."""

    def __init__(self, driver: str, folder: Path, environment: Mapping[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        homes = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        for attempt in range(1, _STARTS + 1):
            try:
                self._start(driver, folder / f"log-{attempt}.txt", {**homes, **environment})
                return
            except TimeoutError:
                # Now and then the driver's browser hangs before it has opened its window; that
                # is no page of ours yet, so another is started in its place.
                if attempt == _STARTS:
                    raise

    def _start(self, driver: str, log: Path, environment: Mapping[str, str]) -> None:
        # The driver does not tell the port that it chose, so it is told one.
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self._root = f"http://127.0.0.1:{port}"
        self._process = Process([driver, f"--port={port}"], log, environment)
        try:
            wait(self._listens, "WebKit's driver listens")
            asked = {"capabilities": {"alwaysMatch": _CAPABILITIES}}
            session = self._ask("POST", "/session", asked, patience=_PATIENCE_TO_START)
            self.version = session["capabilities"]["browserVersion"]
            self._root += f"/session/{session['sessionId']}"
        except BaseException:
            self._process.end()
            raise

    def _listens(self) -> bool:
        self._process.printed()
        try:
            return bool(self._ask("GET", "/status")["ready"])
        except urllib.error.URLError:
            return False

    def _ask(
        self, method: str, path: str, body: object = None, *, patience: float = PATIENCE
    ) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._root + path, data, method=method)
        # not by way of a proxy that the environment may name
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=patience) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            with error:
                problem = json.load(error)["value"]
            raise ScriptFailed(f"{path}: {problem['error']}: {problem['message']}") from None

    def open(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def value(self, expression: str) -> Any:
        return self._ask("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def _element(self, selector: str) -> str:
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        return f"/element/{found[_ELEMENT]}"

    def fill(self, selector: str, text: str) -> None:
        # Not the driver's own way to clear: the page is not told of that as of a key.
        self.value(f"document.querySelector({json.dumps(selector)}).select()")
        self._ask("POST", f"{self._element(selector)}/value", {"text": BACKSPACE + text})

    def click(self, selector: str) -> None:
        # The driver scrolls an element to the edge, where one that sticks there may cover it.
        self.show(selector)
        self._ask("POST", f"{self._element(selector)}/click", {})

    def close(self) -> None:
        try:
            self._ask("DELETE", "", None)
        finally:
            self._process.end()
