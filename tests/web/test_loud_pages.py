"""Pages for somebody who reads another language: nothing on them is left in English."""

import re
from collections.abc import Iterator
from contextlib import suppress

import pytest
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.players.languages import names
from app.services.tournaments import entries, stages
from app.web.middleware.language import LanguageMiddleware
from snug.words import ENGLISH
from tests.conftest import Clock
from tests.factories import GAME, Guest, welcome
from tests.languages import LOUD
from tests.pages import Page
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import play_out

_READ_ALOUD = (
    "aria-label",
    "placeholder",
    "alt",
    "data-copied",
    "data-selected",
    "data-once",
    "data-again",
    "data-title",
)
_NAMES = re.compile("|".join(["Snug", "Bot", *names().values()]))


@pytest.fixture
def room_app(room_app: ASGIApp) -> ASGIApp:
    """The room, where a second language is spoken."""
    return LanguageMiddleware(room_app, {"en": ENGLISH, "xx": LOUD})


@pytest.fixture
def host(app_context: AppContext) -> Guest:
    return welcome(app_context, "HOST")


def quiet(html: str) -> Iterator[str]:
    """What is left in small letters of what people read on a page."""
    page = Page(html)
    read = [page.text, *("".join(one.words) for one in page.find("title"))]
    read += [one[name] for one in page.elements for name in _READ_ALOUD]
    read += [one["content"] for one in page.find("meta", name="description")]
    yield from (text for text in read if re.search(r"[a-z]{2}", _NAMES.sub("", text)))


def read(visit: Visit, guest: Guest | None, address: str) -> str:
    answer = visit(guest).get(address, headers={"Accept-Language": "xx"})
    assert answer.status_code == 200, address
    assert '<html lang="de" ' in answer.text
    return answer.text


@pytest.mark.parametrize("address", ["/me", "/me/delete"])
def test_a_room_of_ones_own(visit: Visit, host: Guest, address: str) -> None:
    assert not list(quiet(read(visit, host, address)))
    assert list(quiet(visit(host).get(address).text))


def test_who_has_no_room_yet(visit: Visit) -> None:
    assert not list(quiet(read(visit, None, "/me")))


def test_a_tournament_from_its_beginning_to_its_end(
    app_context: AppContext, clock: Clock, visit: Visit, host: Guest
) -> None:
    stage = {"game": GAME, "options": {"rounds": 1}, "size": 2}
    plan = {"format": "swiss", "stages": [stage] * 2, "players": 4, "drop_out": "reserve", "late_until": 2}
    slug = app_context.write(stages.open_tournament, host.id, "CUP", plan, {"starts": "time", "bot_pace": "instant"})
    address = f"/tournaments/{slug}"
    app_context.write(entries.add_bots, slug, host.id, 4, "gentle")
    ann = welcome(app_context, "ANN")
    app_context.write(entries.enter, slug, ann.id, "ANN")
    assert not list(quiet(read(visit, ann, address)))
    stages.start_stage(app_context, slug, host.id)
    assert not list(quiet(read(visit, host, address)))
    play_out(app_context, clock)
    with suppress(Refused):  # the room may have closed it by itself
        app_context.write(stages.close_stage, slug, host.id)
    adjusted = {"number": "2", "points": "1", "reason": "SONG"}
    visit(host).post(f"{address}/adjust", data=adjusted)
    for page in (address, f"{address}/standings"):
        assert not list(quiet(read(visit, host, page)))
    table = visit(host).get(f"{address}/standings.csv", headers={"Accept-Language": "xx"}).text
    assert table.startswith("PLACE,NAME,POINTS,STAGE 1,ADJUSTED,TIES")
    rules = visit(host).get(f"{address}/tournament.json", headers={"Accept-Language": "xx"}).json()["rules"]
    assert rules == [rule.upper() for rule in rules]


def test_what_an_organiser_is_refused(app_context: AppContext, visit: Visit, host: Guest) -> None:
    plan = {"format": "swiss", "stages": [{"game": GAME}], "players": 4}
    slug = app_context.write(stages.open_tournament, host.id, "CUP", plan)
    answer = visit(host).post(f"/tournaments/{slug}/start", headers={"Accept-Language": "xx"})
    assert answer.status_code == 422
    assert "NOBODY HAS SIGNED UP YET: A TABLE NEEDS AT LEAST 2." in Page(answer.text).text
    assert not list(quiet(answer.text))
