"""Once only: the same form of the same page, sent five times, is done once and answered the same each time."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.testclient import TestClient

from app.jobs import heartbeat
from app.services.accounts.deletion import forget_player
from app.services.context import AppContext
from app.services.idempotent import KEPT
from app.services.players import players
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import log as tournament_log
from app.services.tournaments import stages
from app.settings import Settings
from app.storage import models
from tests.conftest import KEY, Clock
from tests.factories import GAME, Guest, Party, begin, gather, welcome
from tests.pages import HTMX, Form, Page
from tests.services.play.test_exactly_once import at_once
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import play_out

pytestmark = pytest.mark.slow  # every form several times, some of them at once

STAGE = {"game": GAME, "options": {"rounds": 1}, "size": 2}
Scene = tuple[Guest, str, str, dict[str, str], Callable[[], Any]]


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """The room on a database of each kind."""
    return Settings(data=tmp_path, database_url=database_url, key=KEY)


def count(app_context: AppContext, model: Any) -> int:
    """How many rows a table has."""
    with app_context.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(model)).scalar_one())


def cup(app_context: AppContext) -> tuple[Guest, str]:
    """A tournament with two bots in it, and its organiser."""
    host = welcome(app_context, "Host")
    plan = {"format": "swiss", "stages": [STAGE], "players": 12}
    slug = app_context.write(stages.open_tournament, host.id, "Cup", plan)
    app_context.write(tournament_entries.add_bots, slug, host.id, 2, "gentle")
    return host, slug


def log_of(app_context: AppContext, slug: str) -> int:
    """How long the log of a tournament is."""
    with app_context.database.reading() as connection:
        return len(tournament_log.folded(connection, tournament_log.find(connection, slug)).log)


def talking(app_context: AppContext) -> Scene:
    """Alice says something."""
    party = begin(app_context, 2)
    messages = partial(count, app_context, models.Message)
    return party.guests[0], f"/t/{party.slug}", "/talk", {"text": "Evening"}, messages


def opening_a_table(app_context: AppContext) -> Scene:
    """A guest opens a table."""
    return welcome(app_context, "Alice"), f"/new/{GAME}", "/tables", {}, partial(count, app_context, models.Table)


def opening_a_tournament(app_context: AppContext) -> Scene:
    """A guest opens a tournament."""
    return (
        welcome(app_context, "Alice"),
        "/tournaments/new?step=3",
        "/tournaments",
        {},
        partial(count, app_context, models.Tournament),
    )


def adding_bots(app_context: AppContext) -> Scene:
    """An organiser adds bots: each is a line of the log."""
    host, slug = cup(app_context)
    return host, f"/tournaments/{slug}", "/bots", {"count": "1"}, partial(log_of, app_context, slug)


def giving_points(app_context: AppContext) -> Scene:
    """An organiser gives somebody points."""
    host, slug = cup(app_context)
    return (
        host,
        f"/tournaments/{slug}",
        "/adjust",
        {"points": "5", "reason": "kind"},
        partial(log_of, app_context, slug),
    )


def correcting(app_context: AppContext) -> Scene:
    """An organiser puts a result right."""
    host, slug = cup(app_context)
    stages.start_stage(app_context, slug, host.id)
    assert isinstance(app_context.now, Clock)
    play_out(app_context, app_context.now)
    given = {"score-1": "3", "score-2": "1", "reason": "miscounted"}
    return host, f"/tournaments/{slug}", "/correct", given, partial(log_of, app_context, slug)


def seating_a_bot(app_context: AppContext) -> Scene:
    """A host puts a bot on an empty seat."""
    party = gather(app_context, 1, seats=3)
    return party.guests[0], f"/t/{party.slug}", "/bot", {}, lambda: party.row.version


def swapping_seats(app_context: AppContext) -> Scene:
    """A host lets two seats change places, which twice would be not at all."""
    party = gather(app_context, 2)
    return party.guests[0], f"/t/{party.slug}", "/move", {}, lambda: party.row.version


SCENES = (
    talking,
    opening_a_table,
    opening_a_tournament,
    adding_bots,
    giving_points,
    correcting,
    seating_a_bot,
    swapping_seats,
)


def form_on(browser: TestClient, path: str, ending: str) -> Form:
    """The first form of a page that goes to such an address."""
    return Page(browser.get(path).text).forms_to(ending)[0]


def send(browser: TestClient, form: Form, **given: str) -> tuple[int, str]:
    """What a form is answered with."""
    answer = browser.post(form.action, data={**form.data, **given})
    return answer.status_code, answer.headers.get("location", "")


@pytest.mark.parametrize("scene", SCENES)
def test_one_form_sent_five_times_is_done_once(
    app_context: AppContext, visit: Visit, scene: Callable[[AppContext], Scene]
) -> None:
    guest, path, ending, given, effect = scene(app_context)
    browser = visit(guest)
    form, before = form_on(browser, path, ending), effect()
    answers = [send(browser, form, **given) for _ in range(5)]
    assert effect() == before + 1
    assert len(set(answers)) == 1
    assert answers[0][0] == 303


@pytest.mark.parametrize("scene", SCENES)
def test_one_form_sent_five_times_at_once_is_done_once(
    app_context: AppContext, visit: Visit, scene: Callable[[AppContext], Scene]
) -> None:
    guest, path, ending, given, effect = scene(app_context)
    form, before = form_on(visit(guest), path, ending), effect()
    answers = at_once([partial(send, visit(guest), form, **given) for _ in range(5)])
    assert effect() == before + 1
    assert len(set(answers)) == 1
    assert answers[0][0] == 303


@pytest.mark.parametrize("scene", SCENES)
def test_the_page_as_it_is_afterwards_does_it_again(
    app_context: AppContext, visit: Visit, scene: Callable[[AppContext], Scene]
) -> None:
    guest, path, ending, given, effect = scene(app_context)
    browser, before = visit(guest), effect()
    answers = [send(browser, form_on(browser, path, ending), **given) for _ in range(2)]
    assert [status for status, _ in answers] == [303, 303]
    assert effect() == before + 2


def test_a_new_guest_who_sends_it_again_has_one_table(app_context: AppContext, visit: Visit) -> None:
    browser = visit(None)
    form = form_on(browser, f"/new/{GAME}", "/tables")
    answers = [send(browser, form, name="Alice") for _ in range(5)]
    assert len(set(answers)) == 1
    assert (count(app_context, models.Table), count(app_context, models.Player)) == (1, 1)


def test_two_texts_from_one_page_are_both_said(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice = visit(party.guests[0])
    form = form_on(alice, f"/t/{party.slug}", "/talk")
    for words in ("first", "second", "first"):
        assert send(alice, form, text=words)[0] == 303
    assert count(app_context, models.Message) == 2


def test_two_people_say_the_same_from_one_version(app_context: AppContext, party: Party, visit: Visit) -> None:
    browsers = [visit(guest) for guest in party.guests]
    forms = [form_on(browser, f"/t/{party.slug}", "/talk") for browser in browsers]
    assert forms[0] == forms[1]
    for browser, form in zip(browsers, forms, strict=True):
        assert send(browser, form, text="Evening")[0] == 303
    assert count(app_context, models.Message) == 3


def test_the_fragment_has_the_new_version_in_its_forms(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice = visit(party.guests[0])
    form = form_on(alice, f"/t/{party.slug}", "/talk")
    answer = alice.post(form.action, data={**form.data, "text": "Evening"}, headers=HTMX)
    assert Page(answer.text).forms_to("/talk")[0].get("seen") == str(party.row.version)
    assert str(party.row.version) != form.get("seen")


def test_a_refused_form_is_not_used_up(app_context: AppContext, visit: Visit) -> None:
    host, slug = cup(app_context)
    browser = visit(host)
    form, before = form_on(browser, f"/tournaments/{slug}", "/adjust"), log_of(app_context, slug)
    assert browser.post(form.action, data={**form.data, "points": "many", "reason": "kind"}).status_code == 422
    assert count(app_context, models.Request) == 0
    assert send(browser, form, points="5", reason="kind")[0] == 303
    assert log_of(app_context, slug) == before + 1


def test_what_was_done_is_forgotten_after_a_day(
    app_context: AppContext, party: Party, visit: Visit, clock: Clock
) -> None:
    alice = visit(party.guests[0])
    form = form_on(alice, f"/t/{party.slug}", "/talk")
    send(alice, form, text="Evening")
    clock.advance(KEPT - 1)
    app_context.write(heartbeat.beat)
    assert count(app_context, models.Request) == 1
    clock.advance(2)
    app_context.write(heartbeat.beat)
    assert count(app_context, models.Request) == 0


def test_deleting_a_guest_deletes_what_was_kept_of_the_forms(
    app_context: AppContext, party: Party, visit: Visit
) -> None:
    alice = visit(party.guests[0])
    send(alice, form_on(alice, f"/t/{party.slug}", "/talk"), text="Evening")
    send(visit(party.guests[1]), form_on(visit(party.guests[1]), f"/t/{party.slug}", "/talk"), text="Evening")
    app_context.write(forget_player, party.guests[0].id)
    with app_context.database.reading() as connection:
        assert list(connection.execute(select(models.Request.player_id)).scalars()) == [party.guests[1].id]


def test_what_is_kept_does_not_tell_what_was_said(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice = visit(party.guests[0])
    send(alice, form_on(alice, f"/t/{party.slug}", "/talk"), text="Evening")
    with app_context.database.reading() as connection:
        row = connection.execute(select(models.Request)).one()
    assert re.fullmatch("[0-9a-f]{64}", row.key)
    assert row.answer is None


def newcomers(visit: Visit, path: str, number: int) -> list[TestClient]:
    """The browser of somebody whom the room does not know, who has just been shown this page, so many times over."""
    first = visit(None)
    first.get(path)
    browsers = [first]
    for _ in range(number - 1):
        browsers.append(visit(None))
        browsers[-1].cookies.update(dict(first.cookies))
    return browsers


def test_a_new_guest_who_presses_five_times_at_once_is_one_guest(app_context: AppContext, visit: Visit) -> None:
    form = form_on(visit(None), f"/new/{GAME}", "/tables")
    browsers = newcomers(visit, f"/new/{GAME}", 5)
    answers = at_once([partial(send, browser, form, name="Zoe") for browser in browsers])
    assert len(set(answers)) == 1
    assert (count(app_context, models.Table), count(app_context, models.Player)) == (1, 1)
    assert len({browser.cookies["snug"] for browser in browsers}) == 1
    assert "snug-visitor" not in browsers[0].cookies


def test_a_form_without_any_cookie_makes_a_guest_each_time(app_context: AppContext, visit: Visit) -> None:
    form = form_on(visit(None), f"/new/{GAME}", "/tables")
    answers = [send(visit(None), form, name="Zoe") for _ in range(3)]
    assert len(set(answers)) == 3
    assert count(app_context, models.Player) == 3


def test_nobody_becomes_a_guest_later_by_sending_the_same(app_context: AppContext, visit: Visit, clock: Clock) -> None:
    """A visitor's cookie may have been planted: whoever knows it, and all of the form, may send it just as well."""
    form = form_on(visit(None), f"/new/{GAME}", "/tables")
    victim, thief = newcomers(visit, f"/new/{GAME}", 2)
    send(victim, form, name="Zoe")
    clock.advance(players.AGAIN + 1)
    send(thief, form, name="Zoe")
    assert thief.cookies["snug"] != victim.cookies["snug"]
    assert count(app_context, models.Player) == 2


