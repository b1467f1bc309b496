"""The moment in which a discard can be taken back: there unless the host has turned it off, also at older tables."""

import random
from typing import Any

import pytest
from sqlalchemy import update

from app.services.context import AppContext
from app.services.table.settings import TableSetup, stored
from app.storage import models
from app.storage.cache import VersionedCache
from app.storage.writer import Transaction
from tests import factories
from tests.factories import Party, begin, gather
from tests.pages import Page
from tests.web.conftest import Visit


@pytest.fixture
def discarding(app_context: AppContext, client: object, monkeypatch: pytest.MonkeyPatch) -> Party:
    """Three friends at Liverpool; one of them is to discard."""
    monkeypatch.setattr(factories, "GAME", "liverpool")
    party, dice = begin(app_context, 3), random.Random(5)
    while not any(move["move"] == "discard" for move in _turn(party).moves):
        party.move(dice)
    return party


def _turn(party: Party) -> factories.Turn:
    turn = party.turn()
    assert turn
    return turn


def _keep(party: Party, settings: dict[str, Any]) -> None:
    def write(_context: AppContext, transaction: Transaction) -> None:
        row = update(models.Table).values(settings=settings, changes=models.Table.changes + 1)
        transaction.connection.execute(row)

    party.context.write(write)
    party.context.snapshots = VersionedCache()


def _way_back(party: Party, visit: Visit) -> str | None:
    mover = party.guests[_turn(party).seat - 1]
    found: str | None = (
        Page(visit(mover).get(f"/t/{party.slug}").text).one(id="discard-pile").attributes.get("data-way-back")
    )
    return found


def test_a_discard_can_be_taken_back_unless_the_host_has_said_no(discarding: Party, visit: Visit) -> None:
    assert _way_back(discarding, visit) == "Take it back"
    for setup in (TableSetup(way_back=False), TableSetup(undo="free")):
        _keep(discarding, stored(setup))
        assert _way_back(discarding, visit) is None


def test_a_table_of_an_older_release_has_it(discarding: Party, visit: Visit) -> None:
    old = {name: value for name, value in stored(TableSetup(bot_pace="instant")).items() if name != "way_back"}
    _keep(discarding, old)
    assert _way_back(discarding, visit) == "Take it back"


def test_the_host_of_a_game_that_has_it_may_turn_it_off(app_context: AppContext, visit: Visit) -> None:
    host = visit(factories.welcome(app_context, "Ann"))
    assert not Page(host.get("/new/lucky_paw").text).find("input", name="way_back")
    page = Page(host.get("/new/liverpool").text)
    page.one("input", name="way_back", checked="")
    form = page.forms_to("/tables")[0]
    without = {name: value for name, value in form.data.items() if name != "way_back"}
    for data, is_on in ((form.data, True), (without, False)):
        made = host.post("/tables", data={**data, "name": "Ann"})
        party = Party(app_context, made.headers["location"].removeprefix("/t/"), ())
        assert party.setup.way_back is is_on
        rules = Page(host.get(f"/t/{party.slug}/rules").text).text
        assert f"A moment to take back a discard: {'On' if is_on else 'Off'}" in rules


def test_where_there_is_none_it_is_kept_as_usual(app_context: AppContext, visit: Visit) -> None:
    party = gather(app_context, 2)
    host = visit(party.guests[0])
    form = Page(host.get(f"/t/{party.slug}/setup").text).forms_to("/setup")[0]
    assert host.post(form.action, data={**form.data, "rounds": "2"}).status_code == 303
    assert party.setup.way_back is True
