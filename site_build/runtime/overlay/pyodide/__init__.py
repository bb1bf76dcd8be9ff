"""Pyodide without its event loop.

The import is there for its side effect: a memory snapshot must hold references to the same
JavaScript objects, in the same order, as one of the full package.
"""

from pyodide_js._api import scheduleCallback  # type: ignore[import-not-found] # noqa: F401
