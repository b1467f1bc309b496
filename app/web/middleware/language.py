"""The languages that the room speaks: English, and every one with a catalogue, `app/locale/de/LC_MESSAGES/snug.mo`."""

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from babel import negotiate_locale
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.paths import APP
from snug.words import ENGLISH, reader, reading

_ENGLISH_KEY: Final = "en"


@cache
def catalogues(folder: Path = APP / "locale") -> dict[str, NullTranslations]:
    """The words of every language by its key."""
    found: dict[str, NullTranslations] = {_ENGLISH_KEY: ENGLISH}
    for path in sorted(folder.glob("*/LC_MESSAGES/snug.mo")):
        with path.open("rb") as file:
            found[path.parts[-3]] = GNUTranslations(file)
    return found


def asked_for(header: str) -> list[str]:
    """The languages of an `Accept-Language` header, the dearest first."""
    wishes: list[tuple[float, str]] = []
    for part in header.split(","):
        key, _, quality = part.partition(";q=")
        try:
            wishes.append((-float(quality or 1), key.strip().replace("-", "_")))
        except ValueError:
            continue
    return [key for _, key in sorted(wishes, key=lambda wish: wish[0])]


def words_for(header: str, words: Mapping[str, NullTranslations]) -> NullTranslations:
    """The words of the language that is dearest to whoever asks, of those that the room speaks; where it speaks one,
    those that are read already."""
    return words[negotiate_locale(asked_for(header), words) or _ENGLISH_KEY] if len(words) > 1 else reader()


class LanguageMiddleware:
    """Answers everybody in the language that their browser asks for, if the room speaks it."""

    def __init__(self, app: ASGIApp, words: dict[str, NullTranslations]) -> None:
        self._app, self._words = app, words

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        header = Headers(scope=scope).get("accept-language", "") if scope["type"] == "http" else ""
        with reading(words_for(header, self._words)):
            await self._app(scope, receive, send)
