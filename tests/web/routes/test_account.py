"""My room over HTTP: only mine, works with forms alone, and nothing is done that was not asked for."""

import random
from gettext import NullTranslations
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.players import links
from app.services.seats import hosts, seats
from app.services.table import open_table
from app.services.talk import chat
from app.services.tournaments import entries as tournament_entries
from app.web.middleware import rate_limit
from app.web.pages.charts import places_plot, points_plot
from app.web.routes.account import _day
from snug.words import reading
from tests.factories import Guest, Party, begin, nothing_changes, welcome
from tests.pages import Page
from tests.services.accounts.test_history import note, player_stats
from tests.services.tournaments.test_stages import opened
from tests.web.conftest import Visit
from tests.web.every_route import FIELDS


def press(browser: TestClient, path: str, ending: str) -> Any:
    """Sends the only form of a page that goes there."""
    (form,) = Page(browser.get(path).text).forms_to(ending)
    return browser.post(form.action, data=form.data)


def finished(app_context: AppContext, rounds: int = 1) -> Party:
    party = begin(app_context, 2, rounds=rounds)
    party.play_round(random.Random(3))
    return party


def test_my_room_shows_what_is_mine(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = finished(app_context)
    party.write(seats.rematch, 1)
    _, slug = opened(app_context)
    app_context.write(tournament_entries.enter, slug, party.guests[0].id, "Alice")
    page = Page(visit(party.guests[0]).get("/me").text)
    page.one("a", href=f"/t/{party.slug}")
    page.one("a", href=f"/tournaments/{slug}")
    page.one("a", href=f"/t/{party.slug}/replay/1/1")
    assert "Bob 1 match" in page.text
    page.one("section", id="stats-lucky_paw")
    assert "Only this device knows you." in page.text
    turn = party.turn()
    assert turn
    for number, guest in enumerate(party.guests, 1):
        row = Page(visit(guest).get("/me").text).one(id=f"table-{party.slug}")
        words = " ".join("".join(row.words).split())
        assert ("Your turn" in words) == (number == turn.seat)
        assert ("to play" in words) == (number != turn.seat)


def test_whoever_is_new_is_told_kindly(client: TestClient, app_context: AppContext, visit: Visit) -> None:
    answer = client.get("/me")
    assert answer.status_code == 200
    assert "We have not met yet" in answer.text
    assert not Page(answer.text).find("a", href="/me")
    page = visit(welcome(app_context, "Dave")).get("/me").text
    assert "Nothing here yet" in page
    assert "No game is waiting" in page
    assert Page(visit(welcome(app_context, "Dave")).get("/").text).find("a", href="/me")


def test_strangers_and_the_unknown_get_nothing(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    with nothing_changes(app_context.database):
        for path in [path for path in FIELDS if path.startswith("/me")]:
            status = client.post(path, data=FIELDS[path]).status_code
            assert status == {"/me/sign-out": 303, "/me/delete": 200}.get(path, 403), path
        for path in ("/me/export", "/me/delete"):
            assert client.get(path).status_code == 403
    party = finished(app_context)
    party.write(chat.say, 1, "Mine alone")
    bobs = visit(party.guests[1])
    assert "Mine alone" not in bobs.get("/me/export").text
    assert "Mine alone" not in bobs.get("/me").text
    assert not visit(welcome(app_context, "Dave")).get("/me/export").json()["seats"]


def test_the_export_is_a_file(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = finished(app_context)
    answer = visit(party.guests[0]).get("/me/export")
    assert answer.headers["content-type"] == "application/json"
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.json()["name"] == "Alice"


def test_nothing_is_done_by_a_form_that_is_not_sure(app_context: AppContext, party: Party, visit: Visit) -> None:
    browser = visit(party.guests[0])
    with nothing_changes(app_context.database):
        for path in ("recovery", "recovery/revoke", "sign-out", "sign-out-elsewhere", "delete"):
            for data in ({}, {"sure": "no"}, {"sure": ""}):
                assert browser.post(f"/me/{path}", data=data).status_code == 422


def test_another_name_from_the_next_table_on(app_context: AppContext, party: Party, visit: Visit) -> None:
    browser = visit(party.guests[0])
    (form,) = Page(browser.get("/me").text).forms_to("/me/name")
    assert form.get("nickname") == "Alice"
    assert browser.post("/me/name", data={"nickname": "Alix"}).headers["location"] == "/me?done=name"
    page = Page(browser.get("/me?done=name").text)
    assert "Alix" in page.text
    page.one(id="done", role="status")
    assert party.look().people.seats[0].name == "Alice"
    with nothing_changes(app_context.database):
        refusal = browser.post("/me/name", data={"nickname": " \u200b"})
    assert refusal.status_code == 422
    assert Page(refusal.text).one(id="nickname")["aria-describedby"] == "error"
    assert not Page(browser.get("/me?done=<b>").text).find(id="done")


def test_the_recovery_link_brings_the_name_to_another_browser(
    app_context: AppContext, party: Party, visit: Visit
) -> None:
    laptop, phone = visit(party.guests[0]), visit(None)
    answer = press(laptop, "/me", "/me/recovery")
    assert answer.status_code == 200
    path = Page(answer.text).one(id="recovery-url")["value"].removeprefix("http://testserver")
    assert path.startswith("/r/")
    with nothing_changes(app_context.database):
        page = Page(phone.get(path).text)
    assert "Welcome back, Alice" in page.text
    assert "snug" not in phone.cookies
    (form,) = page.forms_to(path)
    answer = phone.post(form.action, data=form.data)
    assert (answer.status_code, answer.headers["location"]) == (303, "/me?done=recovered")
    assert "used up" in phone.get("/me?done=recovered").text
    assert phone.cookies["snug"] != laptop.cookies["snug"]
    assert "known on 2 devices" in phone.get("/me").text
    assert Page(phone.get(f"/t/{party.slug}").text).forms_to("/moves")
    assert "has been playing as Bob" in Page(visit(party.guests[1]).get(path).text).text
    assert press(laptop, "/me", "/me/recovery").status_code == 200
    assert press(laptop, "/me", "/me/recovery/revoke").headers["location"] == "/me?done=link"
    for dead in (path, "/r/made-up", "/r/%00"):
        for answer in (phone.get(dead), visit(None).post(dead)):
            assert answer.status_code == 404
            assert not answer.headers.get("set-cookie")


def test_recovery_links_cannot_be_tried_for_ever(client: TestClient) -> None:
    rate_limit.codes.forget()
    answers = [client.post(f"/r/guess{number}").status_code for number in range(25)]
    assert answers == [404] * 20 + [429] * 5


def test_signing_out_elsewhere(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice = party.guests[0]
    here, lost = visit(alice), visit(None)
    assert not Page(here.get("/me").text).find(id="elsewhere")
    lost.post(f"/r/{app_context.write(links.new_recovery_link, alice.id)}")
    assert press(here, "/me", "/me/sign-out-elsewhere").headers["location"] == "/me?done=elsewhere"
    assert "We have not met" in lost.get("/me").text
    assert "This is your corner" in here.get("/me").text


def test_signing_out_here_warns_who_could_not_come_back(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice = party.guests[0]
    browser = visit(alice)
    assert "no way back" in browser.get("/me").text
    link = app_context.write(links.new_recovery_link, alice.id)
    assert "no way back" not in browser.get("/me").text
    answer = press(browser, "/me", "/me/sign-out")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert 'snug=""' in answer.headers["set-cookie"]
    assert "We have not met" in visit(alice).get("/me").text
    assert visit(None).post(f"/r/{link}").status_code == 303


def test_deleting_asks_with_one_tick(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice = party.guests[0]
    browser = visit(alice)
    with nothing_changes(app_context.database):
        page = Page(browser.get("/me/delete").text)
        refusal = browser.post("/me/delete", data={})
    assert refusal.status_code == 422
    assert "Tick the box" in Page(refusal.text).one(id="error", role="alert").words[0]
    (form,) = page.forms_to("/me/delete")
    assert form.get("sure") is None
    answer = browser.post(form.action, data={"sure": "yes"})
    assert answer.status_code == 200
    assert 'snug=""' in answer.headers["set-cookie"]
    assert "We have not met" in visit(alice).get("/me").text
    shown = visit(party.guests[1]).get(f"/t/{party.slug}").text
    assert "Somebody" in shown
    assert "Alice" not in shown


def test_an_organiser_reads_why_not(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    host, _ = opened(app_context)
    with nothing_changes(app_context.database):
        answer = visit(host).post("/me/delete", data={"sure": "yes"})
    assert answer.status_code == 422
    assert "Cup" in Page(answer.text).one(id="error").words[0]


def test_the_plots_show_every_match(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = begin(app_context, 2, rounds=1)
    alice, bob = party.guests
    note(app_context, party, [(1, alice, 1, 10), (2, bob, 2, 4)], 1_700_000_000)
    assert not Page(visit(alice).get("/me").text).find("polyline")
    note(app_context, party, [(1, bob, 1, 9), (2, alice, 2, -2)], 1_700_200_000)
    (stats,) = player_stats(app_context, alice).games
    places, points = places_plot(stats), points_plot(stats)
    assert places.dots[0][1] < places.dots[1][1]
    assert points.dots[0][1] < points.dots[1][1]
    for plot in (places, points):
        assert all(0 <= x <= plot.width and 0 <= y <= plot.height for x, y in plot.dots)
        assert [mark.text for mark in plot.matches] == ["1", "2"]
    assert [level.text for level in places.levels] == ["1", "2"]
    page = Page(visit(alice).get("/me").text)
    assert len(page.find("polyline")) == 2
    assert "17 Nov 2023" in page.text
    assert "style=" not in page.html


@pytest.mark.parametrize("host", [0, 1])
def test_who_hosts_is_told_to_the_others(app_context: AppContext, client: TestClient, visit: Visit, host: int) -> None:
    party = begin(app_context, 3, rounds=1)
    if host:
        party.write(hosts.hand_over, 1, 2)
    guest: Guest = party.guests[host]
    visit(guest).post("/me/delete", data={"sure": "yes"})
    assert any(seat.is_host for seat in party.look().people.seats)
    assert party.row.status == open_table.PLAYING


def test_a_day_is_written_as_the_language_of_the_reader_does() -> None:
    german = NullTranslations()
    german._info = {"language": "de"}  # type: ignore[attr-defined]  # as a catalogue says it
    assert _day(1_700_000_000) == ("2023-11-14", "14 Nov 2023")
    with reading(german):
        assert _day(1_700_000_000) == ("2023-11-14", "14 Nov. 2023")
