"""Runs source text for JavaScript.

What has been run before is not compiled again: the runtime's own start is then, in a snapshot,
spared the parser and the compiler, and the browser the translation of their code.
"""

import ast
from functools import cache
from importlib import import_module
from types import CodeType
from typing import Any


@cache
def _compiled(source: str) -> tuple[CodeType, CodeType | None]:
    """All statements but a last expression; that expression."""
    tree = ast.parse(source)
    value = None
    if tree.body and isinstance(last := tree.body[-1], ast.Expr):
        del tree.body[-1]
        value = compile(ast.Expression(last.value), "<exec>", "eval")
    return compile(tree, "<exec>", "exec"), value


def eval_code(source: str, globals: dict[str, Any] | None = None, **_: object) -> Any:  # noqa: A002
    """Run `source`; the value of its last expression."""
    scope = {} if globals is None else globals
    statements, value = _compiled(source)
    exec(statements, scope)
    return eval(value, scope) if value else None


def pyimport_impl(name: str) -> Any:
    """The module of that name."""
    return import_module(name)
