"""Whom the keeper has barred: every form but those for one's own affairs is refused at the door, by every way in."""

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.settings import Settings
from app.storage.models import Player
from app.web import deps
from app.web.middleware.fast_path import FastPath
from tests.factories import Party, begin, dump, gather, nothing_changes, welcome
from tests.servers import serving
from tests.web.conftest import Visit, do
from tests.web.every_route import fill, honest, posts
from tests.web.middleware.test_both_ways import answer_to

OWN = ("/me", "/r/", "/preferences", "/push/forget", "/keeper")
NOBODYS = ("/replay", "/learn/")
"""A record or a lesson that is only looked at: nothing of the room."""


def from_house(monkeypatch: pytest.MonkeyPatch, house: str) -> None:
    monkeypatch.setattr(deps, "household_of", lambda _request: house)


def test_whoever_is_barred_from_the_room_does_nothing_there(
    app_context: AppContext, room_app: ASGIApp, visit: Visit
) -> None:
    party = begin(app_context, 3)
    barred = party.guests[1]
    do(app_context, "bar", number=barred.id)
    browser = visit(barred)
    values = {"slug": party.slug, "version": party.version, "token": "nothing", "code": party.row.code}
    for path in posts(room_app):
        if path.startswith(OWN + NOBODYS):
            continue
        with nothing_changes(app_context.database):
            answer = browser.post(fill(path, **values), data=honest(path, **values))
        assert (answer.status_code, "closed it to you" in answer.text) == (403, True), path


def test_who_is_barred_may_still_take_and_delete_what_is_theirs(
    app_context: AppContext, visit: Visit, party: Party
) -> None:
    barred = party.guests[1]
    do(app_context, "bar", number=barred.id)
    browser = visit(barred)
    assert browser.get("/me").status_code == 200
    assert browser.get("/").status_code == 200
    answer = browser.get(f"/t/{party.slug}")
    assert (answer.status_code, "My room" in answer.text) == (403, True)
    assert browser.post("/me/delete", data={"sure": "yes"}).status_code == 200
    with app_context.database.reading() as connection:
        assert connection.execute(Player.__table__.select().where(Player.id == barred.id)).one().name == "Somebody"


def test_at_another_table_who_is_barred_from_one_is_welcome(
    app_context: AppContext, visit: Visit, party: Party
) -> None:
    other, barred = gather(app_context, 2, seats=3), party.guests[1]
    do(app_context, "bar", number=barred.id, table=party.row.code)
    browser = visit(barred)
    for path, form in (("sit", {"number": "2", "name": "Bob"}), ("talk", {"text": "hello"}), ("wait", {"name": "Bob"})):
        with nothing_changes(app_context.database):
            answer = browser.post(f"/t/{party.slug}/{path}", data=form)
        assert (answer.status_code, "closed this table to you" in answer.text) == (403, True)
    assert browser.post(f"/t/{other.slug}/sit", data={"number": "3", "name": "Bob"}).status_code == 303
    do(app_context, "unbar", number=barred.id, table=party.row.code)
    assert "has a new link" in browser.get(f"/t/{party.slug}").text
    browser.get(party.look().table.invitation)
    assert browser.get(f"/t/{party.slug}").status_code == 200


def test_nobody_new_comes_from_the_house_of_who_is_barred(
    app_context: AppContext, visit: Visit, party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    barred, sibling = party.guests[1], welcome(app_context, "Sib")
    table = gather(app_context, 1, seats=3)
    do(app_context, "bar", number=barred.id, wide=True)
    from_house(monkeypatch, "192.0.2.7")
    sit = f"/t/{table.slug}/sit"
    assert visit(barred).get(f"/t/{party.slug}/live?seen=0").status_code == 403  # an open page: the house is learnt
    for stranger in (None, welcome(app_context, "Clean Cookie")):
        answer = visit(stranger).post(sit, data={"number": "2", "name": "Bob"})
        assert (answer.status_code, "from your house" in answer.text) == (403, True)
    from_house(monkeypatch, "192.0.2.8")
    assert visit(None).get(f"/t/{table.slug}").status_code == 200
    app_context.now = lambda: 0.0
    from_house(monkeypatch, "192.0.2.7")
    with nothing_changes(app_context.database):
        assert visit(None).get(f"/t/{table.slug}").status_code == 200, "whoever looks, looks"
    assert visit(sibling).post(sit, data={"number": "2", "name": "Sib"}).status_code == 403, "came in the same moment"


def test_a_guest_who_was_there_before_is_not_taken_for_who_is_barred(
    app_context: AppContext, visit: Visit, party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    sibling, table = party.guests[2], gather(app_context, 1, seats=3)
    app_context.now = lambda: 9e9
    do(app_context, "bar", number=party.guests[1].id, wide=True)
    from_house(monkeypatch, "192.0.2.7")
    assert visit(party.guests[1]).get(f"/t/{party.slug}").status_code == 403
    assert visit(sibling).post(f"/t/{table.slug}/sit", data={"number": "2", "name": "Sib"}).status_code == 303


@pytest.mark.slow
@pytest.mark.parametrize("table", [False, True])
def test_a_move_is_refused_by_every_way(settings: Settings, monkeypatch: pytest.MonkeyPatch, table: bool) -> None:
    with serving(settings, hold=0.05) as served:
        party = begin(served.context, 2)
        for odd in ("usual poll", "refused move"):
            answer_to(served, party, odd)
        do(served.context, "bar", number=party.guests[0].id, table=party.row.code if table else "")
        for odd in ("usual poll", "refused move", "without scripts"):
            first = answer_to(served, party, odd)
            assert first[0] == "HTTP/1.1 403 Forbidden"
            assert answer_to(served, party, odd) == first, "at hand"
            assert ("hx-refresh: true" in first[1]) == (odd != "without scripts")
            with monkeypatch.context() as patch:
                patch.setattr(FastPath, "wanted", lambda *_args, **_more: "")
                assert answer_to(served, party, odd) == first
        assert all(move.seen is None for move in party.moves()), "only the bot has played"


def test_who_plays_is_not_asked_for_a_house_where_nobody_is_barred(
    client: TestClient, party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_request: object) -> str:
        raise AssertionError("nobody is barred")

    monkeypatch.setattr(deps, "household_of", never)
    client.cookies.set("snug", party.guests[0].token)
    turn = party.turn()
    assert turn
    answer = client.post(f"/t/{party.slug}/moves", data={**turn.moves[0], "seen": str(turn.version)})
    assert answer.status_code == 303
    assert dump(party.context.database)["bars"] == []
