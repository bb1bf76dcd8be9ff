"""Chromium, spoken to in its own DevTools protocol.

Not by way of Playwright, which takes the browser's downloads over: Ctrl+S does nothing then.
"""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.browsers.driver import Browser, Process, ScriptFailed
from tests.browsers.websocket import WebSocket
from tests.waiting import PATIENCE, wait

_SWITCHES = (
    # The tests may run as root, where Chromium's sandbox does not work.
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--password-store=basic",
    "--window-size=1200,850",
    # Loopback is reached without the proxy; everything else asks one that is not there.
    "--proxy-server=127.0.0.1:9",
    "--remote-debugging-port=0",
)


class Chromium(Browser):
    """Chromium with a new profile in ``folder``."""

    def __init__(
        self,
        program: str,
        folder: Path,
        settings: Mapping[str, object] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        (folder / "Default").mkdir(parents=True, exist_ok=True)
        (folder / "Default" / "Preferences").write_text(json.dumps(settings or {}))
        headless = [] if environment else ["--headless"]
        self._process = Process(
            [program, *_SWITCHES, *headless, f"--user-data-dir={folder}", "about:blank"],
            folder / "log.txt",
            environment,
        )
        try:
            port = wait(lambda: self._port(folder), "Chromium says its port")
            tab = wait(lambda: self._tab(port), "Chromium has a tab")
            self._socket = WebSocket("127.0.0.1", port, f"/devtools/page/{tab}", PATIENCE)
            self._last = 0
            self.version = self._ask("Browser.getVersion")["product"]
        except BaseException:
            self._process.end()
            raise

    def _port(self, folder: Path) -> int:
        self._process.printed()
        try:
            return int((folder / "DevToolsActivePort").read_text().split()[0])
        except (FileNotFoundError, IndexError):
            return 0

    def _tab(self, port: int) -> str:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE) as reply:
            return next((tab["id"] for tab in json.load(reply) if tab["type"] == "page"), "")

    def _ask(self, method: str, **params: object) -> Any:
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.receive())
            if message.get("id") != self._last:
                continue
            if "error" in message:
                raise ScriptFailed(f"{method}: {message['error']['message']}")
            return message["result"]

    def open(self, address: str) -> None:
        failed = self._ask("Page.navigate", url=address).get("errorText")
        if failed:
            raise ScriptFailed(f"{address}: {failed}")
        self.until("document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        answer = self._ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise ScriptFailed(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def fill(self, selector: str, text: str) -> None:
        self.value(f"document.querySelector({json.dumps(selector)}).select()")
        for step in ("rawKeyDown", "keyUp"):
            backspace = {"key": "Backspace", "code": "Backspace", "windowsVirtualKeyCode": 8}
            self._ask("Input.dispatchKeyEvent", type=step, **backspace)
        for key in text:
            self._ask("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
            self._ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def click(self, selector: str) -> None:
        self.show(selector)
        box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()"
        place = self.value(box)
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        for step in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=step, x=x, y=y, button="left", clickCount=1)

    def close(self) -> None:
        self._socket.close()
        self._process.end()
