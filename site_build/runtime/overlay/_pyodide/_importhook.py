"""Imports of JavaScript's objects as modules, as far as the runtime's own start needs them."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ._core_docs import JsProxy  # type: ignore[import-not-found]


class _Finder:
    def __init__(self) -> None:
        self.jsproxies: dict[str, Any] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        parent, _, child = name.rpartition(".")
        if not parent:
            found = self.jsproxies.get(name)
        elif isinstance(package := sys.modules.get(parent), JsProxy):
            found = getattr(package, child)
        else:
            found = None
        if found is None:
            return None
        loader: Any = _Loader(found)
        return ModuleSpec(name, loader, origin="javascript", is_package=True)


class _Loader:
    def __init__(self, proxy: Any) -> None:
        self.proxy = proxy

    def create_module(self, spec: ModuleSpec) -> Any:
        return self.proxy

    def exec_module(self, module: ModuleType) -> None:
        pass


jsfinder = _Finder()


def register_js_module(name: str, proxy: Any) -> None:
    jsfinder.jsproxies[name] = proxy


def register_js_finder() -> None:
    sys.meta_path.append(jsfinder)


def register_windows_finder() -> None:
    pass


def register_module_not_found_hook(packages: Any, unvendored: Any) -> None:
    pass


def add_note_to_module_not_found_error(error: ModuleNotFoundError) -> None:
    pass
