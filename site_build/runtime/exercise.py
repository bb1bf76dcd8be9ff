"""Run inside the runtime at build time, never shipped: makes the calculator import and use all
that it will ever need, in both languages and on its error paths.

What it imports is what the packed standard library holds; what it leaves in memory is what the
snapshot holds.
"""

import json
import sys
import traceback
from collections.abc import Iterator
from itertools import product

from calculator import web
from calculator.fields import CALCULATORS, form_fields
from calculator.report.words import LANGUAGES

NUMBERS = ("7", "7,5", "7.5", "7B", "8k", "1\u00a0000", "1'000", "405 miliardi", "12")
BAD_NUMBERS = ("", "x", "-1", "0", "nan", "inf", "1e400", "9999999", "1.234", "1,234", "<b>&")
SLUGS = ("adam-mixed", "adam-mixd", "adam-8bit", "sgd-momentum", "fp32", "bf16", "int4")


def forms(first: dict[str, str]) -> Iterator[dict[str, str]]:
    """The page's first form; then each field in turn with each good, bad and unknown value; then
    keys nobody declared, and all fields wrong at once."""
    yield first
    for field in first:
        for value in (*NUMBERS, *BAD_NUMBERS, *SLUGS):
            yield first | {field: value}
    yield first | {"nonsense": "1", "parametres": "7"}
    yield dict.fromkeys(first, "x")
    yield {}


def load_catalogues() -> None:
    """Call each function that reads a data file once and keeps it: there are no files later."""
    modules = [module for name, module in sys.modules.items() if name.startswith("calculator.")]
    for value in [value for module in modules for value in vars(module).values()]:
        if hasattr(value, "cache_info") and not value.__wrapped__.__code__.co_argcount:
            value()


def exercise() -> None:
    load_catalogues()
    for language, calculator, detailed in product(LANGUAGES, CALCULATORS, (False, True)):
        fields = form_fields(calculator, detailed=detailed)
        first = {field.name: web.initial_text(field, language) for field in fields}
        for form in forms(first):
            request = {"calculator": calculator, "language": language, "form": form}
            reply = json.loads(web.answer(json.dumps(request)))
            if form is first and not reply["ok"]:
                raise AssertionError(f"no first result: {request} -> {reply}")
    # A traceback is what the console gets if the engine ever fails, so its modules must be there.
    try:
        web.answer("not JSON")
    except ValueError:
        traceback.format_exc()


exercise()
