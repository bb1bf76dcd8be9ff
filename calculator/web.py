"""The page's way into the engine: one JSON string in, one out, in the worker and at build time."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from calculator.errors import Problem
from calculator.fields import CALCULATORS, FORMS, Field
from calculator.numbers import format_plain
from calculator.reading import Value
from calculator.report import html, messages
from calculator.report.markup import escaped
from calculator.report.words import LANGUAGES, text
from calculator.scenario import estimate, is_detailed, read


def answer(request: str) -> str:
    """The page's answer to what stands in its form.

    ``request`` holds ``calculator``, ``language`` and ``form`` (every field's text; keys that
    are no field come from a link). The reply:

    * ``ok``: the form gives a result; ``empty``: a needed field is empty;
    * ``slots``: HTML by place (``total``, ``results``); none while a value is wrong, so that
      the last good result stays;
    * ``problems``: message by field; ``summary``: HTML that lists them, if several;
    * ``notice``: HTML about unknown keys of a link;
    * ``announce``: a sentence for screen readers;
    * ``query`` and ``other_query``: the link's query in this language and in the other one.
    """
    asked = json.loads(request)
    calculator, language, form = asked["calculator"], asked["language"], asked["form"]
    if calculator not in CALCULATORS or language not in LANGUAGES:
        raise ValueError("the page asks for a calculator or a language that does not exist")
    values, problems = read(calculator, form, language)
    known_fields = {field.name for field in FORMS[calculator]}
    unknown = [p for p in problems if p.code == "unknown_key" and p.field not in known_fields]
    wrong = [p for p in problems if p not in unknown and p.code != "empty"]
    missing = [problem for problem in problems if problem.code == "empty"]
    reply: dict[str, Any] = {
        "ok": not wrong and not missing,
        "empty": bool(missing),
        "slots": {},
        "problems": {p.field: messages.message(p, language) for p in wrong},
        "summary": _summary(wrong, language) if len(wrong) > 1 else "",
        "notice": "".join(f"<p>{escaped(messages.message(p, language))}</p>" for p in unknown),
        "announce": "",
        **_queries(calculator, form, values, language),
    }
    if missing:
        name = missing[0].field or ""
        reply["slots"] = html.empty(name, calculator, language)
        reply["announce"] = text(language, f"fields.{name}.empty")
    elif wrong:
        key = "announce_problems" if len(wrong) > 1 else "announce_problems_one"
        reply["announce"] = text(language, f"report.{key}", count=len(wrong))
    else:
        known = {field.name: form.get(field.name) for field in FORMS[calculator]}
        result = estimate({"calculator": calculator, **known}, language)
        reply["slots"] = {
            "total": html.total(result, language),
            "results": html.results(result, language),
        }
        reply["announce"] = html.announcement(result, language)
    return json.dumps(reply, ensure_ascii=False)


def _summary(problems: list[Problem], language: str) -> str:
    title = text(language, "report.problems_title", count=len(problems))
    links = "".join(
        f'<li><a href="#{problem.field}">{escaped(messages.short_line(problem, language))}</a></li>'
        for problem in problems
    )
    return f'<h2 id="problems-title">{escaped(title)}</h2><ul>{links}</ul>'


def initial_text(field: Field, language: str) -> str:
    """What the field shows before the visitor types, in ``language``."""
    if field.kind not in ("number", "whole") or not field.initial:
        return field.initial
    return format_plain(Decimal(field.initial), language)


def _queries(
    calculator: str, form: dict[str, str], values: dict[str, Value], language: str
) -> dict[str, str]:
    """Links hold what differs from the first view: here as typed, elsewhere as understood.

    A model is always told, since it is what makes the form the detailed one; a configuration
    is too long for a link.
    """
    other = next(each for each in LANGUAGES if each != language)
    detailed = is_detailed(form)
    here, there = [], []
    for field in FORMS[calculator]:
        if not field.applies(detailed) or field.kind == "config":
            continue
        if field.kind == "model" and "model" not in form:  # a configuration is in its place
            continue
        typed = str(form.get(field.name, "")).strip()
        if field.kind == "model":  # any name that is understood becomes the slug
            typed = values.get(field.name) or typed
        if field.kind == "model" or typed != initial_text(field, language):
            here.append((field.name, typed))
        value = values.get(field.name)
        elsewhere = format_plain(value, other) if isinstance(value, Decimal) else typed
        if field.kind == "model" or elsewhere != initial_text(field, other):
            there.append((field.name, elsewhere))
    return {"query": _encoded(here), "other_query": _encoded(there)}


def _encoded(pairs: list[tuple[str, str]]) -> str:
    return "&".join(f"{name}={_quoted(value)}" for name, value in pairs)


_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~,")


def _quoted(value: str) -> str:
    """Percent-encoding; urllib would pull a third of a megabyte of modules into the browser."""
    encoded = value.encode("utf-8", "replace")
    return "".join(chr(byte) if chr(byte) in _SAFE else f"%{byte:02X}" for byte in encoded)
