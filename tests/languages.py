"""Languages for tests, in which whatever is not translated stands out."""

import re
from gettext import NullTranslations
from typing import Final

_PARTS: Final = re.compile(r"(%\(\w+\)s|%%|<[^>]*>)")


class _Loud(NullTranslations):
    """English in capital letters."""

    def info(self) -> dict[str, str]:
        return {"language": "de"}

    def gettext(self, message: str) -> str:
        return "".join(part if _PARTS.fullmatch(part) else part.upper() for part in _PARTS.split(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


LOUD: Final = _Loud()


class Marked(NullTranslations):
    """A language in which every message stands in guillemets."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


_ACCENTS: Final = str.maketrans("aceinosuyACEINOSUY", "áçéíñóşúýÁÇÉÍÑÓŞÚÝ")
_WORD: Final = re.compile(r"[^\W\d_]+")


class Long(NullTranslations):
    """English with accents, each word two fifths longer: what no language of ours is shorter than, word by word."""

    def info(self) -> dict[str, str]:
        return {"language": "de"}

    def gettext(self, message: str) -> str:
        return "".join(part if _PARTS.fullmatch(part) else _WORD.sub(_longer, part) for part in _PARTS.split(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, _context: str, message: str) -> str:
        return self.gettext(message)

    def npgettext(self, _context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)


def _longer(word: re.Match[str]) -> str:
    letters = word[0].translate(_ACCENTS)
    return letters + letters[-1].lower() * round(len(letters) * 0.4)
