"""These tests need torch, transformers and peft, which only `make check-models` installs."""

from importlib.util import find_spec

if any(find_spec(name) is None for name in ("torch", "transformers", "peft")):
    collect_ignore_glob = ["test_*.py"]
