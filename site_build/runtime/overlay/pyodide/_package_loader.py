"""No package can be loaded; the runtime asks where packages would be all the same.

The import is there for its side effect, as in the package itself.
"""

from pyodide_js import loadedPackages  # type: ignore[import-not-found] # noqa: F401


class _Place:
    """Not a plain string, since that would reach JavaScript as one, without `__str__`."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __str__(self) -> str:
        return self.path


SITE_PACKAGES = _Place("/lib/python3.13/site-packages")
DSO_DIR = _Place("/usr/lib")


def init_loaded_packages() -> None:
    pass
