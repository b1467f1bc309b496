"""Whoever asks for another language reads it everywhere: no sentence escapes the translators."""

import random
import re
from collections.abc import Iterator
from contextlib import suppress
from gettext import NullTranslations
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.play.play import set_ready
from app.services.players.languages import asked_for, catalogues, names
from app.services.seats import away, hosts, pause, seats, spectators
from app.services.talk import chat
from app.web.middleware.language import LanguageMiddleware
from snug.engine.cards import CARDS, SUIT_NAMES
from snug.games import GAMES
from snug.words import ENGLISH, Message, figures, gettext, html, listed, ngettext, packed, pgettext, reading, unpacked
from tests import factories
from tests.factories import Party, gather, welcome
from tests.languages import Marked
from tests.pages import Page
from tests.web.conftest import Visit
from tests.web.every_route import fill, gets

_NAMES = ("11", "22", "33", "44")  # a name is nobody's to translate
_SPOKEN = [key for key in catalogues() if key != "en"]
_GAMES = sorted(GAMES.keys() - {"hearts"})
_READ_ALOUD = {"aria-label", "title", "placeholder", "alt", "label"}
_NOT_READ = {"script", "style", "bdi", "code", "kbd", "textarea"}
_OURS = re.compile(
    "|".join(names().values()) + r"|Snug|https?://\S+|/t/\S+|[0-9A-Z]{4} [0-9A-Z]{4}"
)  # the last is the code of a table


