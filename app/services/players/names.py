"""Names that people give themselves, made safe to show beside each other."""

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from app.services.errors import Refused
from snug.words import Message

LONGEST = 24
_INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Cn"}
_SPACES = {"Zs", "Zl", "Zp"}
_JOINER = "\u200d"
# Letters and marks that show nothing: fillers, the blank of Braille, joiners, variation selectors.
_BLANK = {
    *"\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f",
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}
# Letters of other alphabets that look like Latin ones, and signs that look like each other.
_LATIN = str.maketrans(
    "аеорсухіјѕһАВЕЗКМНОРСТУХІЈЅοντιΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijshABE3KMHOPCTYXIJSovtiABEZHIKMNOPTYX",
)
_SHAPES = str.maketrans("I1|0O", "llloo")


def clean_name(raw: str) -> str:
    """The name, visible, in one normal form, of 24 letters with a mark each at most. Raises Refused for none."""
    name = clean_line(raw, "NFKC", marks=1)[:LONGEST].strip(f" {_JOINER}")
    if not name:
        raise Refused("NAME_EMPTY", "Please give a nickname: one letter is enough.")
    return name


def clean_title(raw: str, longest: int, missing: Message) -> str:
    """What something that many use is called, cut to so many characters. Raises Refused when nothing is left."""
    called = clean_line(raw, "NFC", marks=1)[:longest].strip(f" {_JOINER}")
    if not called:
        raise Refused("NAME_EMPTY", missing)
    return called


def clean_line(raw: str, form: Literal["NFC", "NFKC"], marks: int) -> str:
    """The text as one line in a normal form, without control and invisible characters and those that turn the
    direction of writing, and with at most so many combining marks a letter."""
    kept: list[str] = []
    marked = marks  # a mark needs a letter to stand on
    for character in unicodedata.normalize(form, raw):
        category = unicodedata.category(character)
        if character == _JOINER:
            kept.append(character)
            continue
        if character in _BLANK or (category in _INVISIBLE and character not in "\t\n"):
            continue
        is_space = category in _SPACES or character in "\t\n"
        if not category.startswith("M"):
            marked = marks if is_space else 0
        elif marked < marks:
            marked += 1
        else:
            continue
        kept.append(" " if is_space else character)
    return " ".join(unicodedata.normalize(form, _joined("".join(kept))).split())


def _joined(text: str) -> str:
    """The text without joiners, but for those of pictures, as in a family that is one sign."""
    joined, *others = text.split(_JOINER)
    for other in others:
        both = joined[-1:] + other[:1]
        joined += (_JOINER if len(both) == 2 and all(map(_is_picture, both)) else "") + other
    return joined


def _is_picture(character: str) -> bool:
    return character >= "\u2190" and unicodedata.category(character) in ("So", "Sk")


def clean_text(raw: str) -> str:
    """A sentence as one line, with the accents, vowel signs and tone marks of the world's scripts."""
    return clean_line(raw, "NFC", marks=3)


def marked_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it when somebody at the table has it already, or one that looks like it."""
    lookalikes = {look for other in taken for look in _looks(other)}
    number, marked = 2, name
    while lookalikes & _looks(marked):
        marked = f"{name} {number}"
        number += 1
    return marked


def first_free(names: Sequence[str], taken: Iterable[str]) -> str | None:
    """The first of these names that nobody bears or could be taken for."""
    others = list(taken)
    return next((name for name in names if marked_name(name, others) == name), None)


def _looks(name: str) -> set[tuple[str, str]]:
    """What the name is taken for: read without regard to capitals, and seen with letters of one shape as one."""
    latin = name.replace(_JOINER, "").translate(_LATIN)
    return {("read", latin.casefold()), ("seen", latin.translate(_SHAPES))}
