"""The languages that the room speaks: English, and every one with a folder of catalogues, `app/locale/de/play.po`."""

import os
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Final

from babel import Locale, negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from app.paths import APP
from snug.words import ENGLISH, reader

FOLDER: Final = APP / "locale"
ENGLISH_KEY: Final = "en"
AS_BROWSER: Final = "auto"
"""What is chosen by whoever leaves it to the browser."""
_COMPILED: Final = "snug.mo"
_LONGEST: Final = 200
READS: Final = "reads"
"""The preference that is nobody's choice: which language a guest read when they asked to be told of something."""
_IN_COOKIE: Final = re.compile(r"\blooks=[^;]*\blanguage:(\w+)")


@cache
def spoken(folder: Path = FOLDER) -> tuple[str, ...]:
    """The keys of the languages, English first. A folder that begins with `_` holds one that is not whole yet."""
    return ENGLISH_KEY, *sorted(path.parent.name for path in folder.glob("[!_]*/play.po"))


@cache
def names() -> dict[str, str]:
    """What each language is called by those who speak it."""
    found = {key: Locale.parse(key).get_display_name(key) or key for key in spoken()}
    return {key: name[:1].upper() + name[1:] for key, name in found.items()}


@cache
def catalogues(folder: Path = FOLDER) -> dict[str, NullTranslations]:
    """The words of every language by its key."""
    found: dict[str, NullTranslations] = {ENGLISH_KEY: ENGLISH}
    for key in spoken(folder)[1:]:
        with BytesIO(_compiled(folder / key)) as file:
            found[key] = GNUTranslations(file)
    return found


def _compiled(folder: Path) -> bytes:
    """All that a language says, compiled before or else now: that takes half a second, so it is kept if it can be."""
    compiled = folder / _COMPILED
    if compiled.is_file() and compiled.stat().st_mtime > max(one.stat().st_mtime for one in folder.glob("*.po")):
        return compiled.read_bytes()
    made = compile_language(folder)
    fresh = compiled.with_suffix(f".{os.getpid()}")
    try:
        fresh.write_bytes(made)
        fresh.replace(compiled)
    except OSError:  # no room or no leave to write: it is compiled again at the next start
        fresh.unlink(missing_ok=True)
    return made


def compile_language(folder: Path) -> bytes:
    """One catalogue of all that stands in a language's folder. What is fuzzy is left in English."""
    whole = Catalog(locale=folder.name.lstrip("_"))
    for source in sorted(folder.glob("*.po")):
        with source.open("rb") as file:
            for message in read_po(file, locale=whole.locale):
                if message.id and message.string and not message.fuzzy:
                    whole.add(message.id, message.string, context=message.context)
    made = BytesIO()
    write_mo(made, whole)
    return made.getvalue()


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


def words_for(header: str, cookies: str, words: Mapping[str, NullTranslations]) -> NullTranslations:
    """The words of the language that was chosen in this browser, or else of the one that is dearest to whoever asks, of
    those that the room speaks; where it speaks none of them, those that are read already."""
    if len(words) < 2:
        return reader()
    chosen = _IN_COOKIE.search(cookies) if "language:" in cookies else None
    if chosen and chosen[1] in words:
        return words[chosen[1]]
    found = negotiated(header, tuple(words))
    return words[found] if found else reader()


def negotiated(header: str, keys: tuple[str, ...]) -> str | None:
    """The key of the language that a header would rather have, if it is among these."""
    return _negotiated(header[:_LONGEST], keys)


@lru_cache(1000)  # a browser says the same every time
def _negotiated(header: str, keys: tuple[str, ...]) -> str | None:
    return negotiate_locale(asked_for(header), keys)


def words_of(preferences: Mapping[str, object]) -> NullTranslations:
    """What is written to a guest while they are away is written in these words: those of the language that they chose,
    or that they read when they asked to be told."""
    words = catalogues()
    wishes = (preferences.get("language"), preferences.get(READS))
    return next((words[wish] for wish in wishes if isinstance(wish, str) and wish in words), ENGLISH)
