"""Every sentence that people read: marked where it is written, worded in the reader's language where it is read.

A sentence is written in English with its parameters as `%(name)s`; Babel finds it by the functions and exceptions that
take one, which `scripts/words.py` names. A `Message` is a text in English, for logs, records and tests, that writes
itself in the reader's language when a page is drawn. A translation may ask for a parameter in a form: `%(card:den)s`
is what the language says for the parameter's own sentence under the context `den`, or else what it always says.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, reduce
from gettext import NullTranslations
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape

ENGLISH: Final = NullTranslations()
_READER: ContextVar[NullTranslations] = ContextVar("reader", default=ENGLISH)


_FORM: Final = ":"  # without which no form is asked for
_is_unsafe: Final = re.compile("[&<>'\"]").search


class Message(str):
    """A sentence or a part of one. `several` is its other form, for a `number` that is not one."""

    msgid: str
    several: str
    number: float
    params: Mapping[str, Any]
    context: str = ""

    def __html__(self) -> Markup:
        """As a page writes it: for the reader, and harmless."""
        return escape(self.as_read())

    def as_read(self, form: str = "") -> str:
        """In the reader's language, in a form that it has for what stands within a sentence."""
        words = _READER.get()
        if words is ENGLISH:
            return str(self)
        if form or self.several or self.context:
            text = _found(words, form or self.context, self.msgid, self.several, self.number)
        else:
            text = words.gettext(self.msgid)
        if _FORM in text:
            return text % _Read(self.params)
        return text % {name: as_read(value) for name, value in self.params.items()} if "%" in text else text


class _Read:
    """Parameters in the reader's language, each in the form that a sentence asks for: `%(card)s`, `%(card:den)s`."""

    __slots__ = ("_params",)

    def __init__(self, params: Mapping[str, Any]) -> None:
        self._params = params

    def __getitem__(self, asked: str) -> str:
        name, _, form = asked.partition(":")
        return as_read(self._params[name], form)  # type: ignore[no-any-return]


class _ReadOnPages(_Read):
    """The same as a page writes them."""

    __slots__ = ()

    def __getitem__(self, asked: str) -> str:
        name, _, form = asked.partition(":")
        value = self._params[name]
        return value if isinstance(value, Markup) else escape(as_read(value, form))


def _found(words: NullTranslations, context: str, one: str, several: str, count: float) -> str:
    """What a language says in this context, or else without one."""
    if several:
        number = _whole(count)
        text = words.npgettext(context, one, several, number) if context else one
        return words.ngettext(one, several, number) if text in (one, several) else text
    text = words.pgettext(context, one) if context else one
    return words.gettext(one) if text == one else text


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
    params["count"] = figures(f"{count:g}")
    message = Message((one if count == 1 else several) % params)
    message.msgid, message.several, message.number, message.params = one, several, count, params
    return message


def pgettext(context: str, text: str, /, **params: Any) -> Message:
    """A word or two of which translators must be told what they stand for."""
    message = gettext(text, **params)
    message.context = context
    return message


def figures(number: str) -> str:
    """A number that is written out, as it is read: with a minus instead of a hyphen, and "1.5" is "1,5" to many."""
    whole, _, part = number.replace("-", "−").partition(".")
    return gettext("%(whole)s.%(part)s", whole=whole, part=part) if part else whole


def gettext_noop(text: str) -> str:
    """The text as it is, marked to be found; `gettext` words it later."""
    return text


def packed(message: Message) -> dict[str, Any]:
    """A message as plain data, to be kept."""
    params = {name: packed(value) if isinstance(value, Message) else value for name, value in message.params.items()}
    kept = {"text": message.msgid, "several": message.several, "number": message.number, "params": params}
    return {**kept, "context": message.context} if message.context else kept


def unpacked(kept: Mapping[str, Any]) -> Message:
    """The message that was kept."""
    params = {name: unpacked(value) if isinstance(value, Mapping) else value for name, value in kept["params"].items()}
    text, several, number = kept["text"], kept["several"], kept["number"]
    if several:
        return ngettext(text, several, number, **params)
    return pgettext(kept["context"], text, **params) if "context" in kept else gettext(text, **params)


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


def together(sentences: Sequence[Message]) -> Message:
    """Sentences that stand side by side."""
    return reduce(lambda said, more: gettext("%(said)s %(more)s", said=said, more=more), sentences)


def as_read(value: Any, form: str = "") -> Any:
    """A message in the reader's language, in a form if that is wished; anything else as it is."""
    return value.as_read(form) if isinstance(value, Message) else value


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
    return _of_template(text if words is ENGLISH else words.gettext(text), params)


def html_in_context(context: str, text: str, /, **params: Any) -> Markup:
    """A word or two of a template of which translators must be told what they stand for."""
    words = _READER.get()
    return _of_template(_found(words, context, text, "", 1), params)


def html_of_several(one: str, several: str, count: float, /, **params: Any) -> Markup:
    """A sentence of a template about so many of something."""
    params.setdefault("count", figures(f"{count:g}"))
    return _of_template(_READER.get().ngettext(one, several, _whole(count)), params)


def _whole(count: float) -> int:
    """The number whose plural form is taken: languages have forms for whole ones from 0 on; half a point is not one."""
    return int(abs(count)) if count == int(count) else 2


def _of_template(text: str, params: dict[str, Any]) -> Markup:
    read = _ReadOnPages(params) if _FORM in text else {name: on_page(value) for name, value in params.items()}
    return as_markup(text % read)


def on_page(value: Any) -> str:
    """A value as a page writes it: markup as it is, anything else escaped."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is int:
        return str(value)
    if kind is Message:
        value = value.as_read()
    elif kind is not str:
        return escape(value)
    return escape(value) if _is_unsafe(value) else value  # 0.3 to 0.6 of escaping all


as_markup: Final[Callable[[str], Markup]] = partial(str.__new__, Markup)
"""A text as markup: what `Markup` does after it has looked whether the text is some already."""
