"""Parts put in their places make the page that is drawn whole, with nothing at hand of what was drawn before: for every
game, every seat and an onlooker."""

import random
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.play import play
from app.web.pages import render_cache
from snug.games import GAMES
from tests import factories
from tests.factories import begin
from tests.pages import HTMX
from tests.web.conftest import Visit

_VOID = frozenset(("br", "hr", "img", "input", "use"))


class Element:
    """An element with what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag, self.attributes = tag, attributes
        self.within: list[Element | str] = []

    def every(self) -> Iterator["Element"]:
        """This element and all in it."""
        yield self
        for one in self.within:
            if isinstance(one, Element):
                yield from one.every()

    def put(self, other: "Element") -> None:
        """Puts the other in the place of the one with its id."""
        for one in self.every():
            for at, inner in enumerate(one.within):
                if isinstance(inner, Element) and inner.attributes.get("id") == other.attributes["id"]:
                    one.within[at] = other
                    return
        raise AssertionError(f"no place for {other.attributes['id']}")

    def __str__(self) -> str:
        return f"\n<{self.tag} {self.attributes}>{''.join(map(str, self.within))}"


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].within.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].within.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self._open[-1].within.append(" ".join(data.split()))


class Screen:
    """What somebody has before them. The tag of what is live is set by the script, from what the poll says."""

    def __init__(self, browser: TestClient, address: str) -> None:
        self._browser, self._address = browser, address
        self.updates = 0
        self._shown = self.drawn_whole()

    def drawn_whole(self) -> Element:
        """The page as it is now."""
        for remembered in (render_cache._LINES, render_cache._LISTS, render_cache._PANELS, render_cache._PAGES):
            remembered._kept.clear()
        return _Reader(self._browser.get(f"{self._address}/live?seen=0", headers=HTMX).text).root

    def update(self, seen: int, wishes: str = "") -> None:
        """Asks for what is different since the version `seen`, or for the page as it is with these wishes."""
        answer = self._browser.get(f"{self._address}/live?seen={seen}{wishes}", headers=HTMX)
        news = _Reader(answer.text).root
        for part in news.within if "<hx-partial" in answer.text else ():
            assert isinstance(part, Element)
            (inner,) = (one for one in part.within if isinstance(one, Element))
            assert part.attributes["id"] == inner.attributes["id"]
            self._shown.put(inner)
            self.updates += 1
        if "<hx-partial" not in answer.text:
            self._shown = news

    def texts(self) -> tuple[str, str]:
        """What is shown and what would be drawn whole, without the tag that holds all."""
        return _inner(self._shown), _inner(self.drawn_whole())


def _inner(root: Element) -> str:
    (live,) = (one for one in root.every() if one.attributes.get("id") == "live")
    return "".join(map(str, live.within))


_HOST: dict[int, tuple[str, dict[str, str]]] = {  # does this after so many moves
    3: ("talk", {"text": "Evening, all"}),
    6: ("pause", {}),
    7: ("resume", {}),
    9: ("cohost", {"number": "2", "wanted": "yes"}),
    12: ("talk-mode", {"talk": "phrases"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(GAMES))
def test_parts_in_their_places_make_the_whole_page(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    visit(None)
    monkeypatch.setattr(factories, "GAME", key)
    party = begin(app_context, 3)
    address, host = f"/t/{party.slug}", visit(party.guests[0])
    screens = [Screen(visit(guest), address) for guest in (*party.guests, None)]
    dice, seen = random.Random(key), party.version
    for number in range(30):
        if not party.look().table.is_playing:
            break
        if number in _HOST:
            path, data = _HOST[number]
            assert host.post(f"{address}/{path}", data={**data, "seen": str(seen)}, headers=HTMX).status_code == 200
        elif party.turn():
            with suppress(Refused):
                party.move(dice)
        for screen in screens:
            screen.update(seen)
            shown, drawn_now = screen.texts()
            assert shown == drawn_now
        seen = party.version
    assert all(screen.updates > 20 for screen in screens)


def test_who_saw_the_page_with_cards_ticked_is_sent_all_that_is_different_without(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit(None)
    monkeypatch.setattr(factories, "GAME", "liverpool")
    party = begin(app_context, 3)
    address, guest = f"/t/{party.slug}", visit(party.guests[0])
    screen, seen = Screen(guest, address), party.version
    screen.update(0, "&card=4C")
    assert "card=4C" in screen.texts()[0]
    assert guest.post(f"{address}/talk", data={"text": "Evening", "seen": str(seen)}, headers=HTMX).status_code == 200
    screen.update(seen)
    shown, whole = screen.texts()
    assert shown == whole


def test_who_is_ready_after_a_round_is_told_in_a_part(app_context: AppContext, visit: Visit) -> None:
    visit(None)
    party = begin(app_context, 3)
    party.play_round(random.Random(1))
    screens = [Screen(visit(guest), f"/t/{party.slug}") for guest in (*party.guests, None)]
    for seat in (1, 2):
        seen = party.version
        party.write(play.set_ready, seat)
        for screen in screens:
            screen.update(seen)
            shown, whole = screen.texts()
            assert shown == whole
    assert all(screen.updates for screen in screens)