class Escapes(HTMLParser):
    """What a page says outside the brackets."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._depth = self._not_read = 0
        self.feed(html)
        self.close()
        assert self._depth == 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._not_read += tag in _NOT_READ
        for name, value in attrs:
            if name in _READ_ALOUD and value and not self._depth:
                self._look(value)

    def handle_endtag(self, tag: str) -> None:
        self._not_read -= tag in _NOT_READ

    def handle_data(self, data: str) -> None:
        outside = ""
        for letter in data:
            self._depth += (letter == "«") - (letter == "»")
            outside += letter if not self._depth else " "
        if not self._not_read:
            self._look(outside)

    def _look(self, text: str) -> None:
        rest = _OURS.sub("", re.sub(r"«.*»", "", text, flags=re.DOTALL))
        if re.search(r"[A-Za-z]{2,}", rest):
            self.found.append(" ".join(rest.split()))


@pytest.fixture
def abroad(room_app: ASGIApp) -> Iterator[TestClient]:
    """A browser that asks for the language in brackets."""
    headers = {"Accept-Language": "xx", "Sec-Fetch-Site": "same-origin"}
    with TestClient(LanguageMiddleware(room_app, {"en": ENGLISH, "xx": Marked()}), headers=headers) as client:
        yield client


def escaped(browser: TestClient, path: str) -> set[str]:
    """What a page says in English."""
    answer = browser.get(path)
    if "html" not in answer.headers.get("content-type", ""):
        return set()
    return {f"{path}: {text}" for text in Escapes(answer.text).found}


def as_seat(browser: TestClient, party: Party, seat: int | None) -> TestClient:
    """The browser of whoever sits there, or of an onlooker."""
    browser.cookies.clear()
    if seat:
        browser.cookies.set("snug", party.guests[seat - 1].token)
    return browser


def quick(key: str) -> dict[str, Any]:
    """The rules of a short match."""
    game = GAMES[key]
    return dict((game.shortest or game.presets[-1]).options)


@pytest.mark.slow
@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("key", sorted(GAMES))
def test_no_sentence_of_a_game_escapes(
    app_context: AppContext, abroad: TestClient, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setattr(factories, "GAME", key)
    monkeypatch.setattr(factories, "NAMES", _NAMES)
    dice = random.Random(key)
    party = gather(app_context, 3, **quick(key))
    address, found = f"/t/{party.slug}", set[str]()
    found |= escaped(as_seat(abroad, party, 1), address) | escaped(as_seat(abroad, party, None), address)
    found |= escaped(abroad, f"/rules/{key}") | escaped(abroad, f"/new/{key}")
    party.write(seats.start, 1)
    for count in range(400):
        page = party.look()
        if page.table.is_playing and party.turn():
            with suppress(Refused):  # an arrangement that cannot be laid
                party.move(dice)
        elif page.table.is_scoring:
            for seat in range(1, 4):
                party.write(set_ready, seat)
        else:
            break
        if count % 9 == 0 or not party.look().table.is_playing:
            found |= escaped(as_seat(abroad, party, count % 3 + 1), address)
            found |= escaped(as_seat(abroad, party, None), f"{address}/talk")
    for viewer in (1, None):
        for path in ("", "/rules", "/replay/1/1", "/talk", "/people"):
            found |= escaped(as_seat(abroad, party, viewer), address + path)
    assert not found


@pytest.mark.slow
def test_no_sentence_of_the_room_escapes(
    room_app: ASGIApp, app_context: AppContext, abroad: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factories, "NAMES", _NAMES)
    party = factories.begin(app_context, 3)
    late = welcome(app_context, "55")
    for service, *args in (
        (hosts.name_cohost, 1, 2, True),
        (chat.say, 2, "99"),
        (spectators.set_spectators, 1, "open"),
        (away.step_away, 3, 3),
        (pause.pause, 2),
    ):
        party.write(service, *args)
    found = set[str]()
    for guest in (*party.guests, late):
        abroad.cookies.set("snug", guest.token)
        for path in gets(room_app):
            found |= escaped(abroad, fill(path, slug=party.slug))
    assert not found


@pytest.mark.parametrize("move", [{"move": "fly"}, {"move": "play"}, {"move": "play", "card": "7Z"}])
def test_a_refusal_is_worded_for_who_reads_it(
    app_context: AppContext, abroad: TestClient, move: dict[str, str]
) -> None:
    party = factories.begin(app_context, 2)
    abroad.cookies.set("snug", party.guests[0].token)
    answer = abroad.post(f"/t/{party.slug}/moves", data={**move, "seen": str(party.version)})
    assert answer.status_code == 422
    refusal = re.search(r'class="refusal"[^>]*>(.*?)</', answer.text, re.DOTALL)
    assert refusal
    assert "«" in refusal[1]


@pytest.fixture
def asked_in_vain(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """By language, what is asked of it and what it has no words for."""
    missing: dict[str, set[str]] = {}
    for key, spoken in catalogues().items():
        if spoken is not ENGLISH:
            monkeypatch.setattr(spoken, "_fallback", Missing(missing.setdefault(key, set())))
    return missing


class Missing(NullTranslations):
    """Keeps what is asked of it."""

    def __init__(self, found: set[str]) -> None:
        super().__init__()
        self._found = found

    def gettext(self, message: str) -> str:
        self._found.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self._found.add(msgid1)
        return msgid1 if n == 1 else msgid2


def _speaking(room_app: ASGIApp, key: str) -> TestClient:
    headers = {"Accept-Language": key, "Sec-Fetch-Site": "same-origin"}
    return TestClient(LanguageMiddleware(room_app, catalogues()), headers=headers)


def test_german_is_spoken() -> None:
    assert "de" in catalogues()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoken", "key"),
    [
        pytest.param(spoken, key, marks=[] if at % len(_GAMES) == number else pytest.mark.thorough)
        for at, spoken in enumerate(_SPOKEN)
        for number, key in enumerate(_GAMES)
    ],
)
def test_a_game_is_played_through_in_a_language(
    app_context: AppContext,
    room_app: ASGIApp,
    monkeypatch: pytest.MonkeyPatch,
    asked_in_vain: dict[str, set[str]],
    spoken: str,
    key: str,
) -> None:
    monkeypatch.setattr(factories, "GAME", key)
    dice = random.Random(key)
    party = gather(app_context, 3, **quick(key))
    address = f"/t/{party.slug}"
    with _speaking(room_app, spoken) as browser:

        def visit(seat: int | None, path: str) -> str:
            text = as_seat(browser, party, seat).get(path).text
            assert f'<html lang="{spoken}"' in text
            return text

        visit(1, address)
        visit(None, f"/new/{key}")
        visit(1, f"/learn/{key}")
        party.write(seats.start, 1)
        for count in range(400):
            page = party.look()
            if page.table.is_playing and party.turn():
                with suppress(Refused):
                    party.move(dice)
            elif page.table.is_scoring:
                for seat in range(1, 4):
                    party.write(set_ready, seat)
            else:
                break
            if count % 5 == 0 or not party.look().table.is_playing:
                visit(count % 3 + 1, address)
        for viewer in (1, None):
            for path in ("", "/rules", "/replay/1/1", "/talk", "/people"):
                visit(viewer, address + path)
    assert not asked_in_vain[spoken]


@pytest.mark.dear(2, "every page in a language")
@pytest.mark.slow
@pytest.mark.thorough(one_in=10)
@pytest.mark.parametrize("spoken", _SPOKEN)
def test_the_room_is_walked_through_in_a_language(
    app_context: AppContext, room_app: ASGIApp, asked_in_vain: dict[str, set[str]], spoken: str
) -> None:
    party = factories.begin(app_context, 3)
    with _speaking(room_app, spoken) as browser:
        for guest in (*party.guests, welcome(app_context, "Dora")):
            browser.cookies.set("snug", guest.token)
            for path in gets(room_app):
                browser.get(fill(path, slug=party.slug))
    assert not asked_in_vain[spoken]


def test_a_browser_says_which_languages_it_would_rather_have() -> None:
    assert asked_for("fr;q=0.5, de-AT, en;q=0.8") == ["de_AT", "en", "fr"]
    assert asked_for("") == [""]
    assert asked_for("de;q=much, en") == ["en"]


def test_one_table_is_read_in_two_languages(app_context: AppContext, visit: Visit) -> None:
    party = factories.begin(app_context, 2)
    english, german = (visit(guest) for guest in party.guests)
    german.post("/preferences", data={"language": "de"})
    for _ in range(6):
        party.move()
    address = f"/t/{party.slug}"
    for path in (address, f"{address}/talk", f"{address}/live?seen=0"):
        assert "Du bist dran" not in english.get(path).text
        assert "Your turn" not in german.get(path).text
    told = [" ".join(Page(one.get(f"{address}/talk").text).text.split()) for one in (english, german)]
    assert [bool(re.search(r"Bob (played|had)", text)) for text in told] == [True, False]
    assert [bool(re.search(r"Alice (hat|hatte) ", text)) for text in told] == [False, True]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        (gettext("Play %(card)s.", card=CARDS["JS"].spoken), "Spiel den Pik-Buben."),
        (gettext("Play %(card)s.", card=CARDS["JK"].spoken), "Spiel einen Joker."),
        (
            gettext("Lay %(cards)s.", cards=listed([CARDS[card].spoken for card in ("AH", "QD", "KC")])),
            "Leg das Herz-Ass, die Karo-Dame und den Kreuz-König aus.",
        ),
        (
            gettext(
                "Win the joker of the %(meld)s with %(card)s.",
                meld=gettext("run of %(suit)s", suit=SUIT_NAMES["H"]),
                card=CARDS["10H"].spoken,
            ),
            "Gewinn mit der Herz-Zehn den Joker: Reihe in Herz.",
        ),
        (gettext("The %(card)s", card=CARDS["JD"].words), "Der Karo-Bube"),
        (pgettext("how many", "two"), "zwei"),
        (gettext("two"), "Zwei"),
        (ngettext("%(count)s point", "%(count)s points", 1), "1 Punkt"),
        (ngettext("%(count)s point", "%(count)s points", -1), "−1 Punkt"),
        (ngettext("%(count)s point", "%(count)s points", 1.5), "1,5 Punkte"),
        (figures("−12.5"), "−12,5"),
    ],
)
def test_a_translator_chooses_the_form(said: Message, read: str) -> None:
    with reading(catalogues()["de"]):
        assert said.as_read() == read
        assert unpacked(packed(said)).as_read() == read
        if not (said.several or said.context):
            assert html(said.msgid, **said.params) == read


def test_a_catalogue_is_all_that_a_language_needs(room_app: ASGIApp, tmp_path: Path) -> None:
    folder = tmp_path / "pl"
    folder.mkdir()
    catalogue = Catalog(locale="pl")
    catalogue.add(
        "There is nothing at this address but brooms. Perhaps a letter of the link got lost?", "Tu nic nie ma."
    )
    with (folder / "play.po").open("wb") as file:
        write_po(file, catalogue)
    words = catalogues(tmp_path)
    with TestClient(LanguageMiddleware(room_app, words)) as browser:
        polish = browser.get("/nowhere", headers={"Accept-Language": "pl-IE"}).text
        swedish = browser.get("/nowhere", headers={"Accept-Language": "sv"}).text
    assert "Tu nic nie ma." in polish
    assert '<html lang="pl"' in polish
    assert "There is nothing at this address but brooms." in swedish
