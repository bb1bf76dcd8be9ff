"""Run inside the runtime at build time, never shipped: makes the calculator import and use all
that it will ever need, in both languages and on its error paths.

What it imports is what the packed standard library holds; what it leaves in memory is what the
snapshot holds.
"""

import json
import traceback

from calculator.web import answer

LANGUAGES = ("it", "en")
NUMBERS = ("7", "7,5", "7.5", "7B", "8k", "1\u00a0000", "1'000", "405 miliardi")
BAD_NUMBERS = ("", "x", "-1", "0", "nan", "inf", "1e400", "9999999", "1.234", "1,234", "<b>")
FIELDS = {
    "training": ("parameters", "memory_per_parameter", "activation_memory"),
    "inference": ("parameters", "weight_format", "overhead_percent"),
    "lora": (
        "parameters",
        "input_dimension",
        "output_dimension",
        "lora_rank",
        "adapted_matrices",
        "adapter_dtype",
    ),
}
SLUGS = ("adam-mixed", "adam-mixd", "adam-8bit", "sgd-momentum", "fp32", "bf16", "int4", "12")


def forms(calculator):
    """Each field in turn with each good, bad and unknown value, then keys nobody declared."""
    yield {}
    for field in FIELDS[calculator]:
        for value in (*NUMBERS, *BAD_NUMBERS, *SLUGS):
            yield {field: value}
    yield {"nonsense": "1"}
    yield {"parametres": "7"}


def exercise():
    for language in LANGUAGES:
        for calculator in FIELDS:
            for form in forms(calculator):
                request = {"calculator": calculator, "language": language, "form": form}
                reply = json.loads(answer(json.dumps(request)))
                if not form and not reply["ok"]:
                    raise AssertionError(f"no default result: {request} -> {reply}")
    for broken in ("", "null", "{}", "[1]", '{"calculator": "tea"}'):
        answer(broken)
    # A traceback is what the console gets if the engine ever fails, so its modules must be there.
    try:
        raise ValueError("exercise")
    except ValueError:
        traceback.format_exc()


exercise()
