"""In the snapshot's stead of Hypothesis: makes the calls that recording.py noted."""

import pickle
from pathlib import Path

CALLS = pickle.loads(Path("/project/calls").read_bytes())


def given(*strategies, **named):
    def decorate(test):
        calls = CALLS[f"{test.__module__.split('.')[-1]}.{test.__qualname__}"]

        # No functools.wraps: pytest must not take the arguments for fixtures.
        def replay():
            assert calls
            for arguments, keywords in calls:
                test(*arguments, **keywords)

        return replay

    return decorate


def example(*arguments, **keywords):
    return lambda test: test


class settings:
    register_profile = load_profile = staticmethod(lambda *given, **named: None)

    def __init__(self, *given, **named):
        pass

    def __call__(self, test):
        return test
