"""The Python runtime that the pages start: packed from Pyodide and the calculator.

`pack` is all that the site's build calls.
"""

from .commands import RuntimeBuildError
from .manifest import Part, RuntimeManifest
from .pipeline import pack

__all__ = ["Part", "RuntimeBuildError", "RuntimeManifest", "pack"]
