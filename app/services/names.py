"""Names that people give themselves, made safe to show beside each other."""

import unicodedata
from collections.abc import Collection

from app.services.errors import Refused

LONGEST = 24
_INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Cn"}
_SPACES = {"Zs", "Zl", "Zp"}


def clean_name(raw: str) -> str:
    """The name without control and invisible characters, in one normal form, at most 24 characters and with at most
    one combining mark a letter. Raises Refused when nothing is left."""
    kept: list[str] = []
    for character in unicodedata.normalize("NFKC", raw):
        category = unicodedata.category(character)
        if category in _INVISIBLE and character not in "\t\n":
            continue
        if category.startswith("M") and (not kept or unicodedata.category(kept[-1]).startswith("M")):
            continue
        kept.append(" " if category in _SPACES or character in "\t\n" else character)
    name = " ".join("".join(kept).split())[:LONGEST].strip()
    if not name:
        raise Refused("Please give a nickname: one letter is enough.", "NAME_EMPTY")
    return name


def marked_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it when somebody at the table has it already."""
    lookalikes = {other.casefold() for other in taken}
    number, marked = 2, name
    while marked.casefold() in lookalikes:
        marked = f"{name} {number}"
        number += 1
    return marked
