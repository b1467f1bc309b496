"""Pages as a person meets them: their words, their elements and the forms that can be sent."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

_EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_UNREAD = {"script", "style", "template", "title"}
Pairs = list[tuple[str, str]]
HTMX = {"HX-Request": "true"}


@dataclass
class Element:
    """One element: its tag and attributes, the words directly in it, the form it lies in."""

    tag: str
    attributes: dict[str, str]
    words: list[str] = field(default_factory=list)
    form: int | None = None

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name, "")


@dataclass(frozen=True)
class Form:
    """One way to send a form: where to, how, and with which fields; a form with two buttons is two of these."""

    method: str
    action: str
    fields: tuple[tuple[str, str], ...]
    button: str = ""

    @property
    def data(self) -> dict[str, str | list[str]]:
        """The fields as a client posts them."""
        data: dict[str, str | list[str]] = {}
        for name, value in self.fields:
            known = data.get(name)
            data[name] = value if known is None else [*known, value] if isinstance(known, list) else [known, value]
        return data

    def get(self, name: str) -> str | None:
        """The first value of a field."""
        return next((value for key, value in self.fields if key == name), None)


class Page(HTMLParser):
    """A parsed page. Raises AssertionError where elements are not closed as they should be."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html = html
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self._form: int | None = None
        self._text: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, f"never closed: {[one.tag for one in self._open]}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute twice: <{tag} {names}>"
        element = Element(tag, {name: value or "" for name, value in attrs}, form=self._form)
        if tag == "form":
            self._form = len(self.elements)
        self.elements.append(element)
        if tag not in _EMPTY:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open[-1].tag == tag, f"</{tag}> where <{self._open[-1].tag}> is open"
        if self._open.pop().tag == "form":
            self._form = None

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.words.append(data)
        if not any(element.tag in _UNREAD for element in self._open):
            self._text.append(data)

    @property
    def text(self) -> str:
        """What can be read on the page, in one line."""
        return " ".join("".join(self._text).split())

    def find(self, tag: str | None = None, **attributes: str) -> list[Element]:
        """Every element with this tag and these attributes."""
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            one
            for one in self.elements
            if tag in (None, one.tag) and all(one.attributes.get(name) == value for name, value in wanted.items())
        ]

    def one(self, tag: str | None = None, **attributes: str) -> Element:
        """The only such element."""
        found = self.find(tag, **attributes)
        assert len(found) == 1, f"{len(found)} of {tag} {attributes}"
        return found[0]

    @property
    def forms(self) -> list[Form]:
        """Every way to send a form of this page: one for each button and each radio choice that nobody has made. A form
        without an address is for scripts to fill."""
        forms = [(number, one) for number, one in enumerate(self.elements) if one.tag == "form"]
        return [way for number, one in forms if "action" in one.attributes for way in self._ways(number, one)]

    def forms_to(self, ending: str) -> list[Form]:
        """The ways to send something to an address that ends like this."""
        return [form for form in self.forms if form.action.partition("#")[0].endswith(ending)]

    def _ways(self, number: int, form: Element) -> Iterator[Form]:
        controls = [
            one for one in self.elements if self._belongs(one, number, form) and "disabled" not in one.attributes
        ]
        fixed: Pairs = []
        radios: dict[str, list[Any]] = {}
        chosen_already: dict[str, list[Any]] = {}
        buttons: list[Element] = []
        for one in controls:
            kind = one["type"]
            if one.tag == "button" or (one.tag == "input" and kind in ("submit", "image")):
                if kind not in ("button", "reset"):
                    buttons.append(one)
            elif kind == "radio":
                if "checked" in one.attributes:
                    chosen_already[one["name"]] = [one["value"]]
                radios.setdefault(one["name"], []).append(one["value"])
            elif one.tag == "input" and one["name"] and (kind != "checkbox" or "checked" in one.attributes):
                fixed.append((one["name"], one.attributes.get("value", "on" if kind == "checkbox" else "")))
            elif one.tag == "select":
                fixed.append((one["name"], self._chosen(one)))
            elif one.tag == "textarea":
                fixed.append((one["name"], "".join(one.words)))
        choices: list[Pairs] = [[]]
        for name, values in (radios | chosen_already).items():
            choices = [[*chosen, (name, value)] for chosen in choices for value in values]
        for button in buttons:
            pressed = [(button["name"], button["value"])] if button["name"] else []
            for chosen in choices:
                fields = (*fixed, *chosen, *pressed)
                method, action = button["formmethod"] or form["method"], button["formaction"] or form["action"]
                yield Form(method.lower() or "get", action, fields, " ".join("".join(button.words).split()))

    def _belongs(self, one: Element, number: int, form: Element) -> bool:
        if "form" in one.attributes:
            return bool(form["id"]) and one["form"] == form["id"]
        return one.form == number

    def _chosen(self, select: Element) -> str:
        start = self.elements.index(select)
        options: list[Element] = []
        for one in self.elements[start + 1 :]:
            if one.tag != "option":
                break
            options.append(one)
        chosen = next((one for one in options if "selected" in one.attributes), options[0])
        return chosen.attributes.get("value", "".join(chosen.words))
