"""Runs inside the restored snapshot: the engine's tests, by pytest, with a watch on its imports.

What the tests themselves need (pytest, the whole standard library) is added behind the snapshot's
own modules. A module of the snapshot that imports any of it would fail at a visitor's, so such an
import is an error here.
"""

import sys

SHIPPED = frozenset(sys.modules)


class NothingMissing:
    """First among the finders: is asked for every module that the snapshot does not hold."""

    def __init__(self):
        self.faults = []

    def find_spec(self, name, path=None, target=None):
        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__", "").startswith("importlib."):
            frame = frame.f_back
        importer = frame.f_globals.get("__name__", "") if frame else ""
        if importer.startswith("calculator") and importer in SHIPPED:
            self.faults.append(f"{importer} imports {name}")
        return None


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
    watch = NothingMissing()
    sys.meta_path.insert(0, watch)
    import subprocess

    import pytest

    # There are no processes here: a test that needs one is for elsewhere.
    subprocess.Popen.__init__ = lambda *_, **__: pytest.skip("needs a process")
    status = int(pytest.main(["-p", "no:cacheprovider", *arguments]))
    for fault in sorted(set(watch.faults)):
        print("not in the snapshot:", fault)
    return 90 if watch.faults else status
