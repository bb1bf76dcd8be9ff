"""Keyboard, themes, narrow screens, and the rules of accessibility that a program can check."""

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.helpers import ALL_PATHS, PATHS, box, message, open_live, total, wait_until_live

RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    "resultTypes": ["violations"],
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (360, 1280)


def violations(page: Page) -> list[str]:
    """Each broken rule with the first element that breaks it."""
    found: list[dict[str, Any]] = Axe().run(page, options=RULES).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:150]}" for each in found]


def in_every_look(page: Page) -> dict[str, list[str]]:
    """The violations by theme and width, where there are any."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            if broken := violations(page):
                found[f"{theme} {width}"] = broken
    return found


@pytest.mark.parametrize("path", ALL_PATHS)
def test_rules_of_accessibility(page: Page, served: str, path: str) -> None:
    """Every page keeps to WCAG 2.2 AA in both themes, narrow and wide."""
    page.goto(served + path)
    if path in PATHS.values():
        wait_until_live(page)
    assert in_every_look(page) == {}


def test_rules_on_the_404_page(page: Page, served: str) -> None:
    """So does the page for what is not there."""
    page.goto(f"{served}404.html")
    assert in_every_look(page) == {}


@pytest.mark.parametrize("state", ["wrong", "empty", "unknown"])
def test_rules_in_other_states(page: Page, served: str, state: str) -> None:
    """So does a calculator with messages, with an empty field, and with a notice."""
    query = {
        "wrong": "parameters=-1&activation_memory=x&memory_per_parameter=adam-9bit",
        "empty": "parameters=",
        "unknown": "parametri=7&zzz=1",
    }[state]
    open_live(page, f"{served}index.html?{query}")
    shown = {"wrong": "#summary", "empty": ".answer .empty", "unknown": "#notice"}[state]
    expect(page.locator(shown)).to_be_visible()
    assert in_every_look(page) == {}


def test_rules_when_python_fails(page: Page, served: str, complaints: list[str]) -> None:
    """So does a calculator that could not start."""
    page.route("**/runtime/glue-1.js*", lambda route: route.abort())
    page.goto(f"{served}en/index.html")
    expect(page.locator("#failed")).to_be_visible()
    complaints.clear()
    assert in_every_look(page) == {}


@pytest.mark.parametrize("path", [*ALL_PATHS, "404.html"])
def test_no_sideways_scrolling(page: Page, served: str, path: str) -> None:
    """No page is wider than a narrow screen, not even with long numbers and messages."""
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(served + path)
    wide = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    for width in (320, 360, 768):
        page.set_viewport_size({"width": width, "height": 640})
        content, screen = page.evaluate(wide)
        assert content <= screen, width
    if path in PATHS.values():
        wait_until_live(page)
        page.set_viewport_size({"width": 320, "height": 640})
        for value in ("999999,999999", "9" * 60, ""):
            box(page).fill(value)
            if value.startswith("99999999"):
                expect(message(page)).to_be_visible()
            content, screen = page.evaluate(wide)
            assert content <= screen, value


def focused(page: Page) -> str:
    """The id of what has the focus, or its text where it has none."""
    found: str = page.evaluate(
        "document.activeElement.id || document.activeElement.textContent.trim()"
    )
    return found


def test_keyboard_alone(page: Page, root: str) -> None:
    """Tab meets skip link, navigation, inputs and total in order; a radio group is one stop."""
    page.set_viewport_size({"width": 1280, "height": 800})
    open_live(page, f"{root}en/index.html")
    page.evaluate("window.notReloaded = true")
    stops = []
    for _ in range(16):
        page.keyboard.press("Tab")
        stops.append(focused(page))
    assert stops[0] == "Skip to content"
    assert stops.index("other-language") < stops.index("parameters")
    # the saved copy's note has a link of its own, and the total is one on a phone
    assert stops[stops.index("parameters") :][:4] == [
        "parameters",
        "memory_per_parameter-adam-mixed",
        "memory_per_parameter-value",
        "activation_memory",
    ]
    box(page).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("13")
    total(page, "208 GB")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert focused(page) == "memory_per_parameter-adam-8bit"
    total(page, "156 GB")
    page.keyboard.press("ArrowUp")
    total(page, "208 GB")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#memory_per_parameter-other")).to_be_checked()
    box(page, "memory_per_parameter-value").focus()
    page.keyboard.type("10")
    total(page, "130 GB")
    assert page.evaluate("window.notReloaded") is True


def test_enter_leads_to_what_is_wrong(page: Page, served: str) -> None:
    """Enter reloads nothing: it takes the focus to the wrong field, or to the list of several."""
    open_live(page, f"{served}index.html")
    page.evaluate("window.notReloaded = true")
    box(page, "activation_memory").fill("x")
    expect(message(page, "activation_memory")).to_be_visible()
    box(page).focus()
    page.keyboard.press("Enter")
    expect(box(page, "activation_memory")).to_be_focused()
    box(page).fill("-1")
    expect(page.locator("#summary")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#summary")).to_be_focused()
    assert page.evaluate("window.notReloaded") is True


def test_skip_link(page: Page, root: str) -> None:
    """The skip link is seen when it has the focus, and leads past the navigation."""
    open_live(page, f"{root}index.html?parameters=13")
    page.keyboard.press("Tab")
    link = page.locator("a.skip")
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.url.endswith("index.html?parameters=13#content")
    page.keyboard.press("Tab")
    assert focused(page) not in ("other-language", "Calcolatore VRAM")
    expect(box(page)).to_have_value("13")


def test_total_in_sight_on_a_phone(page: Page, served: str) -> None:
    """On a phone the total is in sight and does not cover the field that has the focus."""
    page.set_viewport_size({"width": 360, "height": 740})
    open_live(page, f"{served}index.html")
    for name in ("parameters", "activation_memory"):
        box(page, name).focus()
        bar = page.locator("#slot-total")
        expect(bar).to_be_in_viewport(ratio=1)
        over, field = bar.bounding_box(), box(page, name).bounding_box()
        assert over is not None and field is not None
        assert over["y"] + over["height"] <= field["y"] or field["y"] + field["height"] <= over["y"]


def test_theme_is_kept(page: Page, root: str) -> None:
    """The chosen appearance holds on the next page and after a reload, until 'automatic'."""
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    page.emulate_media(color_scheme="light")
    page.goto(f"{root}metodo/index.html")
    light = page.evaluate(colour)
    button = page.locator("button[data-theme-choice=dark]")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    dark = page.evaluate(colour)
    assert dark != light
    page.locator("#other-language").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(button).to_have_attribute("aria-pressed", "true")  # the page is there, with its styles
    assert page.evaluate(colour) == dark
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(colour) == dark
    page.locator("button[data-theme-choice=auto]").click()
    assert page.evaluate(colour) == light
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) == dark


def test_print(page: Page, served: str) -> None:
    """On paper stand inputs, results and article, and neither navigation nor buttons."""
    open_live(page, f"{served}index.html?parameters=13")
    page.emulate_media(media="print")
    for shown in ("#parameters", ".big-n", "table.terms", "article"):
        expect(page.locator(shown).first).to_be_visible()
    for hidden in ("nav.main", "button[data-theme-choice=dark]", "a.skip"):
        expect(page.locator(hidden).first).to_be_hidden()
