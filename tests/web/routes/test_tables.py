"""Every click at a table: as a plain form and through htmx, granted and refused."""

import re
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.play import play
from app.services.seats import seats
from app.services.seats.bot_profiles import character_of
from tests.factories import Guest, Party, begin, full_table, gather, nothing_changes, welcome
from tests.pages import HTMX, Page
from tests.web.conftest import Visit


@pytest.fixture
def table(app_context: AppContext, client: TestClient) -> Party:
    """Alice (host) and Bob before the start; seats 3 and 4 are free."""
    return gather(app_context, 2, seats=4)


class Clicks:
    """Clicks of one person at one table."""

    def __init__(self, party: Party, browser: TestClient) -> None:
        self.party, self.browser = party, browser

    def plain(self, what: str, **fields: Any) -> str:
        """A click without scripts that is granted leads back to the table, which then is drawn."""
        answer = self.browser.post(f"/t/{self.party.slug}/{what}", data=fields)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{self.party.slug}")
        assert answer.text == ""
        return self.browser.get(answer.headers["location"]).text

    def htmx(self, what: str, status: int = 200, **fields: Any) -> Page:
        """A click through htmx is answered with the live fragment."""
        answer = self.browser.post(f"/t/{self.party.slug}/{what}", data=fields, headers=HTMX)
        assert answer.status_code == status, answer.text
        assert answer.text.lstrip().startswith("<main")
        page = Page(answer.text)
        assert page.elements[0]["id"] == "live"
        assert not page.find("html")
        return page

    def refused(self, status: int, sentence: str, what: str, **fields: Any) -> None:
        """Either way the refusal is said on the table as it stands, and nothing changes."""
        with nothing_changes(self.party.context.database):
            fragment = self.htmx(what, status, **fields)
            answer = self.browser.post(f"/t/{self.party.slug}/{what}", data=fields)
        assert answer.status_code == status
        page = Page(answer.text)
        assert page.find("html")
        for one in (fragment, page):
            assert sentence in one.text


def clicks(party: Party, guest: Guest | None, visit: Visit) -> Clicks:
    """The clicks of this guest."""
    return Clicks(party, visit(guest))


def test_the_host_arranges_the_table_with_plain_forms(table: Party, visit: Visit) -> None:
    alice = clicks(table, table.guests[0], visit)
    alice.plain("bot", number="3", level="steady")
    alice.plain("fill", level="gentle")
    assert [seat.bot for seat in table.look().people.seats] == [None, None, "steady", "gentle"]
    alice.plain("remove", number="3")
    alice.plain("move", number="1", to="3")
    assert table.players[3] == table.guests[0].id
    alice.plain("shuffle")
    alice.plain("fill", level="gentle")
    alice.plain("host", number=str(table.look(table.guests[1]).viewer.seat))
    bob = clicks(table, table.guests[1], visit)
    bob.plain("start")
    assert table.look().table.is_playing


def test_a_page_of_an_older_release_names_levels_as_it_did(table: Party, visit: Visit) -> None:
    alice = clicks(table, table.guests[0], visit)
    alice.plain("bot", number="3", level="good")
    alice.plain("fill", level="easy")
    assert [seat.bot for seat in table.look().people.seats] == [None, None, "steady", "gentle"]
    page = visit(table.guests[0]).get(f"/t/{table.slug}").text
    assert [
        character_of(seat.bot, seat.name) in unescape(page) for seat in table.look().people.seats if seat.bot
    ] == 2 * [True]


def test_the_host_arranges_the_table_through_htmx(table: Party, visit: Visit) -> None:
    alice = clicks(table, table.guests[0], visit)
    alice.htmx("bot", number="3", level="steady")
    page = alice.htmx("fill", level="gentle")
    assert page.forms_to("/start")
    alice.htmx("remove", number="3")
    alice.htmx("move", number="1", to="2")
    alice.htmx("shuffle")
    page = alice.htmx("host", number=str(table.look(table.guests[1]).viewer.seat))
    assert not page.forms_to("/start")
    assert table.look(table.guests[1]).viewer.is_host


def test_what_only_the_host_may_do_is_on_the_hosts_page_only(table: Party, visit: Visit) -> None:
    alice, stranger = table.guests[0], welcome(table.context, "Dave")
    for guest in (alice, table.guests[1], stranger, None):
        page = Page(visit(guest).get(f"/t/{table.slug}").text)
        actions = {form.action.rsplit("/", 1)[1] for form in page.forms} - {"preferences"}
        if guest is alice:
            assert {"bot", "move", "remove", "host", "leave"} <= actions
        else:
            assert actions <= {"sit", "leave", "seat-link", "talk", "mute", "sign"}


