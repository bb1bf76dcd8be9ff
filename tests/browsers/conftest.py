"""Three engines, each in a process of its own, without a network but for this machine."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browsers.chromium import Chromium
from tests.browsers.desktop import Desktop
from tests.browsers.driver import Browser
from tests.browsers.firefox import Firefox
from tests.browsers.webkit import WebKit
from tests.server import Site
from toolchain import path_of

ENGINES = ("chromium", "firefox", "webkit")


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Leave these to `make test-browsers`: not everyone who runs the tests has three browsers."""
    return None if any("browsers" in argument for argument in config.args) else True


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[Site]:
    """The built site, by http."""
    with Site(dist) as running:
        yield running


@pytest.fixture(scope="session")
def unpacked(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the zip holds, unpacked."""
    folder = tmp_path_factory.mktemp("zip")
    (archive,) = dist.glob("offline/*.zip")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    (inside,) = folder.iterdir()
    return inside


@pytest.fixture(scope="session")
def desktop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """A screen for browsers that need one."""
    screen = Desktop(path_of("Xvfb"), path_of("xdotool"), tmp_path_factory.mktemp("screen"))
    yield screen
    screen.close()


@pytest.fixture(scope="session")
def browsers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Browser]]:
    """Gives the browser of an engine, each started once, by a name of :data:`ENGINES`."""
    started: dict[str, Browser] = {}

    def start(engine: str) -> Browser:
        if engine not in started:
            folder = tmp_path_factory.mktemp(engine)
            if engine == "chromium":
                started[engine] = Chromium(path_of(engine), folder)
            elif engine == "firefox":
                started[engine] = Firefox(path_of(engine), folder)
            else:
                # Its browser is always a window.
                screen: Desktop = request.getfixturevalue("desktop")
                started[engine] = WebKit(path_of("WebKitWebDriver"), folder, screen.environment)
            print(f"{engine}: {started[engine].version}")
        return started[engine]

    yield start
    for browser in started.values():
        browser.close()


@pytest.fixture(params=ENGINES)
def visitor(request: pytest.FixtureRequest, browsers: Callable[[str], Browser]) -> Browser:
    """The browser of each engine in turn."""
    return browsers(request.param)
