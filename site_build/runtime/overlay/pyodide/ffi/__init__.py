"""The types by which Python would handle JavaScript's objects."""

from _pyodide._core_docs import *  # type: ignore[import-not-found] # noqa: F403
