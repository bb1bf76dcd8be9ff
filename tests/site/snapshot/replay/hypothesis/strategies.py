"""Strategies are still named by the tests, and draw nothing here."""


class Anything:
    def __getattr__(self, name):
        return self

    def __call__(self, *given, **named):
        return self

    def __or__(self, other):
        return self


def __getattr__(name):
    return Anything()
