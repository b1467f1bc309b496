"""Who gets to see what: nothing by guessing, nothing by asking elsewhere, nothing by only looking."""

from itertools import product

import pytest
from msgspec import json
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.services.play import play
from app.services.players import players
from app.services.seats import hosts, seats
from snug.engine import record
from snug.engine.cards import PACK
from tests.factories import Guest, Party, begin, dump, gather, nothing_changes, welcome
from tests.pages import HTMX, Page
from tests.web.conftest import Visit
from tests.web.every_route import fill, gets

WAYS: tuple[tuple[str, dict[str, str]], ...] = (("GET", {}), ("GET", HTMX), ("HEAD", {}), ("OPTIONS", {}))


@pytest.mark.slow
def test_looking_changes_no_row(app_context: AppContext, room_app: ASGIApp, party: Party, visit: Visit) -> None:
    """Preview robots, prefetching and the back button look at everything."""
    gathering = gather(app_context, 1, seats=3)
    finished = begin(app_context, 2, rounds=1)
    finished.pass_round()
    link = party.write(players.new_seat_link, 1)
    strangers = visit(None), visit(welcome(app_context, "Dave"))
    seated = ((party, party.guests[:2]), (gathering, gathering.guests), (finished, finished.guests[:1]))
    tables = [(table, [*strangers, *map(visit, guests)]) for table, guests in seated]
    with nothing_changes(app_context.database):
        for number, (path, (table, browsers)) in enumerate(product(gets(room_app), tables)):
            if "{slug}" not in path and table != party:
                continue
            address = fill(path, slug=table.slug, version=table.version, token=link)
            for way, browser in enumerate(browsers, number):
                method, headers = WAYS[way % len(WAYS)]
                for ask in dict.fromkeys(("GET", method)):
                    answer = browser.request(ask, address, headers=headers)
                    assert answer.status_code < 500
                    assert "snug=" not in answer.headers.get("set-cookie", "")


def faces(text: str) -> set[str]:
    """The cards that a page could tell, by their notation in attributes or addresses."""
    return {card for card in PACK if f"#{card}" in text or f"card-{card}" in text or f'"{card}"' in text}


def test_cards_would_be_found_on_a_page_that_shows_them(party: Party, visit: Visit) -> None:
    assert len(faces(visit(party.guests[0]).get(f"/t/{party.slug}").text)) == 4 + 9


@pytest.mark.parametrize("stage", ["playing", "scores", "finished"])
@pytest.mark.slow
def test_without_watchers_nobody_but_the_seats_sees_the_board(
    app_context: AppContext, client: TestClient, visit: Visit, stage: str
) -> None:
    party = gather(app_context, 3, seats=3, watch="none", rounds=1 if stage == "finished" else 2)
    ex = party.guests[2]
    link = party.write(players.new_seat_link, ex)
    party.write(seats.clear_seat, 1, 3)
    party.write(seats.seat_bot, 1, 3, "gentle")
    party.write(seats.start, 1)
    while stage != "playing" and party.look().table.is_playing:
        if party.turn():
            party.move(-1)
        else:
            app_context.write(play.run_due, party.row.id)
    assert party.look().table.status == stage
    elsewhere = begin(app_context, 2).guests[0]
    stranger = welcome(app_context, "Dave")
    seen: dict[str, set[str]] = {}
    for guest in (None, ex, elsewhere, stranger):
        browser = visit(guest)
        for path in ("", "/live", "/live?seen=0", f"/live?seen={party.version - 1}"):
            for headers in ({}, HTMX):
                answer = browser.get(f"/t/{party.slug}{path}", headers=headers)
                assert answer.status_code == 200
                assert not faces(answer.text)
                assert "behind a closed door" in Page(answer.text).text
                assert "Alice" not in answer.text
                assert not Page(answer.text).forms_to("/moves")
                seen.setdefault(path + str(headers), set()).add(answer.text)
        assert browser.get(f"/t/{party.slug}/record").status_code in (403, 404, 409)
        assert not faces(browser.get(f"/t/{party.slug}/record").text)
        before = party.version
        for what, fields in (("moves", {"move": "pass", "seen": str(before)}), ("ready", {}), ("rematch", {})):
            answer = browser.post(f"/t/{party.slug}/{what}", data=fields)
            assert answer.status_code in (403, 409) or (what, answer.status_code) == ("ready", 303)
            assert not faces(answer.text)
        assert party.version == before
    assert visit(None).get(f"/s/{link}").status_code == 404
    assert stage == "finished" or faces(visit(party.guests[0]).get(f"/t/{party.slug}").text) or stage == "scores"


def test_watchers_see_the_board_and_can_do_nothing(app_context: AppContext, party: Party, visit: Visit) -> None:
    for guest in (None, welcome(app_context, "Dave")):
        browser = visit(guest)
        page = Page(browser.get(f"/t/{party.slug}").text)
        assert len(faces(page.html)) == 13
        assert {form.action for form in page.forms} == {"/preferences", f"/t/{party.slug}/wait"}
        before = dump(app_context.database)
        for what in ("moves", "ready", "rematch", "leave", "seat-link", "host", "start"):
            data = {"move": "pass", "seen": str(party.version), "number": "1"}
            assert browser.post(f"/t/{party.slug}/{what}", data=data).status_code in (303, 403, 409), what
        assert {**dump(app_context.database), "requests": before["requests"]} == before


def test_a_record_is_there_when_the_match_is_over_and_tells_the_truth(
    app_context: AppContext, party: Party, visit: Visit
) -> None:
    alice, watcher = visit(party.guests[0]), visit(None)

    def refused() -> None:
        for browser in (alice, watcher):
            answer = browser.get(f"/t/{party.slug}/record")
            assert answer.status_code == 409
            assert "when the game is over" in Page(answer.text).text

    refused()
    party.pass_round()
    refused()
    party.everybody_is_ready()
    party.pass_round()
    for browser in (alice, watcher):
        answer = browser.get(f"/t/{party.slug}/record")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["content-disposition"] == 'attachment; filename="snug-lucky_paw-1.json"'
        *_, report = record.replay(record.parse(answer.content))
        sheet = party.look().board.sheet
        assert sheet
        assert report.match.over
        assert report.match.totals == tuple(one.total for one in sheet.competitors)
    assert not set(json.decode(answer.content)) & {"names", "players", "slug"}
    party.write(seats.rematch, 1)
    refused()  # the next match has begun: the record would tell its cards


def test_a_record_of_a_gathering_is_not_there(app_context: AppContext, client: TestClient) -> None:
    assert client.get(f"/t/{gather(app_context, 1, seats=2).slug}/record").status_code == 409


def test_the_qr_code_shows_the_invitation(party: Party, client: TestClient) -> None:
    answer = client.get(f"/t/{party.slug}/qr.svg")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "<script" not in answer.text


def test_the_host_is_a_player_like_any_other(app_context: AppContext, party: Party, visit: Visit) -> None:
    """Except for the button that hands the role over, if there is one."""

    def neutral(guest: Guest) -> str:
        return visit(guest).get(f"/t/{party.slug}").text

    before = faces(neutral(party.guests[0]))
    party.write(hosts.hand_over, 1, 2)
    assert faces(neutral(party.guests[0])) == before == faces(neutral(party.guests[1]))
