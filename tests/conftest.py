"""What every test shares: snapshot files, Hypothesis's profile, one built site a session."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).parents[1]
# The path is that of a project site, so that nothing may count on standing at a host's root.
SITE_URL = "https://example.org/calcolatore/"

# No deadline, since the machine may be busy; the same examples each time, so that a run can be
# repeated by anyone.
hypothesis.settings.register_profile("steady", deadline=None, derandomize=True, max_examples=200)
hypothesis.settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the snapshot files anew")


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the file of that name in `snapshots/` beside the test."""

    def compare(name: str, text: str) -> None:
        path = request.path.parent / "snapshots" / name
        if request.config.getoption("--update"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing: run pytest --update and look at it"
        assert text == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site as `build.py` makes it for a path below a host's root."""
    folder = tmp_path_factory.mktemp("site") / "dist"
    command = [sys.executable, "build.py", "--dist", str(folder), "--site-url", SITE_URL]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return folder
