"""The reference tables in a browser: filter, sorting, narrow screens, and the pages of models."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_access import in_every_look

# with a filter that leaves some rows: they are alike, and checking all of them takes long
TABLES = {
    "modelli/index.html": "?q=llama-3",
    "en/cards/index.html": "?q=h200",
    "formati/index.html": "?q=nf4",
}
MODEL_PAGES = ["modelli/deepseek-v3/index.html", "en/models/llama-3.1-8b/index.html"]


def first_names(page: Page, count: int) -> list[str]:
    """The names of the first rows that are shown."""
    names = page.locator("#table tbody tr:not(.fam):visible > th")
    return [names.nth(index).inner_text().strip() for index in range(count)]


def test_filter(page: Page, root: str) -> None:
    """Words in any order, case and accents ignored, leave the rows that hold them all."""
    page.goto(f"{root}modelli/index.html")
    shown = page.locator("#table tbody tr:not(.fam):visible")
    expect(shown).to_have_count(160)
    page.get_by_role("searchbox").fill("70B llama-3.")
    expect(shown).to_have_count(2)
    expect(page.locator("#shown")).to_have_text("2 modelli su 160")
    expect(page.locator("#table tbody:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(shown).to_have_count(2)
    page.get_by_role("searchbox").fill("")
    expect(page.locator("#shown")).to_have_text("160 modelli")
    expect(shown).to_have_count(160)


def test_filter_of_a_link(page: Page, served: str) -> None:
    """A link may hold what is looked for."""
    page.goto(f"{served}en/cards/index.html?q=rtx+5090")
    expect(page.locator("#shown")).to_have_text("3 of 171 cards")


def test_sorting(page: Page, root: str) -> None:
    """A heading sorts figures from the largest, then from the smallest, then as it was."""
    page.goto(f"{root}modelli/index.html")
    before = first_names(page, 3)
    heading = page.get_by_role("columnheader", name="Parametri")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert first_names(page, 2) == ["Kimi-K2-Instruct", "DeepSeek-V3"]
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert first_names(page, 1) == ["pythia-70m"]
    page.get_by_role("searchbox").fill("qwen")
    assert first_names(page, 1)[0].startswith("Qwen")
    page.get_by_role("searchbox").fill("")
    heading.get_by_role("button").press("Enter")
    expect(heading).to_have_attribute("aria-sort", "none")
    assert first_names(page, 3) == before


@pytest.mark.parametrize("path", [*TABLES, *MODEL_PAGES])
def test_rules_of_accessibility(page: Page, served: str, path: str) -> None:
    """Tables and models’ pages keep to WCAG 2.2 AA in both themes, narrow and wide."""
    page.goto(f"{served}{path}{TABLES.get(path, '')}")
    assert in_every_look(page) == {}


@pytest.mark.parametrize("width", [320, 360, 1280])
@pytest.mark.parametrize("path", [*TABLES, *MODEL_PAGES])
def test_no_sideways_scroll(page: Page, served: str, path: str, width: int) -> None:
    """Only the table scrolls sideways, and its first column stays in sight."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(served + path)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    if path in TABLES:
        page.locator(".scroll").evaluate("each => each.scrollLeft = 200")
        name = page.locator("#table tbody tr:not(.fam) > th").first
        left = name.evaluate("each => each.getBoundingClientRect().left")
        assert left >= 0


def test_filter_is_quick(page: Page, served: str) -> None:
    """A key is answered within a frame or two on a slow phone: 171 rows take little."""
    page.goto(f"{served}schede/index.html")
    client = page.context.new_cdp_session(page)
    client.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    took = page.evaluate(
        """() => {
          const input = document.getElementById("q");
          const start = performance.now();
          for (const text of ["r", "rt", "rtx", "rtx 4", "rtx"]) {
            input.value = text;
            input.dispatchEvent(new Event("input"));
            document.body.getBoundingClientRect();
          }
          return (performance.now() - start) / 5;
        }"""
    )
    assert took < 150
