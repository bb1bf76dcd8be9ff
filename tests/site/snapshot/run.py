"""Runs inside the restored snapshot: the engine's tests, by pytest, with a watch on its imports.

What the tests themselves need (pytest, the whole standard library) is added behind the snapshot's
own modules. A module of the snapshot that imports any of it would fail at a visitor's, so such an
import is an error here.
"""

import pkgutil
import sys

SHIPPED = frozenset(sys.modules)


def caller(ignored):
    """The name of the nearest module up the stack that is not one of the `ignored`."""
    frame = sys._getframe(2)
    while frame and frame.f_globals.get("__name__", "").startswith(ignored):
        frame = frame.f_back
    return frame.f_globals.get("__name__", "") if frame else ""


class NothingMissing:
    """Notes each module and each data file that a module of the snapshot asks for: what the page
    needs is in memory, and nothing else is there."""

    def __init__(self, folder):
        self.folder = folder
        self.faults = []

    def find_spec(self, name, path=None, target=None):
        """As the first of the finders it is asked for every module that is not loaded."""
        self._note(caller("importlib."), f"imports {name}")

    def get_data(self, package, resource):
        """In place of pkgutil's."""
        self._note(caller("calculator.packaged"), f"reads {resource}")
        with open(f"{self.folder}/{package}/{resource}", "rb") as file:
            return file.read()

    def _note(self, module, what):
        if module.startswith("calculator") and module in SHIPPED:
            self.faults.append(f"{module} {what}")


def main(folder, arguments):
    """Run pytest in `folder`; its exit status, or 90 if an import was missing."""
    # The runtime's stand-in has no event loop, but what else imports it wants the real one.
    for name in [name for name in sys.modules if name.split(".")[0] == "asyncio"]:
        del sys.modules[name]
    sys.path[:0] = [folder]
    sys.path += [f"{folder}/replay", f"{folder}/packages", f"{folder}/python_stdlib.zip"]
    sys.path_importer_cache.clear()
    # Packages of the snapshot get at the modules that it leaves out: of the library for pytest's
    # sake, of the calculator those that the page has no use for, such as its command line.
    for name in SHIPPED & sys.modules.keys():
        module = sys.modules[name]
        if isinstance(getattr(module, "__path__", None), list):
            place = folder if name.startswith("calculator") else f"{folder}/python_stdlib.zip"
            module.__path__ = [*module.__path__, f"{place}/{name.replace('.', '/')}"]
    watch = NothingMissing(folder)
    sys.meta_path.insert(0, watch)
    pkgutil.get_data = watch.get_data
    import subprocess

    import pytest

    # There are no processes here: a test that needs one is for elsewhere.
    subprocess.Popen.__init__ = lambda *_, **__: pytest.skip("needs a process")
    status = int(pytest.main(["-p", "no:cacheprovider", *arguments]))
    for fault in sorted(set(watch.faults)):
        print("not in the snapshot:", fault)
    return 90 if watch.faults else status
