"""The build stops at each kind of fault, and says the file and the line."""

import re
from pathlib import Path

import jinja2
import pytest

import build
from site_build import content, pages
from site_build import site as site_module
from site_build.checks import faults
from site_build.errors import BuildError
from site_build.site import load_words

ROOT = Path(__file__).parents[2]
POLICY = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">\n'
WORDS = {"footnote_back": "Back", "sources": "Sources"}
FRONT = "+++\n" + "".join(f'{key} = "x"\n' for key in content.FRONT_MATTER) + "+++\n"


def found(body: str, **others: str) -> list[str]:
    """The faults of a page with that body, at a/b.html, beside c.html with an anchor."""
    files = {"a/b.html": POLICY + body, "c.html": POLICY + '<p id="anchor">', "style.css": ""}
    files |= others
    return list(faults({path: text.encode() for path, text in files.items()}, "/base/"))


def test_built_site_is_without_fault(dist: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`build.py check` finds nothing wrong with the site as built."""
    arguments = ["check", "--dist", str(dist), "--site-url", "https://example.org/calcolatore/"]
    assert build.main(arguments) == 0
    assert "no fault in" in capsys.readouterr().out


@pytest.mark.parametrize(
    "body",
    [
        '<a href="../c.html">',
        '<a href="../c.html#anchor">',
        '<a href="../c.html?a=1#anchor">',
        '<a href="#here"><p id="here">',
        '<a href="/base/c.html">',
        '<a href="https://elsewhere.example/x#y">',
        '<a href="mailto:a@example.org">',
        '<link rel="stylesheet" href="../style.css?v=12345678">',
        '<link rel="canonical" href="https://example.org/">',
        '<label for="x"></label><input id="x" aria-describedby="x">',
    ],
)
def test_sound_page(body: str) -> None:
    """What is right is not complained about."""
    assert found(body) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="c.html">', "broken link c.html"),
        ('<a href="../d.html">', "broken link ../d.html"),
        ('<a href="../../c.html">', "broken link ../../c.html"),
        ('<a href="/c.html">', "broken link /c.html"),
        ('<a href="/base/d.html">', "broken link /base/d.html"),
        ('<a href="../c.html#none">', "broken anchor ../c.html#none"),
        ('<a href="#none">', "broken anchor #none"),
        ('<link rel="stylesheet" href="../none.css">', "broken link ../none.css"),
        ('<script src="../none.js"></script>', "broken link ../none.js"),
        ("<script>alert(1)</script>", "an inline script"),
        ("<style>p{}</style>", "an inline style"),
        ('<p style="color:red">', "<p style=…>"),
        ('<p onclick="x()">', "<p onclick=…>"),
        (
            '<script src="https://cdn.example/x.js"></script>',
            "<script> fetches from another origin",
        ),
        ('<img src="//cdn.example/x.png">', "<img> fetches from another origin"),
        ('<link rel="icon" href="http://cdn.example/x.ico">', "<link> fetches from another origin"),
        ('<p id="x"><p id="x">', "the id 'x' stands there more than once"),
        ('<label for="none">', "refers to the id 'none'"),
        ('<p aria-labelledby="none">', "refers to the id 'none'"),
        ("<p>{{ words.title }}", "an unfilled template mark"),
        ("<p>{% if x %}", "an unfilled template mark"),
    ],
)
def test_faulty_page(body: str, fault: str) -> None:
    """Each fault is found, with the page and mostly the line that it stands in."""
    lines = found(f"<p>\n{body}\n")
    assert any(fault in line for line in lines), lines
    assert all(re.match(r"a/b\.html(:[13])?: ", line) for line in lines)


def test_page_without_policy() -> None:
    """A page without a security policy is a fault of its own."""
    assert found("", **{"d.html": "<p>"}) == ["d.html:1: no Content-Security-Policy"]


def test_check_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Checking a folder that holds no site says so and fails."""
    assert build.main(["check", "--dist", str(tmp_path)]) == 1
    assert "nothing is built there yet" in capsys.readouterr().err


def test_check_of_a_damaged_site(
    dist: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page taken away shows as a broken link in each page that leads there."""
    for path in dist.rglob("*"):
        if (
            path.is_file()
            and path.suffix in (".html", ".css", ".js")
            and "offline" not in str(path)
        ):
            target = tmp_path / path.relative_to(dist)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (tmp_path / "en" / "lora" / "index.html").unlink()
    assert (
        build.main(["check", "--dist", str(tmp_path), "--site-url", "https://x.org/calcolatore"])
        == 1
    )
    said = capsys.readouterr().err
    assert re.search(r"^lora/index\.html:\d+: broken link \.\./en/lora/index\.html$", said, re.M)


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("no front matter\n", 1, "front matter between +++ lines is missing"),
        ("+++\ntitle = \n+++\n", 1, "front matter: "),
        (FRONT.replace('nav = "x"', 'nav = "x"\nauthor = "y"'), 7, "unknown front-matter key"),
        (FRONT.replace('lead = "x"\n', ""), 1, "front-matter key 'lead' is missing"),
        (FRONT.replace('lead = "x"', "lead = 7"), 1, "key 'lead' is missing or no text"),
        (FRONT + "## A {: #a}\n\n{{ nothing }}\n", 10, "'nothing' is undefined"),
        (FRONT + "## A {: #a}\n\ntext\n\n{{ words.nothing }}\n", 12, "has no attribute 'nothing'"),
        (FRONT + "## A {: #a}\n\n{% if %}\n", 10, "Expected an expression"),
        (FRONT + "## A {: #a}\n\n{{ 1 / 0 }}\n", 10, "ZeroDivisionError"),
        (FRONT + "text before\n\n## A {: #a}\n", None, "there is text before the first ## heading"),
    ],
)  # fmt: skip
def test_faulty_text(tmp_path: Path, text: str, line: int | None, fault: str) -> None:
    """A fault in a page's Markdown stops the build with the file and the line."""
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    with pytest.raises(BuildError) as caught:
        content.load(path, WORDS, environment, {"words": {}}, "notes")
    place = f"{path}:{line}: " if line else f"{path}: "
    assert str(caught.value).startswith(place)
    assert fault in str(caught.value)


def test_sound_text(tmp_path: Path) -> None:
    """Headings, formulas, tables and notes become what the templates expect."""
    path = tmp_path / "page.md"
    text = (
        "## A $x$ {: #a }\n\n| b | c |\n| - | -: |\n| 1 | {{ two }} |\n\nd[^n]\n\n[^n]: A note.\n"
    )
    path.write_text(FRONT + text, encoding="utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    page = content.load(path, WORDS, environment, {"two": 2}, "notes")
    first, notes = page.sections
    assert first.id == "a" and "<math" in first.heading
    assert '<td class="to-right">2</td>' in first.body and "style=" not in first.body
    assert notes.id == "notes" and "A note." in notes.body and notes.heading == "Sources"


@pytest.mark.parametrize(
    ("italian", "english", "fault"),
    [
        ('a = "x"\nb = "y"\n', 'a = "x"\n', "en.toml: the text 'b' is missing"),
        ('a = "x"\n', 'a = "x"\n[c]\nd = "z"\n', "it.toml: the text 'c.d' is missing"),
        ('a = "x {n}"\n', 'a = "x {m}"\n', "en.toml: 'a' has other placeholders than in it"),
        ('a = "x"\n', 'a = "x"\nb = \n', "en.toml:2: "),
    ],
)
def test_missing_translation(tmp_path: Path, italian: str, english: str, fault: str) -> None:
    """A text that one language lacks, or fills otherwise, stops the build with its file."""
    (tmp_path / "it.toml").write_text(italian)
    (tmp_path / "en.toml").write_text(english)
    with pytest.raises(BuildError, match=re.escape(fault)):
        load_words(tmp_path, ("it", "en"))


def test_page_without_its_other_language(tmp_path: Path) -> None:
    """A page's text that is missing in one language stops the build with the missing file."""
    with pytest.raises(BuildError, match="nothing.md"):
        pages.source_of(site_module.Page("nothing", None, {}), "en")


@pytest.mark.parametrize(
    ("before", "after", "fault"),
    [
        (
            'id = "method"\n',
            'id = "method"\ncolour = "red"\n',
            "page 'method': unknown key 'colour'",
        ),
        ('it = "metodo/index.html", ', "", "page 'method' needs a path in it, en"),
        ('file = "MPL-2.0.txt"', 'file = "none.txt"', "the licence of Pyodide is missing"),
    ],
)
def test_faulty_site_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str, fault: str
) -> None:
    """A mistake in site.toml stops the build with that file."""
    source = (ROOT / "site_src" / "site.toml").read_text(encoding="utf-8")
    assert before in source
    (tmp_path / "site.toml").write_text(source.replace(before, after), encoding="utf-8")
    (tmp_path / "i18n").symlink_to(ROOT / "site_src" / "i18n")
    monkeypatch.setattr(site_module, "SOURCE", tmp_path)
    with pytest.raises(BuildError, match=re.escape(fault)):
        site_module.load("")


def test_failed_build_leaves_the_old_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A build that stops touches nothing of what is built already, and exits with 1."""
    (tmp_path / "index.html").write_text("the old one")

    def broken(*_: object) -> None:
        raise BuildError("page.md", 3, "something is wrong")

    monkeypatch.setattr(build, "load_words", broken)
    assert build.main(["build", "--dist", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "page.md:3: something is wrong\n"
    assert (tmp_path / "index.html").read_text() == "the old one"


def test_site_at_a_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Addresses end as directories do, whether or not the site's own is given a slash."""
    for url in ("https://example.org", "https://example.org/", "https://example.org/a/b/"):
        site = site_module.load(url)
        assert site.base_path == ("/a/b/" if "a/b" in url else "/")
        assert site.address("en/index.html") == f"{url.rstrip('/')}/en/"
