"""What a visitor does on a calculator's page, by http and from the disk."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.helpers import PATHS, box, choose, message, open_live, total, wait_until_live

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'"
FIELDS = {
    "training": ("parameters", "memory_per_parameter", "activation_memory"),
    "inference": ("parameters", "weight_format", "overhead_percent"),
    "lora": (
        *("parameters", "lora_rank", "adapter_dtype", "input_dimension"),
        *("output_dimension", "adapted_matrices"),
    ),
}
# Radio by radio: what stands on the page of 7 billion parameters, in Italian.
CHOICES = {
    "training": {
        "memory_per_parameter-adam-8bit": "84 GB",
        "memory_per_parameter-sgd-momentum": "56 GB",
        "memory_per_parameter-adam-fp32": "112 GB",
        "memory_per_parameter-adam-bf16": "56 GB",
        "memory_per_parameter-megatron": "126 GB",
        "memory_per_parameter-adam-mixed": "112 GB",
    },
    "inference": {
        "weight_format-fp32": "33,6 GB",
        "weight_format-int8": "8,4 GB",
        "weight_format-int4": "4,2 GB",
        "weight_format-bf16": "16,8 GB",
    },
    "lora": {"adapter_dtype-bf16": "8 388 608", "adapter_dtype-fp32": "8 388 608"},
}
INNER = """html => {
  const before = new DOMParser().parseFromString(html, "text/html");
  return ["slot-total", "slot-results"].map(id => [
    before.getElementById(id).innerHTML, document.getElementById(id).innerHTML,
  ]);
}"""


@pytest.mark.parametrize(("name", "language"), PATHS)
def test_live_results_equal_the_static_ones(
    page: Page, root: str, dist: Path, name: str, language: str
) -> None:
    """Python in the worker puts the very HTML in place that the build had put there."""
    path = PATHS[name, language]
    open_live(page, root + path)
    assert len(page.workers) == 1
    for before, after in page.evaluate(INNER, (dist / path).read_text(encoding="utf-8")):
        assert before == after
    assert page.url == root + path


def test_default_and_typing(page: Page, root: str) -> None:
    """The page starts with 112 GB; typing 13 makes it 208, and the parts of the ledger follow."""
    open_live(page, f"{root}index.html")
    total(page, "112 GB")
    box(page).fill("13")
    total(page, "208 GB")
    expect(page.locator(".big-alt")).to_have_text("193,7\u00a0GiB")
    expect(page.locator("table.terms tbody tr").first).to_contain_text("26,0")
    expect(page.locator("svg.bar title")).to_contain_text("in tutto 208")
    expect(page.locator(".formulas math").first).to_contain_text("208")
    expect(page.locator("#announce")).to_have_text("Servono 208\u00a0GB, cioè 193,7\u00a0GiB.")
    assert page.url.endswith("index.html?parameters=13")


def test_activations(page: Page, served: str) -> None:
    """7 billion and 20 GB of activations take 132 GB, and the total is no minimum any more."""
    open_live(page, f"{served}en/index.html")
    expect(page.locator("#slot-results")).to_contain_text("the total is a minimum")
    box(page, "activation_memory").fill("20")
    total(page, "132 GB")
    expect(page.locator("#slot-results")).not_to_contain_text("the total is a minimum")


def test_italian_comma_and_change_of_language(page: Page, root: str) -> None:
    """7,5 is read as such, and goes into the English page as 7.5 and back as 7,5."""
    open_live(page, f"{root}index.html")
    box(page).fill("7,5")
    total(page, "120 GB")
    choose(page, "memory_per_parameter-adam-8bit")
    total(page, "90 GB")
    page.locator("#other-language").click()
    wait_until_live(page)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(box(page)).to_have_value("7.5")
    expect(page.locator("#memory_per_parameter-adam-8bit")).to_be_checked()
    total(page, "90 GB")
    page.locator("#other-language").click()
    wait_until_live(page)
    expect(box(page)).to_have_value("7,5")
    total(page, "90 GB")


@pytest.mark.parametrize(
    ("language", "text", "first"), [("it", "1.234", "1,234"), ("en", "1,234", "1.234")]
)
def test_ambiguous_number(page: Page, served: str, language: str, text: str, first: str) -> None:
    """The one ambiguous form is refused beside the field with both readings; nothing is changed."""
    open_live(page, served + PATHS["training", language])
    box(page).fill(text)
    expect(message(page)).to_contain_text(first)
    expect(message(page)).to_contain_text("1234")
    expect(box(page)).to_have_attribute("aria-invalid", "true")
    expect(box(page)).to_have_value(text)
    total(page, "112 GB")
    expect(page.locator("#stale")).to_be_visible()
    box(page).fill(first)
    expect(message(page)).to_be_hidden()
    expect(page.locator("#stale")).to_be_hidden()
    expect(page.locator(".big-n")).to_contain_text("19" + first[1] + "7")
    assert box(page).get_attribute("aria-invalid") is None


def test_emptied_field(page: Page, root: str) -> None:
    """An emptied field asks for its value in the results' place, without calling it an error."""
    open_live(page, f"{root}index.html")
    box(page).fill("")
    expect(page.locator(".answer .empty")).to_contain_text("Scrivi quanti parametri")
    expect(page.locator("#slot-total")).to_contain_text("Scrivi quanti parametri")
    expect(message(page)).to_be_hidden()
    box(page).fill("70")
    total(page, "1120 GB")


