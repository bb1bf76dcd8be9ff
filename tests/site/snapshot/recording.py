"""A pytest plugin: notes the arguments that Hypothesis draws, for replay in the snapshot.

Hypothesis has a compiled part, so that it does not run there; the calls that it made here do.
"""

import functools
import os
import pickle
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis

CALLS: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
draw = hypothesis.given


def given(*strategies: Any, **named: Any) -> Callable[..., Any]:
    def decorate(test: Callable[..., None]) -> Any:
        calls = CALLS[f"{test.__module__.split('.')[-1]}.{test.__qualname__}"]

        @functools.wraps(test)
        def noted(*arguments: Any, **keywords: Any) -> None:
            calls.append((arguments, keywords))
            test(*arguments, **keywords)

        return draw(*strategies, **named)(noted)

    return decorate


hypothesis.given = given


def pytest_sessionfinish() -> None:
    Path(os.environ["HYPOTHESIS_CALLS"]).write_bytes(pickle.dumps(dict(CALLS)))
