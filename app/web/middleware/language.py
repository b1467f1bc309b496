"""Everybody is answered in the language that they chose in this browser, or else in the one that it asks for."""

from collections.abc import Mapping
from gettext import NullTranslations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.services.players.languages import words_for
from snug.words import reading


def words_in(headers: Mapping[str, str], words: Mapping[str, NullTranslations]) -> NullTranslations:
    """The words in which a request with these headers is answered."""
    return words_for(headers.get("accept-language", ""), headers.get("cookie", ""), words)


class LanguageMiddleware:
    """Has whatever answers a request speak the language of who asks."""

    def __init__(self, app: ASGIApp, words: Mapping[str, NullTranslations]) -> None:
        self._app, self._words = app, words

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        with reading(words_in(headers, self._words)):
            await self._app(scope, receive, send)