def test_the_visitors_cookie_is_no_key_to_the_room(app_context: AppContext, visit: Visit) -> None:
    form = form_on(visit(None), f"/new/{GAME}", "/tables")
    browser, other = newcomers(visit, f"/new/{GAME}", 2)
    visitor = browser.cookies["snug-visitor"]
    send(browser, form, name="Zoe")
    assert browser.cookies["snug"] != visitor
    assert "Zoe" not in other.get("/me").text
    other.cookies.set("snug", visitor)
    assert "Zoe" not in other.get("/me").text


def test_a_cookie_that_was_undone_is_not_remembered(context: AppContext) -> None:
    party = gather(context, 2)
    link = party.write(players.new_seat_link, 2)

    def both(_context: AppContext, transaction: Any) -> None:
        for _ in range(2):
            players.follow_seat_link(context, transaction, link, "the cookie of a form that was sent twice")
        raise KeyError("the disk is full")

    with pytest.raises(KeyError):
        context.write(both)
    with context.database.reading() as connection:
        assert players.find_player(context, connection, "the cookie of a form that was sent twice") is None
    assert context.write(players.follow_seat_link, link, "the cookie of a form that was sent twice")
    assert count(context, models.Device) == 3


def test_the_same_form_shows_the_same_link_and_another_page_another(party: Party, visit: Visit) -> None:
    alice, elsewhere = visit(party.guests[0]), visit(party.guests[0])
    form = form_on(alice, f"/t/{party.slug}", "/seat-link")
    first, again = (alice.post(form.action, data=form.data).text for _ in range(2))
    assert first == again
    newer = form_on(elsewhere, f"/t/{party.slug}", "/seat-link")
    assert elsewhere.post(newer.action, data=newer.data).text != first
    late = alice.post(form.action, data=form.data)
    assert late.status_code == 404
    assert "a newer one was made" in late.text