def test_link_with_a_bad_value(page: Page, root: str) -> None:
    """A link's bad value stands in its field with the message beside it; the example stays."""
    open_live(page, f"{root}index.html?parameters=sette&activation_memory=20")
    expect(box(page)).to_have_value("sette")
    expect(message(page)).to_contain_text("«sette» non è un numero")
    expect(box(page, "activation_memory")).to_have_value("20")
    expect(page.locator("#stale")).to_be_visible()
    box(page).fill("7")
    total(page, "132 GB")
    expect(message(page)).to_be_hidden()


def test_link_with_several_bad_values(page: Page, served: str) -> None:
    """Several bad values are listed in a summary whose links lead to the fields."""
    open_live(page, f"{served}en/index.html?parameters=-1&memory_per_parameter=0")
    links = page.locator("#summary a")
    expect(links).to_have_count(2)
    links.nth(1).click()
    expect(box(page, "memory_per_parameter-value")).to_be_focused()
    links.nth(0).click()
    expect(box(page)).to_be_focused()
    box(page).fill("1")
    box(page, "memory_per_parameter-value").fill("10")
    expect(page.locator("#summary")).to_be_hidden()
    total(page, "10 GB")


def test_link_with_an_unknown_choice(page: Page, served: str) -> None:
    """A link's unknown choice checks no radio, is named beside the group, and a choice mends it."""
    open_live(page, f"{served}inferenza/index.html?weight_format=int44")
    expect(message(page, "weight_format")).to_contain_text("«int44»")
    expect(page.locator("input[name=weight_format]:checked")).to_have_count(0)
    choose(page, "weight_format-int4")
    total(page, "4,2 GB")
    assert page.url.endswith("?weight_format=int4")


def test_link_with_an_unknown_key(page: Page, served: str) -> None:
    """An unknown key of a link is noticed by name, and the rest is used."""
    open_live(page, f"{served}index.html?parametri=13&activation_memory=20")
    expect(page.locator("#notice")).to_contain_text("«parametri»")
    expect(page.locator("#notice")).to_contain_text("«parameters»")
    total(page, "132 GB")


@pytest.mark.parametrize("name", FIELDS)
def test_hostile_link(page: Page, served: str, name: str, complaints: list[str]) -> None:
    """Markup in every value and in a key of a link shows as text and makes no element."""
    pairs = [f"{field}={quote(HOSTILE)}" for field in FIELDS[name]]
    address = f"{served}{PATHS[name, 'it']}?{'&'.join(pairs)}&{quote(HOSTILE)}=1#{quote(HOSTILE)}"
    open_live(page, address)
    expect(message(page)).to_contain_text("<img")
    expect(page.locator("#notice")).to_contain_text("<img")
    expect(page.locator("#summary")).to_contain_text("<img")
    expect(page.locator("img, [onerror]")).to_have_count(0)
    expect(page.locator("main script")).to_have_count(0)
    for field in FIELDS[name]:
        if page.locator(f"input#{field}").count():
            expect(box(page, field)).to_have_value(HOSTILE)
    assert complaints == []


