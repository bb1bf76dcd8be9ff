"""The command line: the contract's commands over the engine and its formatters."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import calculator
from calculator import batch, listing
from calculator.errors import InputError, Problem
from calculator.fields import CALCULATORS, FORMS, Field
from calculator.nearest import nearest
from calculator.report import json as as_json
from calculator.report import messages
from calculator.report.text import report
from calculator.report.words import LANGUAGES, text
from calculator.scenario import estimate

DONE, INCOMPLETE, BAD_INPUT = 0, 1, 2


class _Parser(argparse.ArgumentParser):
    """Names the nearest flag where one is misspelt."""

    def error(self, message: str) -> NoReturn:
        unknown = message.partition("unrecognized arguments: ")[2].split(" ")[0]
        if unknown.startswith("--"):
            # the parser of a command leaves what it doesn't know to this one
            parsers = [self, *(each for a in self._actions for each in _parsers(a.choices))]
            known = [name for p in parsers for a in p._actions for name in a.option_strings]
            near = nearest(unknown.partition("=")[0], known)
            message = f"{message} (did you mean {near}?)"
        super().error(message)


def _parsers(choices: object) -> list[argparse.ArgumentParser]:
    return list(choices.values()) if isinstance(choices, dict) else []


def _flag(field: Field) -> str:
    return f"--{field.name.replace('_', '-')}"


def _parser() -> argparse.ArgumentParser:
    shared = _Parser(add_help=False)
    shared.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="language of text and numbers"
    )
    shared.add_argument("--json", action="store_true", help="print one JSON object")
    parser = _Parser(
        prog="llm-vram", description="How much GPU memory a large language model needs."
    )
    parser.add_argument("--version", action="version", version=calculator.__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in CALCULATORS:
        command = commands.add_parser(
            name, parents=[shared], help=text("en", f"report.{name}_title"), allow_abbrev=False
        )
        command.add_argument(
            "--scenario", metavar="FILE", help="a scenario object (- for standard input)"
        )
        for field in FORMS[name]:
            unit = text("en", f"fields.{field.name}.unit")
            unit = "" if field.choices else unit
            default = f"; default {field.default}" if field.default else ""
            shown = f"{messages.allowed(field, 'en')}{f', in {unit}' if unit else ''}{default}"
            command.add_argument(
                _flag(field),
                metavar="FILE" if field.kind == "config" else "VALUE",
                help=shown.replace("%", "%%"),
            )
    lines = commands.add_parser("batch", parents=[shared], help="JSON Lines in, JSON Lines out")
    lines.add_argument(
        "file", nargs="?", default="-", help="a file of scenarios (- for standard input)"
    )
    listing.add_commands(commands.add_parser, shared)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 (a batch line failed) or 2 (bad input)."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # not so under a test's capture
            # half a surrogate pair, which JSON may hold, goes out as the escape it came as
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        if options.command == "batch":
            return _batch(options)
        if options.command in listing.COMMANDS:
            print(listing.show(options))
            return DONE
        return _estimate(options)
    except InputError as error:
        _complain(error.problems, options)
        return BAD_INPUT
    except RecursionError:
        _complain((batch.TOO_DEEP,), options)
        return BAD_INPUT
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return DONE


def _complain(problems: tuple[Problem, ...], options: argparse.Namespace) -> None:
    if options.json:
        print(
            json.dumps({"error": as_json.error(problems, options.lang)}, ensure_ascii=False),
            file=sys.stderr,
        )
        return
    for problem in problems:
        print(messages.line(problem, options.lang), file=sys.stderr)


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError(Problem("unreadable_file", None, {"text": name})) from None


def _estimate(options: argparse.Namespace) -> int:
    scenario: dict[str, Any] = {}
    if options.scenario is not None:
        scenario = batch.parse_scenario(_read(options.scenario))
    for field in FORMS[options.command]:
        given = getattr(options, field.name)
        if given is not None:
            scenario[field.name] = _read(given) if field.kind == "config" else given
    scenario["calculator"] = options.command
    result = estimate(scenario, options.lang)
    if options.json:
        shown = as_json.result(result, options.lang, batch.plain_id(scenario))
        print(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        print(report(result, options.lang), end="")
    return DONE


def _batch(options: argparse.Namespace) -> int:
    status = DONE
    for line, good in batch.answers(_read(options.file).split("\n"), options.lang):
        print(line)
        status = status if good else INCOMPLETE
    return status
