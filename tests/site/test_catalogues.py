"""The reference pages, the pages of models, and the public data: whole, sourced, and alike."""

import json
import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

import calculator
from calculator.formats import every_format
from calculator.gpus import gpus
from calculator.models import find_model, models
from calculator.parameters.count import count
from calculator.report.words import LANGUAGES
from site_build import public_data
from site_build.site import load

SITE = load("https://example.org/calcolatore/")
SIZES = {"models": len(models()), "gpus": len(gpus()), "formats": len(every_format())}
TABLES = [(p, language) for p in SITE.pages if p.catalogue for language in LANGUAGES]
# what a page about one model may weigh
LARGEST_MODEL_PAGE = 25_000


def name_of(value: Any) -> str:
    """A page's id, or the language itself, for the names of tests."""
    return str(getattr(value, "id", value))


@pytest.mark.parametrize(("entry", "language"), TABLES, ids=name_of)
def test_tables_are_whole(entry: Any, language: str, pages: dict[str, Any]) -> None:
    """Without a script the table has every row, each with as many cells and with a source."""
    built = pages[entry.paths[language]]
    source = built.source[built.source.index('<table class="ref-table"') :].partition("</table>")[0]
    heads = len(re.findall("<th ", source.partition("</thead>")[0]))
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', source)
    assert len(rows) == SIZES[entry.catalogue]
    assert {row.count("<td") for row in rows} == {heads - 1}
    listed = len(re.findall("<li>", built.source.partition('<ol class="row-sources">')[2]))
    for row in rows:
        numbers = [int(each) for each in re.findall(r">([\d, ]+)</td></tr>$", row)[0].split(",")]
        assert numbers and 1 <= min(numbers) <= max(numbers) <= listed
    (form,) = built.find("form", id="filter")
    assert "hidden" in form.attributes


@pytest.mark.parametrize("language", LANGUAGES)
def test_models_lead_to_their_pages(language: str, pages: dict[str, Any]) -> None:
    """The table of models links to the page of each, and to no other."""
    path = SITE.page("models").paths[language]
    links = {urljoin(f"/{path}", each["href"])[1:] for each in pages[path].find("a")}
    wanted = {page.paths[language] for page in SITE.model_pages}
    assert wanted <= links


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", models())
def test_page_of_a_model(
    slug: str, language: str, pages: dict[str, Any], files: dict[str, bytes]
) -> None:
    """It is small, shows the count as the engine has it, and opens each form with the model."""
    page = SITE.page(f"models/{slug}")
    path = page.paths[language]
    built = pages[path]
    assert len(files[path]) < LARGEST_MODEL_PAGE
    total = count(models()[slug].architecture).total
    shown = {re.sub(r"\D", "", each.text) for each in built.find("td")}
    assert str(total) in shown
    opened = set()
    for link in built.find("a"):
        query = urlsplit(link["href"]).query
        if query:
            assert f"model={slug}" in query.split("&")
            target = urljoin(f"/{path}", link["href"]).partition("?")[0][1:]
            opened.add(target)
    assert opened == {p.paths[language] for p in SITE.pages if p.calculator}
    assert find_model(slug).id == slug
    drawings = [e for e in built.find("svg") if e["role"] == "img"]
    assert len(drawings) == 1 and "%" in drawings[0].text


def test_data_files(files: dict[str, bytes]) -> None:
    """Each is JSON with a schema, version, licence and source, and the rows of its catalogue."""
    for name, key in (
        ("models", "models"),
        ("gpus", "gpus"),
        ("formats", "formats"),
        ("optimizers", "recipes"),
    ):
        table = json.loads(files[f"data/{name}-v1.json"])
        assert list(table) == ["schema", "version", "licence", "source", key]
        assert table["schema"] == 1 and table["version"] == calculator.__version__
        assert table["licence"] == "MIT" and table["source"]
        assert len(table[key]) == SIZES.get(key, len(table[key])) > 0
        assert all(row["source"] for row in table[key])
    assert public_data.build() == public_data.build()


def test_a_copy_has_the_models_and_the_device_keeps_the_tables(files: dict[str, bytes]) -> None:
    """The zip holds all pages and data; the service worker leaves single models out."""
    archive = zipfile.ZipFile(BytesIO(files["offline/vram-calculator-offline.zip"]))
    held = {name.partition("/")[2] for name in archive.namelist()}
    kept = files["sw.js"].decode()
    for page in SITE.model_pages:
        for path in page.paths.values():
            assert path in held and f'"{path}"' not in kept
    for page, language in TABLES:
        assert page.paths[language] in held and f'"{page.paths[language]}"' in kept
    assert "data/models-v1.json" in held and "data/models-v1.json" not in kept


def test_wheel_is_there(files: dict[str, bytes], tmp_path: Path) -> None:
    """The calculator's wheel is among the files, and is one."""
    (name,) = (path for path in files if path.startswith("python/"))
    assert name == f"python/llm_vram-{calculator.__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(BytesIO(files[name])).namelist()
    assert "calculator/data/models.toml" in names
