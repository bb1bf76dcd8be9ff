"""Firefox, spoken to in WebDriver BiDi, which it serves itself: no driver program is needed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.browsers.driver import BACKSPACE, Browser, Process, ScriptFailed
from tests.browsers.websocket import WebSocket
from tests.waiting import PATIENCE, wait

# Loopback is reached without the proxy; everything else asks one that is not there.
_NO_NETWORK = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
}
_QUIET = {
    # Automation's own settings would let a file:// page read its neighbours, as no visitor's can.
    "remote.prefs.recommended": False,
    "security.fileuri.strict_origin_policy": True,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "termsofuse.bypassNotification": True,
    "trailhead.firstrun.didSeeAboutWelcome": True,
    "toolkit.cosmeticAnimations.enabled": False,
}


class Firefox(Browser):
    """Firefox with a new profile in ``folder``."""

    def __init__(
        self,
        program: str,
        folder: Path,
        settings: Mapping[str, object] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in {**_NO_NETWORK, **_QUIET, **(settings or {})}.items()
        ]
        (folder / "user.js").write_text("".join(lines), encoding="utf-8")
        headless = [] if environment else ["--headless"]
        self._process = Process(
            [program, *headless, "--no-remote", "--profile", str(folder)]
            + ["--remote-debugging-port", "0", "about:blank"],
            folder / "log.txt",
            {"HOME": str(folder), **(environment or {})},
        )
        try:
            port = wait(lambda: self._port(folder), "Firefox says its port")
            self._socket = WebSocket("127.0.0.1", port, "/session", PATIENCE)
            self._last = 0
            self.version = self._ask("session.new", capabilities={})["capabilities"][
                "browserVersion"
            ]
            self._tab = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        except BaseException:
            self._process.end()
            raise

    def _port(self, folder: Path) -> int:
        self._process.printed()
        try:
            told = json.loads((folder / "WebDriverBiDiServer.json").read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return 0
        return int(told["ws_port"])

    def _ask(self, method: str, **params: object) -> Any:
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.receive())
            if message.get("id") != self._last:
                continue
            if message["type"] == "error":
                raise ScriptFailed(f"{method}: {message['error']}: {message['message']}")
            return message["result"]

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def value(self, expression: str) -> Any:
        answer = self._ask(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then(JSON.stringify)",
            target={"context": self._tab},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise ScriptFailed(answer["exceptionDetails"]["text"])
        text = answer["result"].get("value")
        return None if text is None else json.loads(text)

    def _element(self, selector: str) -> Any:
        found = self._ask(
            "browsingContext.locateNodes",
            context=self._tab,
            locator={"type": "css", "value": selector},
            maxNodeCount=1,
        )["nodes"]
        assert found, f"no {selector}"
        return {"sharedId": found[0]["sharedId"]}

    def _perform(self, kind: str, actions: list[dict[str, object]]) -> None:
        source = {"type": kind, "id": kind, "actions": actions}
        self._ask("input.performActions", context=self._tab, actions=[source])

    def fill(self, selector: str, text: str) -> None:
        self.value(f"document.querySelector({json.dumps(selector)}).select()")
        keys = [BACKSPACE, *text]
        self._perform(
            "key",
            [{"type": step, "value": key} for key in keys for step in ("keyDown", "keyUp")],
        )

    def click(self, selector: str) -> None:
        self.show(selector)
        element = {"type": "element", "element": self._element(selector)}
        self._perform(
            "pointer",
            [
                {"type": "pointerMove", "x": 0, "y": 0, "origin": element},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerUp", "button": 0},
            ],
        )

    def close(self) -> None:
        self._socket.close()
        self._process.end()