def test_a_new_guest_sits_down_with_a_nickname(table: Party, visit: Visit) -> None:
    browser = visit(None)
    page = Page(browser.get(f"/t/{table.slug}").text)
    form = next(form for form in page.forms_to("/sit") if form.get("number") == "3")
    answer = browser.post(form.action, data={**form.data, "name": "Carol"})
    assert answer.status_code == 303
    assert browser.cookies["snug"]
    assert table.look().people.name_of(3) == "Carol"
    assert Page(browser.get(f"/t/{table.slug}").text).forms_to("/leave")


def test_a_new_guest_sits_down_through_htmx(table: Party, visit: Visit) -> None:
    browser = visit(None)
    answer = browser.post(f"/t/{table.slug}/sit", data={"number": "4", "name": "Carol"}, headers=HTMX)
    assert answer.status_code == 200
    assert answer.cookies["snug"]
    assert Page(answer.text).forms_to("/leave")
    assert 'hx-swap-oob="beforeend:#links"><a href="/me">' in answer.text  # the head of the page knows the guest, too
    assert "hx-swap-oob" not in browser.get(f"/t/{table.slug}", headers=HTMX).text


def test_a_guest_who_is_refused_a_seat_is_not_remembered(table: Party, visit: Visit) -> None:
    stranger = clicks(table, None, visit)
    stranger.refused(409, "Somebody has just taken that seat", "sit", number="2", name="Carol")
    stranger.refused(422, "Please give a nickname", "sit", number="3", name="")
    stranger.refused(422, "Please give a nickname", "sit", number="3")
    assert not stranger.browser.cookies
    for number in ("0", "5", "-1", "x", "", "9" * 5000):
        with nothing_changes(table.context.database):
            answer = stranger.browser.post(f"/t/{table.slug}/sit", data={"number": number, "name": "Carol"})
        assert answer.status_code == 404


def test_a_known_guest_moves_and_leaves(table: Party, visit: Visit) -> None:
    bob = clicks(table, table.guests[1], visit)
    bob.plain("sit", number="4")
    assert table.players[4] == table.guests[1].id
    bob.htmx("sit", number="3")
    assert table.players[3] == table.guests[1].id
    bob.plain("leave")
    assert table.guests[1].id not in table.players.values()


def test_the_room_refuses_on_the_table_itself(table: Party, visit: Visit) -> None:
    alice, bob, nobody = (clicks(table, guest, visit) for guest in (*table.guests, None))
    for what, fields in (
        ("bot", {"number": "3", "level": "gentle"}),
        ("fill", {"level": "gentle"}),
        ("remove", {"number": "1"}),
        ("move", {"number": "1", "to": "2"}),
        ("shuffle", {}),
        ("host", {"number": "2"}),
        ("start", {}),
    ):
        bob.refused(403, "Only the host", what, **fields)
        nobody.refused(403, "does not know you", what, **fields)
    for what in ("moves", "leave", "ready", "rematch"):
        nobody.refused(403, "does not know you", what)
    alice.refused(422, "is still empty", "start")
    alice.refused(422, "levels", "bot", number="3", level="perfect")
    alice.refused(409, "taken", "bot", number="2", level="gentle")
    alice.refused(422, "stand up", "remove", number="1")
    alice.refused(422, "Only a person", "host", number="3")
    alice.refused(409, "has not begun", "moves", move="pass", seen="1")
    outsider = clicks(table, welcome(table.context, "Dave"), visit)
    outsider.refused(403, "no seat", "moves", move="pass", seen="1")
    outsider.refused(403, "no seat", "rematch")


def test_a_move_that_comes_twice_is_played_once_and_nobody_is_scolded(party: Party, visit: Visit) -> None:
    alice = clicks(party, party.guests[0], visit)
    turn = party.turn()
    assert turn
    page = Page(alice.browser.get(f"/t/{party.slug}").text)
    form = next(form for form in page.forms_to("/moves") if form.get("move") == "pass")
    assert form.get("seen") == str(turn.version)
    fields: dict[str, Any] = dict(form.fields)
    alice.plain("moves", **fields)
    assert party.version == turn.version + 1
    with nothing_changes(party.context.database):
        again = alice.browser.post(f"/t/{party.slug}/moves", data=fields, headers=HTMX)
        assert again.status_code == 200
        assert 'class="messages"' not in again.text
        assert 'class="messages"' not in alice.plain("moves", **fields)
    alice.refused(409, "has moved on", "moves", move="play", stack="1", open="1", seen=str(turn.version))


