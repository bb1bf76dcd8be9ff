"""The engine as a package: pure, self-contained, and installable from its wheel."""

import ast
import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import calculator
from toolchain import on_path, output_of

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "calculator").rglob("*.py"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package's wheel, built by its own build backend without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    code = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.split()[-1]


def test_wheel_holds_the_engine_alone(wheel: Path) -> None:
    """Every file of the engine is in the wheel, its data and texts too, and nothing of the site."""
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    kept = (".py", ".toml", ".typed")
    files = [
        p for p in (ROOT / "calculator").rglob("*") if p.suffix in kept or p.name == "py.typed"
    ]
    assert names == {path.relative_to(ROOT).as_posix() for path in files}


def test_installed_wheel_works(wheel: Path, tmp_path: Path) -> None:
    """In a fresh environment without network or sources, the command and the library answer."""
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    # the installer of this environment, so that the fresh one needs none
    install = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    options = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    subprocess.run([*install, *options, str(wheel)], check=True, env=clean)
    command = tmp_path / "venv" / "bin" / "llm-vram"
    arguments = ["training", "--parameters", "7", "--activation-memory", "20"]
    done = subprocess.run(
        [command, *arguments, "--json"],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert json.loads(done.stdout)["total_bytes"] == 132_000_000_000
    code = "import calculator; print(calculator.__file__, calculator.__version__)"
    done = subprocess.run(
        [python, "-c", code],
        cwd=tmp_path,
        env=clean,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    file, version = done.stdout.split()
    assert file.startswith(str(tmp_path)) and version == calculator.__version__


def test_runs_on_the_oldest_python() -> None:
    """A Python 3.11 of this machine gives the result; every module is of its syntax in any case."""
    for path in MODULES:
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=(3, 11))
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [*on_path("python3.11"), *map(str, pyenv.glob("versions/3.11.*/bin/python3.11"))]
    for python in candidates:
        if output_of([python, "-c", "import sys; print(sys.version_info[:2])"]) != "(3, 11)":
            continue
        arguments = [
            "-m",
            "calculator",
            "training",
            "--parameters",
            "7,5",
            "--lang",
            "it",
            "--json",
        ]
        done = subprocess.run(
            [python, "-B", *arguments],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        assert json.loads(done.stdout)["total_bytes"] == 120_000_000_000
        return


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_standard_library_alone(path: Path) -> None:
    """A module imports the standard library and the engine, and nothing of a browser or a site."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        for name in names:
            top = name.partition(".")[0]
            assert top == "calculator" or top in sys.stdlib_module_names


def test_browser_module_is_light() -> None:
    """What the page imports brings none of the modules that are heavy in a browser."""
    code = "import sys, calculator.web; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    loaded = set(done.stdout.split())
    assert "calculator.web" in loaded
    assert not loaded & {"argparse", "urllib.parse", "html", "calculator.cli", "calculator.batch"}
