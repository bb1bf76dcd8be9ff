"""Run inside the runtime at build time, never shipped: makes the calculator import and use all
that it will ever need, in both languages and on its error paths.

What it imports is what the packed standard library holds; what it leaves in memory is what the
snapshot holds.
"""

import json
import traceback
from collections.abc import Iterator

from calculator import web
from calculator.fields import FORMS
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


def exercise() -> None:
    web.warm_up()
    for language in LANGUAGES:
        for calculator, fields in FORMS.items():
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