def test_moves_that_the_rules_refuse_are_said_on_the_table(party: Party, visit: Visit) -> None:
    alice, bob = clicks(party, party.guests[0], visit), clicks(party, party.guests[1], visit)
    seen = str(party.version)
    alice.refused(
        422,
        "open stacks 1 to 4",
        "moves",
        move="play",
        stack="1",
        open="9",
        seen=seen,
    )
    alice.refused(422, "not a move of Lucky Paw", "moves", move="knock", seen=seen)
    bob.refused(422, "not your turn", "moves", move="pass", seen=seen)
    for nonsense in ("", "x", "-1", "9" * 9, "9" * 5000, "1.5", "٣"):
        alice.refused(409, "moved on", "moves", move="pass", seen=nonsense)


def test_ready_and_rematch_go_on_with_the_game(party: Party, visit: Visit) -> None:
    everybody = [clicks(party, guest, visit) for guest in party.guests]
    party.pass_round()
    for one in everybody:
        one.refused(409, "moved on", "moves", move="pass", seen=str(party.version))
    page = everybody[0].htmx("ready")
    assert not page.forms_to("/ready")
    everybody[1].plain("ready")
    everybody[2].plain("ready")
    assert party.look().table.is_playing
    party.pass_round()
    assert party.look().table.is_finished
    (form,) = Page(everybody[2].browser.get(f"/t/{party.slug}").text).forms_to("/rematch")
    assert form.button == "Play again"
    for one in (everybody[2], everybody[0]):  # who comes second wants nothing that is not so
        one.plain("rematch")
        assert party.look().replays.match_number == 2


def test_a_table_that_is_not_there_is_not_found(client: TestClient, app_context: AppContext, visit: Visit) -> None:
    browser = visit(welcome(app_context, "Alice"))
    for who in (browser, visit(None)):
        for path in ("", "/live", "/live?seen=0", "/record"):
            answer = who.get(f"/t/nowhere{path}")
            assert answer.status_code == 404
            assert "no such table" in Page(answer.text).text
        for path in ("moves", "leave", "ready", "rematch", "start", "shuffle"):
            assert who.post(f"/t/nowhere/{path}").status_code in (403, 404)
        assert who.post("/t/nowhere/sit", data={"number": "1", "name": "A"}).status_code == 404


def test_the_fragment_of_a_click_and_of_a_poll_are_the_same(party: Party, visit: Visit) -> None:
    alice, bob = visit(party.guests[0]), visit(party.guests[1])
    form = {"move": "pass", "seen": str(party.version)}
    clicked = alice.post(f"/t/{party.slug}/moves", data=form, headers=HTMX).text
    assert alice.get(f"/t/{party.slug}/live?seen=0", headers=HTMX).text == clicked
    assert alice.get(f"/t/{party.slug}", headers=HTMX).text == clicked
    assert clicked.strip() in alice.get(f"/t/{party.slug}").text
    assert bob.get(f"/t/{party.slug}/live?seen=0", headers=HTMX).text != clicked


def test_polls_ask_with_the_version_they_show_and_a_finished_page_still_wakes_up(party: Party, visit: Visit) -> None:
    browser = visit(party.guests[0])
    while True:
        page = Page(browser.get(f"/t/{party.slug}").text)
        assert page.one(id="poll")["hx-get"] == f"/t/{party.slug}/live?seen={party.version}&turns=1"
        if party.look().table.is_finished:
            break
        party.pass_round() if party.turn() else party.everybody_is_ready()
    party.write(seats.rematch, 2)
    assert party.write(play.set_ready, 1) is None
    answer = browser.get(page.one(id="poll")["hx-get"], headers=HTMX)
    assert answer.status_code == 200
    assert Page(answer.text).forms_to("/moves")


def test_no_table_is_found_by_a_part_of_its_link(app_context: AppContext, client: TestClient) -> None:
    party = begin(app_context, 2)
    for slug in (
        party.slug[:-1],
        party.slug + "a",
        party.slug.upper(),
        party.look().table.code,
        str(party.row.id),
        "%25",
    ):
        assert client.get(f"/t/{slug}").status_code == 404


@pytest.mark.parametrize("seat", [1, 2])
def test_how_everybody_stands_so_far_marks_the_own_line(app_context: AppContext, visit: Visit, seat: int) -> None:
    party = full_table(app_context, "life")
    shown = visit(party.guests[seat - 1]).get(f"/t/{party.slug}").text
    lines = re.findall(r'<li id="so-far-\d"( class="me")?><bdi class="clip">([^<]+)</bdi>', shown)
    assert len(lines) == len(party.guests)
    assert [name for mark, name in lines if mark] == [f"Friend {seat}"]
