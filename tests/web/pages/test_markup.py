"""What templates are made of: every class means something, every element has what it is nothing without, and what is
referred to is there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.pages import Page

_ROOT: Final = Path(__file__).parents[3]
TEMPLATES: Final = [path for folder in ("templates", "snug/games") for path in sorted((_ROOT / folder).rglob("*.html"))]
_TAG: Final = re.compile(r"<([a-z]+\d?)((?:{[{%].*?[}%]}|[^<>{])*)>", re.DOTALL)
_NAMED: Final = re.compile(r"\s([a-z][a-z-]*)(?:=\"((?:{{.*?}}|{%.*?%}|[^\"{])*)\"|(?=[\s/]|$))", re.DOTALL)
_LABELS: Final = {"aria-label", "aria-labelledby"}
_NEEDS: Final = {
    "a": [{"href"}],
    "form": [{"method"}, {"action"}],
    "img": [{"src"}, {"alt"}],
    "input": [{"name", "id"}],
    "link": [{"rel"}, {"href"}],
    "main": [{"id"}],
    "meta": [{"content", "charset"}, {"name", "property", "http-equiv", "charset"}],
    "nav": [_LABELS],
    "option": [{"value"}],
    "progress": [{"value"}, {"aria-label", "aria-hidden"}],
    "script": [{"src"}],
    "section": [_LABELS],
    "select": [{"name"}],
    "svg": [{"aria-hidden", "role"}],
    "template": [{"id"}],
    "textarea": [{"name"}],
    "time": [{"datetime"}],
    "use": [{"href"}],
}
"""Of each kind of element the attributes without which it is nothing: one of each set."""
_DRAWN: Final = {
    "svg",
    "path",
    "circle",
    "use",
    "text",
    "rect",
    "line",
    "g",
    "ellipse",
    "polyline",
    "tspan",
    "bdi",
    "small",
}
_OF_ROLE: Final = {"img": _LABELS, "group": _LABELS, "region": _LABELS, "dialog": _LABELS}


def tags(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The elements that a template writes, with their attributes as they are written. What is drawn in something that
    nobody hears of is hidden, too."""
    hidden = False
    for tag in _TAG.finditer(re.sub(r"{#.*?#}", "", text, flags=re.DOTALL)):
        plain = re.sub(r"{% (?:if|elif|else|endif|for|endfor)\b.*?%}", " ", tag[2])
        attributes = dict(_NAMED.findall(plain))
        if tag[1] == "svg" and hidden:
            attributes["aria-hidden"] = "true"
        if attributes.get("id") == "unsent":
            attributes["action"] = ""  # its script says where to
        hidden = "aria-hidden" in attributes or (hidden and tag[1] in _DRAWN)
        yield tag[1], attributes


def classes(text: str) -> set[str]:
    """The classes that a template gives by name."""
    found = set[str]()
    for value in re.findall(r'class="((?:{{.*?}}|{%.*?%}|[^"{])*)"', text):
        words = re.sub(r"{%.*?%}", " ", re.sub(r"{{.*?}}", "{", value)).split()
        found |= {word for word in words if "{" not in word}
    return found


def _all(pattern: str, *folders: str) -> str:
    return "".join(path.read_text() for folder in folders for path in sorted((_ROOT / folder).glob(pattern)))


def test_every_class_is_one_that_styles_scripts_or_tests_know() -> None:
    styles = _all("**/*.css", "static", "snug/games")
    scripts = _all("**/*.js", "static") + _all("test_*.py", "tests/browser")
    known = set(re.findall(r"\.([a-z][\w-]*)", styles)) | set(re.findall(r"[.'\"]([a-z][\w-]*)", scripts))
    unknown = {(path.name, name) for path in TEMPLATES for name in classes(path.read_text()) - known}
    assert not unknown


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_element_has_what_it_is_nothing_without(path: Path) -> None:
    missing = []
    for name, attributes in tags(path.read_text()):
        if attributes.get("method") == "dialog":
            continue  # it goes nowhere
        needs = _NEEDS.get(name, []) + [_OF_ROLE[role] for role in [attributes.get("role", "")] if role in _OF_ROLE]
        missing += [(name, attributes, need) for need in needs if not need & attributes.keys()]
    assert not missing


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_label_stands_beside_its_field(path: Path) -> None:
    written = [*tags(path.read_text())]
    ids = {attributes.get("id") for _, attributes in written}
    meant = {attributes["for"] for _, attributes in written if "for" in attributes}
    assert not {one for one in meant - ids if not one.startswith("field-")}  # which a macro writes


def test_what_is_referred_to_is_there() -> None:
    written = "".join(path.read_text() for path in TEMPLATES)
    ids = {re.sub(r"{{.*?}}", "*", value["id"]) for _, value in tags(written) if "id" in value}
    given = {word for made in re.findall(r"{{.*?}}|{%.*?%}", written) for word in re.findall(r'"([a-z][\w-]*)"', made)}
    ids |= given | {f"field-{word}" for word in given}  # of a macro that writes a field
    referred = {
        (name, word)
        for element, attributes in tags(written)
        for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls", "data-copy")
        for word in re.sub(r"{{.*?}}|{%.*?%}", "*", attributes.get(name, "")).split()
    }
    scripts = re.sub(r"//[^\n]*", "", _all("**/*.js", "static"))
    asked = set(re.findall(r'getElementById\("([\w-]+)"\)', scripts))
    assert not {pair for pair in referred if "*" not in pair[1] and pair[1] not in ids}
    assert not asked - ids


def test_every_script_is_asked_for_by_some_page() -> None:
    written = "".join(path.read_text() for path in TEMPLATES) + _all("**/*.js", "static")
    scripts = {path.name for path in (_ROOT / "static").glob("*.js")} - {"sw.js"}
    assert not {name for name in scripts if f"static('{name}')" not in written and f'static("{name}")' not in written}
    for path in TEMPLATES:
        for name, attributes in tags(path.read_text()):
            assert name != "template" or "data-later" in attributes, path


@pytest.mark.parametrize(
    "path", [path for path in TEMPLATES if path.name == "coach.html"], ids=lambda path: path.parts[-3]
)
def test_every_line_of_a_coach_says_when_and_where_or_of_what(path: Path) -> None:
    drawn = _all("**/*.html", "templates", f"snug/games/{path.parent.parent.name}") + _all("**/*.css", "static")
    for line in Page(path.read_text()).find("p"):
        told = line.attributes
        assert told.keys() in ({"data-when", "data-at"}, {"data-of"}), told
        selector = f"{line['data-of']}{line['data-when']} #{line['data-at'] or 'mine'}"
        for word in re.findall(r"[#.]([a-z][\w-]*)", selector):
            assert re.search(rf"\b{word}\b", drawn), word


def test_a_button_that_only_a_script_answers_sends_no_form() -> None:
    for path in TEMPLATES:
        for name, attributes in tags(path.read_text()):
            if name == "button" and {"data-copy", "data-share"} & attributes.keys():
                assert attributes.get("type") == "button", (path.name, attributes)
