"""What several tests do with a calculator's page."""

from playwright.sync_api import Locator, Page, expect

PATHS = {
    ("training", "it"): "index.html",
    ("training", "en"): "en/index.html",
    ("inference", "it"): "inferenza/index.html",
    ("inference", "en"): "en/inference/index.html",
    ("lora", "it"): "lora/index.html",
    ("lora", "en"): "en/lora/index.html",
}
ALL_PATHS = [*PATHS.values(), "metodo/index.html", "en/method/index.html"]
# For a busy machine of two cores; nothing waits that long where all is well.
PATIENCE = 60_000


def wait_until_live(page: Page) -> None:
    """Wait until Python runs and its first answer stands on the page."""
    page.locator('html[data-runtime="ready"]').wait_for(timeout=PATIENCE)
    expect(page.locator("#announce")).not_to_be_empty()


def open_live(page: Page, address: str) -> None:
    """Open a calculator and wait until Python has answered."""
    page.goto(address)
    wait_until_live(page)


def total(page: Page, shown: str) -> None:
    """Wait until the big number is `shown`, with spaces for the no-break ones."""
    expect(page.locator(".big-n")).to_have_text(shown.replace(" ", "\u00a0"))
    expect(page.locator("#slot-total .total-n")).to_have_text(shown.replace(" ", "\u00a0"))


def choose(page: Page, radio: str) -> None:
    """Click a radio's label, as one does: it covers the whole line."""
    page.locator(f"label[for={radio}]").click()
    expect(page.locator(f"#{radio}")).to_be_checked()


def box(page: Page, name: str = "parameters") -> Locator:
    """A field's text box."""
    return page.locator(f"input#{name}")


def message(page: Page, name: str = "parameters") -> Locator:
    """The message beside a field."""
    return page.locator(f"#{name}-error")
