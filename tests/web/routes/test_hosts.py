"""Clocks, absence and hosts on the pages: what is shown to whom, and every click."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.seats import away, hosts, pause
from app.services.table.clocks import ClockRules
from app.services.table.hours import Hours
from tests.conftest import Clock
from tests.factories import Party, begin, gather
from tests.pages import HTMX, Page
from tests.web.conftest import Visit
from tests.web.routes.test_tables import clicks

BRISK = ClockRules("brisk", "move")
OPENING = {"game": "lucky_paw", "name": "Ann", "seats": "3", "watchers": "open"}


def page_of(party: Party, visit: Visit, seat: int | None) -> Page:
    """The table as the guest of a seat, or a stranger, sees it."""
    return Page(visit(party.guests[seat - 1] if seat else None).get(f"/t/{party.slug}").text)


def ways(page: Page) -> set[str]:
    """Where the forms of a table lead."""
    return {form.action.rsplit("/", 1)[1] for form in page.forms if form.action.startswith("/t/")}


def test_a_clock_is_shown_to_everybody_and_gives_more_time_to_whose_it_is(
    party: Party, visit: Visit, clock: Clock
) -> None:
    party.write(pause.set_clock, 1, BRISK)
    clock.advance(2)  # more at once would be an outage
    mine, theirs, watched = (page_of(party, visit, seat) for seat in (1, 2, None))
    assert "Your time 0:28" in mine.text
    assert mine.one(data_face="clock")["data-countdown"] == "28"
    assert "more-time" in ways(mine)
    for page in (theirs, watched):
        assert "Alice 0:28" in page.text
        assert "more-time" not in ways(page)
    again = clicks(party, party.guests[0], visit).htmx("more-time", asked="0")
    assert "Your time 0:48" in again.text
    assert "2 times left" in again.text
    party.write(away.more_time, 1, 1)
    party.write(away.more_time, 1, 2)
    assert "more-time" not in ways(page_of(party, visit, 1))


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        (ClockRules("relaxed"), "Your time 2:00"),
        (ClockRules("days"), "Your time 2 days"),
        (ClockRules("days", hours=Hours(0, 23 * 60 + 59, "UTC")), "Your time 47 h"),
    ],
)
def test_long_clocks_are_shown_in_days_and_hours(party: Party, visit: Visit, rules: ClockRules, shown: str) -> None:
    party.write(pause.set_clock, 1, rules)
    assert shown in page_of(party, visit, 1).text


def test_outside_table_hours_no_clock_counts(party: Party, visit: Visit, clock: Clock) -> None:
    clock.time -= clock.time % 86_400  # midnight
    party.write(pause.set_clock, 1, ClockRules("brisk", "bot", Hours(20 * 60, 23 * 60, "UTC")))
    page = page_of(party, visit, 1)
    assert "Clocks stand until 20:00 (UTC)." in page.text
    assert "Clocks run from 20:00 to 23:00 (UTC)." in page.text
    assert not [one for one in page.elements if "data-countdown" in one.attributes]


def test_everybody_sees_who_paused_and_hosts_go_on(party: Party, visit: Visit) -> None:
    clicks(party, party.guests[0], visit).plain("pause")
    for seat in (1, 2, None):
        page = page_of(party, visit, seat)
        assert "Alice paused the game." in page.text
        assert not page.forms_to("/moves")
        assert ("resume" in ways(page)) == (seat == 1)
        assert page.one(id="live")["data-my-turn"] == "false"
    clicks(party, party.guests[1], visit).refused(403, "Only the host", "resume")
    clicks(party, party.guests[0], visit).plain("resume")
    assert page_of(party, visit, 1).forms_to("/moves")


def test_a_move_in_a_pause_is_refused_in_words(party: Party, visit: Visit) -> None:
    (form, *_) = page_of(party, visit, 1).forms_to("/moves")
    party.write(pause.pause, 1)
    browser = visit(party.guests[0])
    answer = browser.post(form.action, data=form.data, headers=HTMX)
    assert answer.status_code == 409
    assert "Alice has paused the game" in Page(answer.text).text


def test_an_absent_player_is_shown_and_comes_back(party: Party, visit: Visit) -> None:
    bob = clicks(party, party.guests[1], visit)
    page = Page(bob.plain("away", number="2"))
    assert "A bot plays for you until you are back." in page.text
    assert "Bob away: a bot plays" in page_of(party, visit, 1).text
    assert "away: a bot plays" in page_of(party, visit, None).text
    assert "I’m back" not in page_of(party, visit, 3).text
    page = Page(bob.plain("back", number="2"))
    assert "A bot plays for you" not in page.text


def test_the_host_gives_a_seat_back_skips_and_replaces(party: Party, visit: Visit) -> None:
    host = clicks(party, party.guests[0], visit)
    host.plain("away", number="2")
    host.plain("back", number="2")
    party.move()
    page = page_of(party, visit, 1)
    (skip,) = page.forms_to("/skip")
    assert (skip.get("number"), skip.get("seen")) == ("2", str(party.version))
    host.plain("skip", number="2", seen=str(party.version))
    assert party.moves()[-1].seat == 2
    host.plain("replace", number="2", level="steady")
    assert party.look().people.seats[1].bot == "steady"
    host.refused(422, "The host cannot be replaced", "replace", number="1", level="steady")
    clicks(party, party.guests[2], visit).refused(403, "Only the host", "replace", number="1", level="steady")


def test_what_takes_something_away_asks_once_more_without_scripts(party: Party, visit: Visit) -> None:
    page = page_of(party, visit, 1)
    for name in ("away-2-ask", "replace-2", "host-2-ask"):
        assert [one.tag for one in (page.one(id=name), page.one(id=f"{name}-yes"))] == ["details", "button"]


def test_players_arrange_only_themselves(party: Party, visit: Visit) -> None:
    own = page_of(party, visit, 2)
    assert {"away"} == ways(own) & {"away", "back", "skip", "replace", "pause", "clock", "cohost", "host"}
    assert {form.get("number") for form in own.forms_to("/away")} == {"2"}
    assert ways(page_of(party, visit, None)) == {"wait"}


def test_a_co_host_has_the_host_s_tools_but_for_the_host(party: Party, visit: Visit) -> None:
    clicks(party, party.guests[0], visit).plain("cohost", number="2", wanted="yes")
    page = page_of(party, visit, 2)
    assert {"pause", "clock", "away", "replace"} <= ways(page)
    assert {form.get("number") for form in page.forms_to("/replace")} == {"3"}
    assert not ways(page) & {"cohost", "host"}
    clicks(party, party.guests[0], visit).plain("cohost", number="2", wanted="no")
    assert "pause" not in ways(page_of(party, visit, 2))


def test_a_co_host_arranges_seats_before_the_start(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = gather(app_context, 2, seats=3)
    party.write(hosts.name_cohost, 1, 2, True)
    page = page_of(party, visit, 2)
    assert {"bot", "move", "start", "shuffle", "clock"} <= ways(page) | {"start"}
    assert not page.find(id="remove-1")
    clicks(party, party.guests[1], visit).plain("bot", number="3", level="gentle")
    clicks(party, party.guests[1], visit).plain("start")


def test_between_rounds_absent_players_and_pauses_are_shown(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = begin(app_context, 2, rounds=2)
    party.pass_round()
    party.write(away.step_away, 2, 2)
    assert "Bob away: a bot plays" in page_of(party, visit, 1).text
    assert "back" in ways(page_of(party, visit, 2))
    party.write(away.step_away, 1, 1)
    assert "the next round waits for somebody to come back" in page_of(party, visit, 2).text
    party.write(pause.pause, 1)
    page = page_of(party, visit, 2)
    assert "The next round waits until a host goes on." in page.text
    assert "ready" not in ways(page)


def test_a_host_moves_for_whoever_is_to_act_also_from_the_page_that_stays(party: Party, visit: Visit) -> None:
    party.move()  # it is Bob's turn
    host = visit(party.guests[0])
    for path in ("", "/people"):
        page = Page(host.get(f"/t/{party.slug}{path}").text)
        assert page.find(id="skip-2-yes")
        assert not page.find(id="skip-3-yes")
    assert not Page(visit(party.guests[2]).get(f"/t/{party.slug}/people").text).find(id="skip-2-yes")


def test_the_page_of_people_stays_as_it_is(party: Party, visit: Visit) -> None:
    assert visit(None).get(f"/t/{party.slug}/people").status_code == 403
    for seat in (1, 2):
        answer = visit(party.guests[seat - 1]).get(f"/t/{party.slug}/people")
        assert answer.status_code == 200
        page = Page(answer.text)
        assert not page.find(http_equiv="refresh")
        assert ("replace" in ways(page)) == (seat == 1)
    assert visit(None).get("/t/nowhere/people").status_code == 404


def test_the_clock_is_chosen_when_a_table_is_opened(app_context: AppContext, client: TestClient) -> None:
    evening = {"clock": "days", "at_zero": "wait", "opens": "20:00", "closes": "23:00", "zone": "Europe/Paris"}
    assert opened(app_context, client, {}).clock.rules == ClockRules("relaxed", "bot")
    assert opened(app_context, client, evening).clock.rules == ClockRules(
        "days", "wait", Hours(1200, 1380, "Europe/Paris")
    )
    page = Page(client.get("/new/lucky_paw").text)  # and is remembered for the next one
    assert page.one("input", name="zone")["value"] == "Europe/Paris"
    assert page.one("input", name="opens")["value"] == "20:00"
    assert "data-zone" not in page.one("input", name="zone").attributes
    (form, *_) = page.forms_to("/tables")
    assert (form.get("clock"), form.get("at_zero")) == ("days", "wait")


def opened(app_context: AppContext, client: TestClient, fields: dict[str, str]) -> Any:
    """The table that this form opens."""
    answer = client.post("/tables", data={**OPENING, **fields})
    assert answer.status_code == 303, answer.text
    return Party(app_context, answer.headers["location"].removeprefix("/t/"), ()).look()


def test_a_form_with_odd_hours_comes_back_as_it_was(client: TestClient) -> None:
    answer = client.post("/tables", data={**OPENING, "clock": "brisk", "opens": "20:00", "closes": "late"})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert "Table hours are two times like 20:00 and 23:00." in page.text
    assert page.one("input", name="opens")["value"] == "20:00"
    (form, *_) = page.forms_to("/tables")
    assert form.get("clock") == "brisk"


def test_hosts_change_the_clock_during_the_game(party: Party, visit: Visit) -> None:
    (form,) = page_of(party, visit, 1).forms_to("/clock")
    assert form.get("clock") == "off"
    host = clicks(party, party.guests[0], visit)
    page = Page(host.plain("clock", **{**form.data, "clock": "brisk", "at_zero": "move"}))
    assert "Brisk: 30 seconds a move. When time is up, the room makes a harmless move." in page.text
    host.refused(422, "There is no such time zone", "clock", clock="brisk", opens="20:00", closes="21:00", zone="x")


def test_whoever_looks_at_a_table_is_there(app_context: AppContext, party: Party, visit: Visit) -> None:
    browser = visit(party.guests[1])
    for address in ("/", "/rules/lucky_paw", f"/t/{party.slug}/people"):
        browser.get(address)
    assert app_context.presence.tokens(party.slug) == []
    browser.get(f"/t/{party.slug}")
    visit(None).get(f"/t/{party.slug}")
    assert app_context.presence.tokens(party.slug) == [party.guests[1].token]


def test_who_was_removed_reads_so_until_the_host_lets_them_in_on_the_page(
    app_context: AppContext, visit: Visit
) -> None:
    party = gather(app_context, 2, seats=3)
    host, bob = (visit(guest) for guest in party.guests)
    address = f"/t/{party.slug}"
    assert host.post(f"{address}/remove", data={"number": "2"}).status_code == 303
    page = Page(bob.get(address).text)
    assert "You were removed from this table." in page.html
    assert not page.forms_to("/sit")
    answer = bob.post(f"{address}/sit", data={"number": "2"})
    assert answer.status_code == 403
    assert "A host can let you in again." in answer.text
    (form,) = Page(host.get(address).text).forms_to("/let-in")
    assert host.post(f"{address}/let-in", data=form.data).status_code == 303
    assert bob.post(f"{address}/sit", data={"number": "2"}).status_code == 303
    assert party.players[2] == party.guests[1].id
