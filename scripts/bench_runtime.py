#!/usr/bin/env python3
"""Time how soon the built site in `dist/` answers, beside the floor and the stock runtime.

Every figure is a median over new browser profiles, all series interleaved; compare figures within
one run, for machines and their moods differ. The floor is compiling the WebAssembly module alone.
Stock is the same Pyodide as published, with its library as source, and the calculator's wheel.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from bench.hosting import files, served
from bench.visits import Visit, visit
from playwright.sync_api import sync_playwright

from toolchain import ROOT, browser, output_of

sys.path.insert(0, str(ROOT))
from calculator import web  # noqa: E402
from calculator.fields import form_fields  # noqa: E402
from site_build.runtime import bytecode  # noqa: E402

DIST = ROOT / "dist"
PAGE = ROOT / "docs" / "performance.md"
SINGLE = "offline/vram-training-it-offline.html"
TARGETS = (
    ("cold / floor cold", "ours, cold", "floor, cold", 2.5),
    ("warm, service worker / floor warm", "ours, warm, service worker", "floor, warm", 2.5),
)
Series = dict[str, list[Visit]]


def first_request() -> str:
    """What the page of the training calculator asks when it is opened."""
    form = {f.name: web.initial_text(f, "it") for f in form_fields("training")}
    return json.dumps({"calculator": "training", "language": "it", "form": form})


def measure(rounds: int, address: str, say: Callable[[str], None]) -> Series:
    """Each configuration once a round: cold, then again with the same profile."""
    site = f"{address}site/index.html"
    single = (DIST / SINGLE).resolve().as_uri()
    found: Series = defaultdict(list)
    options = browser.launch_options()
    with sync_playwright() as playwright:

        def run(name: str, profile: Path, url: str, **how: object) -> None:
            made = visit(playwright.chromium, options, profile, url, **how)  # type: ignore[arg-type]
            found[name].append(made)
            say(f"{name}: {made.shown:.0f} ms")

        for number in range(rounds):
            say(f"round {number + 1} of {rounds}")
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                profile = [Path(folder) / str(i) for i in range(5)]
                run("floor, cold", profile[0], f"{address}floor/index.html")
                run("floor, warm", profile[0], f"{address}floor/index.html")
                run("ours, cold", profile[1], site)
                run("ours, warm, HTTP cache", profile[1], site, recalculations=60)
                run("stock, cold", profile[2], f"{address}stock/index.html")
                run("stock, warm", profile[2], f"{address}stock/index.html")
                visit(playwright.chromium, options, profile[3], site, install=True)
                run("ours, warm, service worker", profile[3], site, offline=True)
                run("ours, single file from disk", profile[4], single, offline=True)
    return found


def table(found: Series) -> str:
    """The medians, as Markdown."""
    lines = [
        "| | median ms | least | most | longest task of the page, ms |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, visits in found.items():
        times = [each.shown for each in visits]
        longest = statistics.median(each.longest_task for each in visits)
        figures = (statistics.median(times), min(times), max(times), longest)
        lines.append(f"| {name} | " + " | ".join(f"{figure:.0f}" for figure in figures) + " |")
    return "\n".join(lines)


def verdicts(found: Series) -> str:
    """The targets beside what was measured, as Markdown."""
    median = {name: statistics.median(v.shown for v in visits) for name, visits in found.items()}
    lines = ["| | measured | target |", "|---|--:|--:|"]
    for label, ours, other, limit in TARGETS:
        lines.append(f"| {label} | {median[ours] / median[other]:.2f} | at most {limit} |")
    stock = median["stock, cold"] / median["ours, cold"]
    lines.append(f"| stock cold / cold | {stock:.1f} | at least 6 |")
    times = sorted(t for v in found["ours, warm, HTTP cache"] for t in v.recalculations)
    middle, late = statistics.median(times), times[int(len(times) * 0.95)]
    lines.append(f"| recalculation, input event to painted result, median ms | {middle:.1f} | 16 |")
    lines.append(f"| the same, 95th percentile | {late:.1f} | 50 |")
    return "\n".join(lines)


def machine() -> str:
    cpu = "unknown processor"
    info = Path("/proc/cpuinfo")
    if info.is_file() and (named := re.search(r"model name\s*: (.+)", info.read_text())):
        cpu = named[1]
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} x {cpu}, {platform.system()}, load {load:.1f} at the end"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each is measured")
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    options = parser.parse_args()
    if not (DIST / "index.html").is_file():
        print("dist/ is empty: build the site first", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        wheel = bytecode.calculator_wheel(ROOT, Path(folder))
        pyodide = ROOT / "node_modules" / "pyodide"
        contents = files(DIST, pyodide, wheel, first_request())
        with served(contents) as address:
            found = measure(options.rounds, address, lambda line: print(line, file=sys.stderr))
    version = output_of([browser.launch_options()["executable_path"], "--version"]).strip()
    facts = f"{datetime.date.today()}, {machine()}, n = {options.rounds}, {version}"
    report = f"{facts}\n\n{table(found)}\n\n{verdicts(found)}\n"
    print(report)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        marked = re.compile(r"(<!-- measured -->\n).*(<!-- end -->)", re.DOTALL)
        PAGE.write_text(marked.sub(lambda m: f"{m[1]}\n{report}\n{m[2]}", text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
