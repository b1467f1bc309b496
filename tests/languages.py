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
