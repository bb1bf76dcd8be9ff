"""The README's examples do what it says."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> list[tuple[str, str]]:
    """Each `$` line of the console blocks with what it is said to print; … stands for the rest."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.S)
    return re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.M)


@pytest.mark.parametrize(("command", "expected"), commands())
def test_console_example(command: str, expected: str) -> None:
    """A command line prints what stands below it."""
    feed, _, run = command.rpartition(" | ")
    words = shlex.split(run)
    assert words[:3] == ["python", "-m", "calculator"]
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=ROOT,
        input=" ".join(shlex.split(feed)[1:]),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    start, ellipsis, rest = expected.partition("…")
    printed = done.stdout.replace("\N{NO-BREAK SPACE}", " ")
    assert printed.startswith(start) and ellipsis and not rest.strip()


def test_there_are_console_examples() -> None:
    """The pattern above still finds the examples."""
    assert len(commands()) >= 4


def test_library_example() -> None:
    """The Python session runs as printed."""
    example = doctest.DocTestParser().get_doctest(
        re.sub(r"```.*", "", README), {}, "README.md", "README.md", 0
    )
    assert example.examples
    runner = doctest.DocTestRunner()
    runner.run(example)
    assert runner.summarize(verbose=False).failed == 0


def test_local_links_and_pictures_exist() -> None:
    """No link to a file of the repository is broken."""
    links = re.findall(r'\]\(([^)#:]+)\)|(?:src|srcset)="([^":]+)"', README)
    missing = [name for pair in links for name in pair if name and not (ROOT / name).exists()]
    assert not missing


def test_make_targets_exist() -> None:
    """Each make target that README and CONTRIBUTING name is one of the Makefile's."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", README + contributing, re.M))
    assert named and named <= targets
