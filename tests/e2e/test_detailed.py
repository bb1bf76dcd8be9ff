"""The detailed form: a model picked by keyboard, a config.json, dimensions, targets."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.helpers import PATHS, message, open_live

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "vocab_size": 32000,
}
PICKED = 'li[role="option"][aria-selected="true"]'


def box(page: Page, name: str) -> Locator:
    """Where a field is typed, in one line or several."""
    return page.locator(f"input#{name}, textarea#{name}")


def total(page: Page) -> Locator:
    """The big number."""
    return page.locator(".big-n")


def link_of(page: Page) -> dict[str, list[str]]:
    """The query in the address bar."""
    return parse_qs(urlsplit(page.url).query, keep_blank_values=True)


@pytest.mark.parametrize(("name", "language"), PATHS)
def test_link_with_a_model(page: Page, root: str, name: str, language: str) -> None:
    """A link that names a model opens the detailed form, with the model's name in its field."""
    open_live(page, f"{root}{PATHS[name, language]}?model=qwen2.5-7b")
    expect(box(page, "model")).to_have_value("Qwen2.5-7B")
    expect(page.locator("#slot-results")).to_contain_text("Qwen2.5-7B")
    expect(box(page, "parameters")).to_be_hidden()
    assert link_of(page) == {"model": ["qwen2.5-7b"]}


def test_depths_keep_what_is_typed(page: Page, root: str) -> None:
    """Moving between the depths loses nothing, in the fields or in the totals."""
    open_live(page, root + PATHS["training", "it"])
    box(page, "parameters").fill("13")
    expect(total(page)).to_contain_text("208")
    page.get_by_role("button", name="Dettagliato").click()
    expect(total(page)).to_contain_text("128,5")
    expect(page).to_have_url(re.compile("model="))
    assert link_of(page)["model"] == ["llama-3.1-8b"]
    page.get_by_role("button", name="Semplice").click()
    expect(total(page)).to_contain_text("208")
    assert link_of(page) == {"parameters": ["13"]}


def test_picker_by_keyboard(page: Page, root: str) -> None:
    """Typing filters, arrows move the mark, Enter takes it, Escape closes and keeps the text."""
    open_live(page, f"{root}{PATHS['lora', 'it']}?model=llama-3.1-8b&lora_rank=8")
    expect(total(page)).to_contain_text("20 971 520".replace(" ", "\u00a0"))
    picker = box(page, "model")
    picker.fill("llama-2 7")
    expect(picker).to_have_attribute("aria-expanded", "true")
    picker.press("ArrowDown")
    marked = page.locator(PICKED)
    expect(marked).to_have_count(1)
    assert picker.get_attribute("aria-activedescendant") == marked.get_attribute("id")
    while "Llama-2-7b" not in marked.inner_text():
        picker.press("ArrowDown")
    picker.press("Enter")
    expect(picker).to_have_value("Llama-2-7b")
    expect(picker).to_have_attribute("aria-expanded", "false")
    expect(total(page)).to_contain_text("19 988 480".replace(" ", "\u00a0"))
    assert link_of(page) == {"model": ["llama-2-7b"], "lora_rank": ["8"]}
    picker.fill("gpt")
    picker.press("Escape")
    expect(page.locator("#model-list")).to_be_hidden()
    expect(picker).to_have_value("gpt")


def test_picker_by_pointer(page: Page, root: str) -> None:
    """A click opens the list, another takes the option."""
    open_live(page, f"{root}{PATHS['inference', 'en']}?model=llama-3.1-8b")
    box(page, "model").click()
    page.get_by_role("option", name="gpt2-xl").click()
    expect(box(page, "model")).to_have_value("gpt2-xl")
    expect(page.locator("#slot-results")).to_contain_text("1.558 billion parameters")


def test_model_that_does_not_exist(page: Page, root: str) -> None:
    """An unknown name is told beside the field with the nearest one, and stays as typed."""
    open_live(page, f"{root}{PATHS['training', 'it']}?model=lamma-3.1-8b")
    expect(message(page, "model")).to_contain_text("llama-3.1-8b")
    expect(box(page, "model")).to_have_value("lamma-3.1-8b")
    box(page, "model").fill("")
    expect(page.locator(".empty")).to_be_visible()


def test_pasted_configuration(page: Page, root: str) -> None:
    """A pasted config.json stands in place of the model; emptied, the model is back."""
    open_live(page, f"{root}{PATHS['lora', 'it']}?model=llama-3.1-8b&target_modules=qv&lora_rank=8")
    page.locator("summary").click()
    box(page, "config").fill(json.dumps(LLAMA))
    expect(total(page)).to_contain_text("4 194 304".replace(" ", "\u00a0"))
    box(page, "config").fill('{"model_type": "llama", ')
    expect(message(page, "config")).to_be_visible()
    page.locator("#config-clear").click()
    expect(page.locator("#slot-results")).to_contain_text("Llama-3.1-8B")


def test_uploaded_configuration(page: Page, root: str, tmp_path: Path) -> None:
    """A chosen file is read as if it had been pasted; one of 50 MB is refused in words."""
    open_live(page, f"{root}{PATHS['training', 'en']}?model=llama-3.1-8b")
    page.locator("summary").click()
    small = tmp_path / "config.json"
    small.write_text(json.dumps(LLAMA), encoding="utf-8")
    page.locator("#config-file").set_input_files(small)
    expect(page.locator("#slot-results")).to_contain_text("6.738 billion parameters")
    large = tmp_path / "large.json"
    large.write_text("{" + " " * 50_000_000 + "}", encoding="utf-8")
    page.locator("#config-file").set_input_files(large)
    expect(message(page, "config")).to_contain_text("too long")


def test_dimensions_and_targets(page: Page, root: str) -> None:
    """Dimensions edited by hand and named modules change the count; bad ones are told."""
    open_live(page, f"{root}{PATHS['lora', 'en']}?model=llama-3.1-8b&lora_rank=8")
    box(page, "overrides").fill("num_hidden_layers=16")
    expect(total(page)).to_contain_text("10,485,760")
    box(page, "overrides").fill("num_hidden_layer=16")
    expect(message(page, "overrides")).to_contain_text("num_hidden_layers")
    box(page, "overrides").fill("")
    page.locator("#target_modules-value").fill("q_proj, down_proj")
    expect(page.locator("#target_modules-other")).to_be_checked()
    expect(page.locator("table.modules tbody tr")).to_have_count(2)
    page.locator("#target_modules-value").fill("q_prj")
    expect(message(page, "target_modules")).to_contain_text("q_proj")
    page.reload()
    expect(message(page, "target_modules")).to_contain_text("q_proj")
    expect(page.locator("#target_modules-value")).to_have_value("q_prj")


def test_other_formats(page: Page, root: str) -> None:
    """A format from the long list weighs linear layers and the rest apart."""
    open_live(page, f"{root}{PATHS['inference', 'it']}?model=llama-2-7b&overhead_percent=0")
    page.locator("#weight_format-value").select_option("nf4-dq")
    expect(total(page)).to_contain_text("3,87")
    assert link_of(page)["weight_format"] == ["nf4-dq"]
    page.reload()
    expect(page.locator("#weight_format-value")).to_have_value("nf4-dq")
    expect(total(page)).to_contain_text("3,87")
