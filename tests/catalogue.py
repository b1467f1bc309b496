"""What is asked of the catalogue while tests run, and is not in it: nobody could translate that."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

from snug import words
from snug.words import Message

_TESTS: Final = str(Path(__file__).parent)
_WORDS: Final = Path(__file__).parents[1] / "scripts/words.py"
MISSING: Final = set[str]()
"""What was asked for in vain."""


@cache
def known() -> frozenset[str]:
    """Every sentence that translators get, in all its forms."""
    spec = spec_from_file_location("scripts_words", _WORDS)
    assert spec
    assert spec.loader
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    ids = [message.id for message in script.catalogue_of_all()]
    return frozenset(form for one in ids for form in ((one,) if isinstance(one, str) else one))


def ask(text: str) -> str:
    """Looks a sentence up; what a test has made up itself is none of the room's."""
    if text and text not in known() and not _is_of_a_test(text, sys._getframe()):
        MISSING.add(text)
    return text


def _is_of_a_test(text: str, frame: FrameType | None) -> bool:
    while frame:
        if frame.f_code.co_filename.startswith(_TESTS) and text in frame.f_code.co_consts:
            return True
        frame = frame.f_back
    return False


class _Asked:
    """A text of a message that is looked up as soon as the message is made, whoever will read it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, message: Message, _kind: type) -> str:
        text: str = vars(message)[self._name]
        return text

    def __set__(self, message: Message, text: str) -> None:
        vars(message)[self._name] = ask(text)


@contextmanager
def watched() -> Iterator[None]:
    """Whatever is said meanwhile is looked up: when it is made, and when it is read in English as in any language."""
    known()  # that takes seconds, which are not to be those of whoever speaks first while somebody waits for the answer
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words.ENGLISH, "gettext", ask)
        patch.setattr(words.ENGLISH, "ngettext", lambda one, several, count: ask(one) if count == 1 else ask(several))
        patch.setattr(words, "ENGLISH", None)  # else what is read in English is asked of nobody
        for name in ("msgid", "several"):
            patch.setattr(Message, name, _Asked(name), raising=False)
        yield
