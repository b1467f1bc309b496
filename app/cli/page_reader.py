"""What a browser has of a page, for a program that plays by reading: which version of a table it shows, and every way
to send its forms. Answers that hold only parts of the page are put in their places."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import product
from typing import Final

Pairs = tuple[tuple[str, str], ...]

_VOID: Final = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
_CONTROLS: Final = frozenset(("button", "input", "select", "option", "textarea"))
_PICTURE: Final = re.compile(r"<svg\b.*?</svg>", re.DOTALL)  # nothing in it can be sent
_VERSION: Final = re.compile(r'\bdata-version="(\d+)"')


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
        super().__init__(convert_charrefs=True)
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
        elif name or tag in _CONTROLS or tag == "form" or "data-version" in attributes or "data-my-turn" in attributes:
            around = tuple(name for _, name, _ in self._open if name)
            element = _Element(tag, attributes, around, self._form, fits)
            self.elements.append(element)
            if tag == "form":
                self._form = element
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
        if found := _VERSION.search(html):
            self.version = int(found[1])

    def ways(self, ending: str) -> list[Way]:
        """Every way to send a form whose address ends like this: one for each button, each radio choice and each box
        that can be ticked (one at a time)."""
        self.read()
        forms = [one for one in self._elements if one.tag == "form" and _path(one.get("action")).endswith(ending)]
        return [way for form in forms for way in self._ways_of(form)]

    def usual(self, ending: str) -> Way | None:
        """The first such form as it is filled in already."""
        self.read()
        for form in self._elements:
            if form.tag == "form" and _path(form.get("action")).endswith(ending):
                mine = self._controls_of(form)
                if any(_is_button(one) for one in mine):
                    chosen = (one for one in mine if one.get("type") == "radio" and "checked" in one.attributes)
                    return Way(form.get("action"), (*self._filled_in(mine), *map(_pair, chosen)))
        return None

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
                    if one.around and (beyond := outer.get(one.around[0])):
                        one.around = (*beyond, *one.around)
                news = [*kept, *news]
            self._elements = news
            self._note(parsed.elements)

    def _note(self, news: list[_Element]) -> None:
        turns = [one.get("data-my-turn") for one in news if "data-my-turn" in one.attributes]
        versions = [int(one.get("data-version")) for one in news if one.get("data-version").isdecimal()]
        polls = [one.get("hx-get") for one in news if one.get("id") == "poll"]
        self.poll = polls[-1] if polls else self.poll
        seen = re.search(r"\bseen=(\d+)", self.poll) if polls else None
        self.version = versions[-1] if versions else int(seen[1]) if seen else self.version
        self.my_turn = turns[-1] == "true" if turns else bool(self.ways("/moves"))

    def _controls_of(self, form: _Element) -> list[_Element]:
        name = form.get("id")
        return [
            one
            for one in self._elements
            if one.tag in _CONTROLS
            and "disabled" not in one.attributes
            and (one.get("form") == name != "" if "form" in one.attributes else one.form is form)
        ]

    def _filled_in(self, mine: list[_Element]) -> Pairs:
        pairs = []
        options: dict[str, list[_Element]] = {}
        for one in mine:
            kind = one.get("type")
            if one.tag == "select":
                options[one.get("name")] = []
            elif one.tag == "option" and options:
                options[list(options)[-1]].append(one)
            elif one.get("name") and (
                "checked" in one.attributes
                if kind == "checkbox"
                else kind not in ("radio", "submit") and one.tag == "input"
            ):
                pairs.append(_pair(one))
        for name, offered in options.items():
            chosen = next((one for one in offered if "selected" in one.attributes), offered[0] if offered else None)
            pairs += [(name, chosen.get("value"))] if chosen else []
        return tuple(pairs)

    def _ways_of(self, form: _Element) -> list[Way]:
        mine = self._controls_of(form)
        radios: dict[str, list[_Element | None]] = {}
        for one in mine:
            if one.tag == "input" and one.get("type") == "radio":
                radios.setdefault(one.get("name"), []).append(one)
        boxes: list[_Element | None] = [
            one for one in mine if one.get("type") == "checkbox" and "checked" not in one.attributes
        ]
        ways = []
        for button, *chosen in product(filter(_is_button, mine), boxes or [None], *radios.values()):
            picked = [one for one in chosen if one]
            if not button.fits or all(one.get("value") in button.fits for one in picked):
                pressed = [button] if button.get("name") else []
                action = button.get("formaction") or form.get("action")
                ways.append(Way(action, (*self._filled_in(mine), *map(_pair, [*picked, *pressed]))))
        return ways


def _path(address: str) -> str:
    return address.partition("?")[0]


def _pair(one: _Element) -> tuple[str, str]:
    return one.get("name"), one.get("value", "on" if one.get("type") == "checkbox" else "")


def _is_button(one: _Element) -> bool:
    is_one = one.tag == "button" and one.get("type", "submit") == "submit"
    return is_one and one.get("formmethod", "post") == "post" and "disabled" not in one.attributes
