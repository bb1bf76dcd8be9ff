"""The page's way in: what a form gives in slots, messages and links."""

import itertools
import json
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculator
from calculator import catalogue, web
from calculator.fields import CALCULATORS, Field, form_fields
from calculator.report import html
from calculator.report.words import table, text

LANGUAGES = ("it", "en")
EVERY_FORM = list(itertools.product(CALCULATORS, LANGUAGES))
HOSTILE = "<img src=x onerror=alert(1)>\"'&"


def initial(name: str, language: str) -> dict[str, str]:
    """The form as the page first shows it."""
    return {field.name: web.initial_text(field, language) for field in form_fields(name)}


def ask(name: str, language: str, **changes: str) -> dict[str, Any]:
    """The reply to the first form with some fields changed."""
    form = {**initial(name, language), **changes}
    request = {"calculator": name, "language": language, "form": form}
    reply: dict[str, Any] = json.loads(web.answer(json.dumps(request)))
    return reply


class Tags(HTMLParser):
    """The tags and attributes of a fragment; complains about what isn't closed."""

    def __init__(self, fragment: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(fragment)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize(("name", "language"), EVERY_FORM)
def test_first_form(name: str, language: str) -> None:
    """The first form gives a result, an empty link, and one sentence to announce."""
    reply = ask(name, language)
    assert reply["ok"] and not reply["empty"]
    assert reply["slots"].keys() == {"total", "results"}
    assert (reply["problems"], reply["summary"], reply["notice"]) == ({}, "", "")
    assert (reply["query"], reply["other_query"]) == ("", "")
    assert reply["announce"].endswith(".")


@pytest.mark.parametrize(
    ("name", "language", "total", "alternative"),
    [
        ("training", "it", "112\u00a0GB", "104,3\u00a0GiB"),
        ("training", "en", "112\u00a0GB", "104.3\u00a0GiB"),
        ("inference", "it", "16,8\u00a0GB", "15,6\u00a0GiB"),
        ("inference", "en", "16.8\u00a0GB", "15.6\u00a0GiB"),
        ("lora", "it", "8\u00a0388\u00a0608", "33,6\u00a0MB"),
        ("lora", "en", "8,388,608", "33.6\u00a0MB"),
    ],
)
def test_first_totals(name: str, language: str, total: str, alternative: str) -> None:
    """The page's first numbers, in both places that show them."""
    slots = ask(name, language)["slots"]
    assert f"{total} {alternative}" in Tags(slots["total"]).words
    assert f"{total} {alternative}" in Tags(slots["results"]).words


@pytest.mark.parametrize(("name", "language"), EVERY_FORM)
def test_slots_are_the_formatters_own(name: str, language: str) -> None:
    """The slots are what the HTML formatter makes of the engine's estimate, nothing else."""
    result = calculator.estimate({"calculator": name, **initial(name, language)}, language)
    slots = ask(name, language)["slots"]
    assert slots == {
        "total": html.total(result, language),
        "results": html.results(result, language),
    }


def values_for(field: Field) -> list[str]:
    """Texts worth trying in a field, as one types them in Italian."""
    if field.choices:
        slugs = list(catalogue.choices(field.choices))
        return slugs if field.kind == "choice" else [*slugs, "6,5", "20"]
    return ["1", "1234", "8k"] if field.kind == "whole" else ["0,5", "7", "999,99", "0,125"]


@pytest.mark.parametrize("name", CALCULATORS)
def test_every_value_makes_sound_html(name: str) -> None:
    """Each value of each field gives closed tags, a table that adds up and nothing undefined."""
    for field in form_fields(name):
        for value in values_for(field):
            reply = ask(name, "it", **{field.name: value})
            assert reply["ok"], (field.name, value)
            for slot in reply["slots"].values():
                page = Tags(slot)
                assert not {"script", "style", "img"} & set(page.tags)
                assert "style" not in page.attributes
                assert not [each for each in page.attributes if each.startswith("on")]
                for bad in ("None", "Decimal", "E+", "{", "}", "nan"):
                    assert bad not in page.words


@pytest.mark.parametrize("name", CALCULATORS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_links_carry_the_form(name: str, language: str) -> None:
    """A form goes into the link, comes back from it as typed, and gives the same result."""
    for field in form_fields(name):
        for value in values_for(field):
            reply = ask(name, language, **{field.name: value})
            brought = dict(parse_qsl(reply["query"], strict_parsing=bool(reply["query"])))
            assert {**initial(name, language), **brought}[field.name] == value
            assert ask(name, language, **brought)["slots"] == reply["slots"]


@pytest.mark.parametrize("name", CALCULATORS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_link_to_the_other_language_and_back(name: str, language: str) -> None:
    """The other language's page shows the same total, and its link leads back to this one's."""
    other = "en" if language == "it" else "it"
    for field in form_fields(name):
        for value in values_for(field):
            here = ask(name, language, **{field.name: value})
            there = ask(name, other, **dict(parse_qsl(here["other_query"])))
            assert there["ok"], (field.name, value)
            back = ask(name, language, **dict(parse_qsl(there["other_query"])))
            assert back["slots"] == here["slots"]
            assert dict(parse_qsl(there["query"])) == dict(parse_qsl(here["other_query"]))


def test_decimal_sign_follows_the_language() -> None:
    """7,5 in Italian goes into the English link as 7.5, and 1,234 as 1.234."""
    assert ask("training", "it", parameters="7,5")["query"] == "parameters=7,5"
    assert ask("training", "it", parameters="7,5")["other_query"] == "parameters=7.5"
    assert ask("training", "it", parameters="1,234")["other_query"] == "parameters=1.234"
    assert ask("training", "en", parameters="1.234")["other_query"] == "parameters=1,234"


@pytest.mark.parametrize("language", LANGUAGES)
def test_small_and_long_numbers_cross_languages(language: str) -> None:
    """A number with dozens of zeros or digits keeps its value in the other language's link."""
    other = "en" if language == "it" else "it"
    for value in ("1e-90", "1e-999", "0" * 60 + "7", "7." + "0" * 70 + "1"):
        query = ask("training", language, activation_memory=value)["other_query"]
        reply = ask("training", other, **dict(parse_qsl(query)))
        assert reply["ok"], value


@pytest.mark.parametrize(("name", "language"), EVERY_FORM)
def test_emptied_fields(name: str, language: str) -> None:
    """A needed field that is emptied gives its own sentence in the result's place, no error."""
    for field in form_fields(name):
        reply = ask(name, language, **{field.name: "  "})
        if not field.required:
            assert reply["ok"]
            continue
        sentence = text(language, f"fields.{field.name}.empty")
        assert not reply["ok"] and reply["empty"]
        assert reply["problems"] == {}
        assert reply["announce"] == sentence
        for slot in reply["slots"].values():
            assert sentence in Tags(slot).words


def test_empty_and_wrong_at_once() -> None:
    """One field empty and another wrong: the sentence for the one, the message for the other."""
    reply = ask("training", "it", parameters="", activation_memory="x")
    assert reply["empty"] and not reply["ok"]
    assert reply["problems"].keys() == {"activation_memory"}
    assert set(reply["slots"]) == {"total", "results"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_values(language: str) -> None:
    """One wrong value: its message and no slot, so that the last result stays."""
    reply = ask("training", language, parameters="-1")
    assert not reply["ok"] and not reply["empty"]
    assert (reply["slots"], reply["summary"]) == ({}, "")
    assert reply["problems"].keys() == {"parameters"}
    assert reply["announce"] == text(language, "report.announce_problems_one")
    # what was typed stays in the link, as it is
    assert dict(parse_qsl(reply["query"])) == {"parameters": "-1"}
    assert dict(parse_qsl(reply["other_query"])) == {"parameters": "-1"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_several_wrong_values(language: str) -> None:
    """Several wrong values: a summary that links to each field, and a count to announce."""
    reply = ask("training", language, parameters="-1", activation_memory="x")
    assert reply["problems"].keys() == {"parameters", "activation_memory"}
    assert 'href="#parameters"' in reply["summary"]
    assert 'href="#activation_memory"' in reply["summary"]
    assert reply["announce"] == text(language, "report.announce_problems", count=2)
    assert Tags(reply["summary"]).words.startswith(
        table(language)["report"]["problems_title"].format(count=2)
    )


def test_unknown_keys_of_a_link() -> None:
    """A link's unknown keys are noticed and named, and the result comes all the same."""
    reply = ask("training", "it", parametri="13", zzz="1")
    assert reply["ok"]
    assert "«parametri»" in reply["notice"] and "«parameters»" in reply["notice"]
    assert Tags(reply["notice"]).tags == ["p", "p"]
    assert reply["query"] == ""


@pytest.mark.parametrize(("name", "language"), EVERY_FORM)
def test_hostile_values(name: str, language: str) -> None:
    """Markup in any field or key comes back as text: no reply holds an element made of it."""
    for key in [*(field.name for field in form_fields(name)), HOSTILE]:
        reply = ask(name, language, **{key: HOSTILE, "overhead_percents": HOSTILE})
        pieces = [*reply["slots"].values(), reply["summary"], reply["notice"]]
        for piece in pieces:
            assert "<img" not in piece
            assert "img" not in Tags(piece).tags
        for query in (reply["query"], reply["other_query"]):
            assert not set(query) & set("<>\"'& ") - {"&"}
            assert dict(parse_qsl(query)) == ({key: HOSTILE} if key != HOSTILE else {})


@given(
    st.sampled_from(CALCULATORS),
    st.sampled_from(LANGUAGES),
    st.dictionaries(st.sampled_from(["parameters", "lora_rank", "x", "id"]), st.text(max_size=90)),
)
def test_any_text_is_answered(name: str, language: str, changes: dict[str, str]) -> None:
    """Whatever is typed, the reply is whole: slots unless something is wrong, links that decode."""
    reply = ask(name, language, **changes)
    wrong = bool(reply["problems"]) and not reply["empty"]
    assert bool(reply["slots"]) is not wrong
    for piece in [*reply["slots"].values(), reply["summary"], reply["notice"]]:
        Tags(piece)
    for query in (reply["query"], reply["other_query"]):
        assert query.isascii()
        json.dumps(parse_qsl(query))


@pytest.mark.parametrize("request_text", ['{"calculator": "x", "language": "it", "form": {}}'])
def test_only_the_pages_own_requests(request_text: str) -> None:
    """A request that no page makes is a programming error, and says so."""
    with pytest.raises(ValueError, match="does not exist"):
        web.answer(request_text)


def test_unknown_dimension_is_a_problem_of_its_field() -> None:
    """A dimension that does not exist is told beside the field, not as a stranger of the link."""
    form = {field.name: "" for field in form_fields("lora", detailed=True)}
    form |= {"model": "llama-3.1-8b", "lora_rank": "8", "target_modules": "qv"}
    form |= {"adapter_dtype": "fp32", "use_dora": "false", "use_rslora": "false"}
    form["overrides"] = "num_hidden_layer=16"
    del form["config"]
    request = {"calculator": "lora", "language": "en", "form": form}
    reply = json.loads(web.answer(json.dumps(request)))
    assert "num_hidden_layers" in reply["problems"]["overrides"]
    assert reply["notice"] == ""
