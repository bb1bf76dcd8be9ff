"""One visit of one page by one browser, timed from inside the page."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserType, Page

# Notes when the first answer of the live runtime is painted, and every task above 50 ms. The
# answer's HTML is put in place even where it equals the static one.
WATCH = """
self.longTasks = [];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) self.longTasks.push([task.startTime, task.duration]);
}).observe({ type: "longtask", buffered: true });
document.addEventListener("DOMContentLoaded", () => {
  const results = document.getElementById("slot-results");
  if (!results) return;
  new MutationObserver((_, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { self.shown = performance.now(); }));
  }).observe(results, { childList: true, subtree: true, characterData: true });
});
"""

# From the input event until the frame with its answer has been handed to the screen.
RECALCULATE = """
async (count) => {
  const box = document.getElementById("parameters");
  const results = document.getElementById("slot-results");
  const times = [];
  for (let i = 0; i < count; i++) {
    await new Promise((resume) => setTimeout(resume, 50));
    const answered = new Promise((resume) => {
      new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resume(performance.now());
          port2.postMessage(0);
        });
      }).observe(results, { childList: true, subtree: true, characterData: true });
    });
    box.value = String(1 + (i * 7) % 400);
    const start = performance.now();
    box.dispatchEvent(new Event("input", { bubbles: true }));
    times.push((await answered) - start);
  }
  return times;
}
"""


@dataclass(frozen=True)
class Visit:
    """What one visit took: milliseconds from navigation to the first answer painted, the longest
    task of the page until then, and the recalculations that were asked for."""

    shown: float
    longest_task: float
    recalculations: list[float] = field(default_factory=list)


def visit(
    browser: BrowserType,
    options: dict[str, Any],
    profile: Path,
    address: str,
    *,
    offline: bool = False,
    install: bool = False,
    recalculations: int = 0,
) -> Visit:
    """Start a browser with `profile` and open `address`. `install` waits for the service worker;
    `offline` cuts the network off, so that only what is kept can answer."""
    context = browser.launch_persistent_context(
        str(profile), headless=True, args=["--disable-gpu"], offline=offline, **options
    )
    try:
        page = context.new_page()
        context.add_init_script(WATCH)
        page.goto("about:blank")
        page.wait_for_timeout(300)
        page.goto(address, wait_until="commit")
        shown = _poll(page, "self.shown")
        tasks = page.evaluate("self.longTasks ?? []")
        longest = max((length for start, length in tasks if start < shown), default=0)
        times = page.evaluate(RECALCULATE, recalculations) if recalculations else []
        if install:
            _poll(page, "navigator.serviceWorker.controller?.state === 'activated'")
        return Visit(shown, longest, times)
    finally:
        context.close()


def _poll(page: Page, expression: str) -> float:
    """Not wait_for_function: it evaluates text in the page, and the page's policy forbids that."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if value := page.evaluate(expression):
            return float(value)
        page.wait_for_timeout(100)
    raise TimeoutError(f"{page.url}: {expression} for two minutes in vain")
