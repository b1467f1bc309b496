"""Every sentence that people read: marked where it is written, worded in the reader's language where it is read.

A sentence is written in English with its parameters as `%(name)s`; Babel finds it by the functions and exceptions that
take one, which `scripts/words.py` names. A `Message` is a text in English, for logs, records and tests, that writes
itself in the reader's language when a page is drawn.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape

ENGLISH: Final = NullTranslations()
_READER: ContextVar[NullTranslations] = ContextVar("reader", default=ENGLISH)


class Message(str):
    """A sentence or a part of one. `several` is its other form, for a `number` that is not one."""

    msgid: str
    several: str
    number: float
    params: Mapping[str, Any]

    def __html__(self) -> Markup:
        """As a page writes it: for the reader, and harmless."""
        return escape(self.as_read())

    def as_read(self) -> str:
        """In the reader's language."""
        words = _READER.get()
        if words is ENGLISH:
            return str(self)
        text = (
            words.ngettext(self.msgid, self.several, _whole(self.number)) if self.several else words.gettext(self.msgid)
        )
        return text % {name: as_read(value) for name, value in self.params.items()}


class Plural(NamedTuple):
    """What is counted, for one and for several: `Plural("%(count)s point", "%(count)s points")(2)` is "2 points"."""

    one: str
    several: str

    def __call__(self, count: float, **params: Any) -> Message:
        return ngettext(self.one, self.several, count, **params)


def gettext(text: str, /, **params: Any) -> Message:
    """A sentence with its parameters, which may be messages themselves."""
    message = Message(text % params)
    message.msgid, message.several, message.number, message.params = text, "", 0, params
    return message


def ngettext(one: str, several: str, count: float, /, **params: Any) -> Message:
    """A sentence about so many of something, which it may write as `%(count)s`."""
    params["count"] = f"{count:g}"
    message = Message((one if count == 1 else several) % params)
    message.msgid, message.several, message.number, message.params = one, several, count, params
    return message


def gettext_noop(text: str) -> str:
    """The text as it is, marked to be found; `gettext` words it later."""
    return text


def packed(message: Message) -> dict[str, Any]:
    """A message as plain data, to be kept."""
    params = {name: packed(value) if isinstance(value, Message) else value for name, value in message.params.items()}
    return {"text": message.msgid, "several": message.several, "number": message.number, "params": params}


def unpacked(kept: Mapping[str, Any]) -> Message:
    """The message that was kept."""
    params = {name: unpacked(value) if isinstance(value, Mapping) else value for name, value in kept["params"].items()}
    text, several, number = kept["text"], kept["several"], kept["number"]
    return ngettext(text, several, number, **params) if several else gettext(text, **params)


def worded(sentence: str, params: Mapping[str, Any]) -> Message:
    """The sentence of a refusal: a message already, or one with these parameters."""
    return sentence if isinstance(sentence, Message) else gettext(sentence, **params)


def listed(items: Sequence[str], *, either: bool = False, word: Callable[..., str] = gettext) -> str:
    """ "a", "a and b", "a, b and c", or with "or"; `word` is `html` where the items are markup."""
    if len(items) < 2:
        return items[0] if items else ""
    most = items[0]
    for item in items[1:-1]:
        most = word("%(most)s, %(item)s", most=most, item=item)
    if either:
        return word("%(most)s or %(last)s", most=most, last=items[-1])
    return word("%(most)s and %(last)s", most=most, last=items[-1])


def as_read(value: Any) -> Any:
    """A message in the reader's language; anything else as it is."""
    return value.as_read() if isinstance(value, Message) else value


def reader() -> NullTranslations:
    """The words of the reader's language."""
    return _READER.get()


@contextmanager
def reading(words: NullTranslations) -> Iterator[None]:
    """What is drawn inside is drawn for somebody who reads this language."""
    before = _READER.set(words)
    try:
        yield
    finally:
        _READER.reset(before)


def language() -> str:
    """The reader's language, as pages name theirs."""
    return str(_READER.get().info().get("language", "en")).replace("_", "-")


def capital(text: str) -> str:
    """What the reader reads, with a capital letter; markup stays markup."""
    read: str = as_read(text)
    return read[:1].upper() + read[1:]


def html(text: str, /, **params: Any) -> Markup:
    """A sentence of a template, which may hold markup; its parameters are escaped."""
    words = _READER.get()
    read = text if words is ENGLISH else words.gettext(text)
    return Markup(read % _escaped(params))


def html_of_several(one: str, several: str, count: float, /, **params: Any) -> Markup:
    """A sentence of a template about so many of something."""
    params.setdefault("count", f"{count:g}")
    return Markup(_READER.get().ngettext(one, several, _whole(count)) % _escaped(params))


def _whole(count: float) -> int:
    """The number whose plural form is taken: languages have forms for whole ones; half a point is not one point."""
    return int(count) if count == int(count) else 2


def _escaped(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, Markup) else escape(value) for name, value in params.items()}