@pytest.mark.parametrize("name", CHOICES)
def test_each_choice(page: Page, served: str, name: str) -> None:
    """Each radio gives its own result, and its slug stands in the link."""
    open_live(page, served + PATHS[name, "it"])
    for radio, shown in CHOICES[name].items():
        choose(page, radio)
        total(page, shown)
        field, _, slug = radio.partition("-")
        first = radio == list(CHOICES[name])[-1]
        expect(page).to_have_url(
            re.compile("html$" if first else rf"\?{re.escape(f'{field}={slug}')}$")
        )


def test_another_value(page: Page, served: str) -> None:
    """'Another value' takes the focus into its box, and typing there chooses it."""
    open_live(page, f"{served}en/index.html")
    page.locator("label[for=memory_per_parameter-other]").click()
    free = box(page, "memory_per_parameter-value")
    expect(free).to_be_focused()
    expect(page.locator(".answer .empty")).to_be_visible()
    free.fill("20")
    total(page, "140 GB")
    choose(page, "memory_per_parameter-adam-mixed")
    total(page, "112 GB")
    free.fill("6.5")
    expect(page.locator("#memory_per_parameter-other")).to_be_checked()
    total(page, "45.5 GB")
    page.reload()
    wait_until_live(page)
    expect(free).to_have_value("6.5")
    total(page, "45.5 GB")


def test_lora_numbers(page: Page, served: str) -> None:
    """Rank 8 on 64 matrices of 4096 gives 4,194,304 parameters; the base model is optional."""
    open_live(page, f"{served}en/lora/index.html")
    box(page, "lora_rank").fill("8")
    total(page, "4,194,304")
    expect(page.locator(".says")).to_contain_text("0.0599%")
    box(page).fill("")
    expect(page.locator(".says")).to_contain_text("4 bytes per parameter")
    box(page, "input_dimension").fill("8k")
    total(page, "6,193,152")
    box(page, "adapted_matrices").fill("1.5")
    expect(message(page, "adapted_matrices")).to_contain_text("not a whole number")


def test_inference_overhead(page: Page, served: str) -> None:
    """Without overhead 7 billion at 16 bits take 14 GB, with 20 % 16.8."""
    open_live(page, f"{served}en/inference/index.html")
    total(page, "16.8 GB")
    box(page, "overhead_percent").fill("0")
    total(page, "14 GB")
    box(page, "overhead_percent").fill("20 %")
    total(page, "16.8 GB")


def test_reload_and_history(page: Page, root: str) -> None:
    """A reload and the way back from another page both find the form as it was left."""
    open_live(page, f"{root}index.html")
    box(page).fill("13")
    box(page, "activation_memory").fill("20")
    total(page, "228 GB")
    page.reload()
    wait_until_live(page)
    expect(box(page)).to_have_value("13")
    total(page, "228 GB")
    page.locator("nav.main a").nth(1).click()
    wait_until_live(page)
    total(page, "16,8 GB")
    page.go_back()
    wait_until_live(page)
    expect(box(page)).to_have_value("13")
    total(page, "228 GB")
    # typing made no steps in the history of its own
    page.go_back()
    assert page.url == "about:blank"


def test_links_of_the_article_fill_the_form(page: Page, root: str) -> None:
    """A cell of the table of common cases opens the page with its values, and back undoes it."""
    open_live(page, f"{root}index.html")
    cell = page.locator("table.cases tbody tr").nth(6).locator("td a").nth(1)
    expect(cell).to_have_text("840")
    cell.click()
    wait_until_live(page)
    expect(box(page)).to_have_value("70")
    expect(page.locator("#memory_per_parameter-adam-8bit")).to_be_checked()
    total(page, "840 GB")
    page.go_back()
    wait_until_live(page)
    expect(box(page)).to_have_value("7")
    total(page, "112 GB")
