"""What a browser has of a page, for a program that plays by reading: which version of a table it shows, and every way
to send its forms. Answers that hold only parts of the page are put in their places."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import product
from typing import Final

Pairs = tuple[tuple[str, str], ...]

_VOID: Final = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
_KEPT: Final = frozenset(("html", "form", "button", "input", "select"))
_PICTURE: Final = re.compile(r"<svg\b.*?</svg>", re.DOTALL)  # nothing in it can be sent
_VERSION: Final = re.compile(r'(?:\bdata-version="|/live\?seen=)(\d+)')


@dataclass(frozen=True)
class Way:
    """One way to send a form: where to, and with which fields."""

    action: str
    fields: Pairs


@dataclass(eq=False)
class _Element:
    """An element that has an id or belongs to a form. `around` are the ids of what it lies in, `fits` the choices that
    go with it: the words N of the classes `fit-N` around it."""

    tag: str
    attributes: dict[str, str]
    around: tuple[str, ...]
    form: "_Element | None"
    fits: tuple[str, ...]

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)


class _Parser(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[_Element] = []
        self.replaced: set[str] = set()
        self._open: list[tuple[str, str, tuple[str, ...]]] = []
        self._form: _Element | None = None
        self.feed(_PICTURE.sub("", html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        name = attributes.get("id", "")
        own = tuple(word[4:] for word in attributes.get("class", "").split() if word.startswith("fit-"))
        fits = own or (self._open[-1][2] if self._open else ())
        if tag == "hx-partial":
            name = attributes.get("hx-target", "").removeprefix("#")
            if attributes.get("hx-swap", "innerHTML").startswith(("outer", "inner")):
                self.replaced.add(name)
        elif tag == "option":  # the first one is what the select sends, unless another is selected
            if self.elements and ("selected" in attributes or "value" not in self.elements[-1].attributes):
                self.elements[-1].attributes["value"] = attributes.get("value", "")
        elif tag in _KEPT or "id" in attributes or "data-my-turn" in attributes:
            around = tuple(name for _, name, _ in self._open if name)
            kind = "input" if tag == "select" else tag
            self.elements.append(_Element(kind, attributes, around, self._form, fits))
            if tag == "form":
                self._form = self.elements[-1]
        if tag not in _VOID:
            self._open.append((tag, name, fits))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        while self._open and any(tag == other for other, _, _ in self._open):
            if self._open.pop()[0] == tag:
                break


@dataclass
class Page:
    """A page as it stands after every answer that was `shown`; it is read when it is asked about."""

    version: int = 0
    my_turn: bool = False
    poll: str = ""
    _elements: list[_Element] = field(default_factory=list)
    _unread: list[str] = field(default_factory=list)

    def show(self, html: str) -> None:
        """Takes a whole page, the whole of what is live in it, or parts of it."""
        self._unread.append(html)
        self.version = version_in(html) or self.version

    def ways(self, ending: str) -> list[Way]:
        """Every way to send a form whose address ends like this: one for each button, each radio choice and each box
        that can be ticked (one at a time)."""
        ways = []
        for form, mine in self._forms(ending):
            fixed = [one for one in mine if _is_sent(one) and one.get("type") != "radio"]
            choices: dict[str, list[_Element]] = {}
            for one in mine:
                kind = one.get("type")
                if kind == "radio" or (kind == "checkbox" and "checked" not in one.attributes):
                    choices.setdefault(one.get("name") if kind == "radio" else "", []).append(one)
            for button, *picked in product(filter(_is_button, mine), *choices.values()):
                if not button.fits or all(one.get("value") in button.fits for one in picked):
                    pressed = [button] if button.get("name") else []
                    ways.append(_way(button.get("formaction") or form.get("action"), [*fixed, *picked, *pressed]))
        return ways

    def usual(self, ending: str) -> Way | None:
        """The first such form with a button, as it is filled in already."""
        for form, mine in self._forms(ending):
            if any(map(_is_button, mine)):
                return _way(form.get("action"), list(filter(_is_sent, mine)))
        return None

    def _forms(self, ending: str) -> list[tuple[_Element, list[_Element]]]:
        """The forms with this kind of address, each with what belongs to it."""
        self.read()
        forms = [one for one in self._elements if one.tag == "form"]
        return [
            (form, [one for one in self._elements if _belongs(one, form)])
            for form in forms
            if form.get("action").partition("?")[0].endswith(ending)
        ]

    def read(self) -> None:
        """Reads what was shown since."""
        unread, self._unread = self._unread, []
        for html in unread:
            parsed = _Parser(html)
            news = parsed.elements
            if not any(one.get("id") == "live" or one.tag == "html" for one in news):
                gone = parsed.replaced | {one.get("id") for one in news if not one.around} - {""}
                kept = [
                    one for one in self._elements if one.get("id") not in gone and not gone.intersection(one.around)
                ]
                outer = {one.get("id"): one.around for one in self._elements}
                for one in news:
                    beyond = outer.get(one.around[0] if one.around else one.get("id"), ())
                    one.around = (*beyond, *one.around)
                news = [*kept, *news]
            self._elements = news
            self._note(parsed.elements)

    def _note(self, news: list[_Element]) -> None:
        turns = [one.get("data-my-turn") for one in news if "data-my-turn" in one.attributes]
        polls = [one.get("hx-get") for one in news if one.get("id") == "poll"]
        is_whole = any(one.tag == "html" for one in news)
        self.poll = polls[-1] if polls else "" if is_whole else self.poll
        self.my_turn = turns[-1] == "true" if turns else bool(self.ways("/moves"))


def version_in(html: str) -> int | None:
    """The version that a page, or a part of one, says it is of: found without reading it."""
    found = _VERSION.search(html)
    return int(found[1]) if found else None


def _belongs(one: _Element, form: _Element) -> bool:
    if one.tag not in ("button", "input") or "disabled" in one.attributes:
        return False
    return one.get("form") == form.get("id") != "" if "form" in one.attributes else one.form is form


def _is_button(one: _Element) -> bool:
    return one.tag == "button" and one.get("type", "submit") == "submit" and one.get("formmethod", "post") == "post"


def _is_sent(one: _Element) -> bool:
    """Whether it is sent as it is, whichever button is pressed."""
    kind = one.get("type")
    is_so = "checked" in one.attributes if kind in ("checkbox", "radio") else kind != "submit"
    return one.tag == "input" and bool(one.get("name")) and is_so


def _way(action: str, sent: list[_Element]) -> Way:
    values = (one.get("value", "on" if one.get("type") == "checkbox" else "") for one in sent)
    return Way(action, tuple(zip((one.get("name") for one in sent), values, strict=True)))
