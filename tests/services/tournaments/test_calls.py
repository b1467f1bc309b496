"""Everybody is called to a table that is ready, wherever they are: pages are woken, browsers are told."""

from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from app.services.context import AppContext, Notice
from app.services.errors import Forbidden, NotFound, Refused
from app.services.notifications.reminders import TournamentNear, remind
from app.services.notifications.tables import YourTable
from app.services.queries.calls import Call, call_of, evening_of
from app.services.queries.lobby import Places, places_of
from app.services.tournaments import calls, corrections
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import stages as stages_service
from app.storage import models
from app.storage.writer import Transaction
from snug.games import GAMES
from snug.words import Message
from tests.conftest import Clock
from tests.factories import GAME, Guest, refused, welcome
from tests.services.tournaments.test_stages import STAGE, opened, play_out, state

NAMES = ("Ann", "Bob", "Cem", "Dot")


def entered(context: AppContext, **more: Any) -> tuple[Guest, str, tuple[Guest, ...]]:
    """A tournament of four people at two tables."""
    host, slug = opened(context, **more)
    guests = tuple(welcome(context, name) for name in NAMES)
    for guest in guests:
        context.write(tournament_entries.enter, slug, guest.id, guest.name)
    return host, slug, guests


def called(context: AppContext, slug: str, guest: Guest | None) -> Call:
    with context.database.reading() as connection:
        return call_of(context, connection, slug, guest.id if guest else None)


def places(context: AppContext, guest: Guest) -> Places:
    with context.database.reading() as connection:
        return places_of(context, connection, guest.id)


def told(context: AppContext) -> list[Notice]:
    """What is published from now on, as it comes."""
    news: list[Notice] = []
    context.publish = news.append
    return news


def at_a_time(context: AppContext, slug: str, seconds: float) -> None:
    """The first stage starts in so many seconds."""

    def change(_context: AppContext, transaction: Transaction, /) -> None:
        at = {"starts": "hand", "wait": 5, "bot_pace": "instant", "clock": "off", "first": "time"}
        values = {"conditions": {**at, "first_at": context.now() + seconds}, "due_at": context.room_time() + seconds}
        transaction.connection.execute(update(models.Tournament).where(models.Tournament.slug == slug).values(**values))

    context.write(change)


def test_every_player_of_the_second_stage_is_called_to_the_own_table(context: AppContext, clock: Clock) -> None:
    host, slug, guests = entered(context)
    stages_service.start_stage(context, slug, host.id)
    old = {guest.id: called(context, slug, guest).table for guest in guests}
    for guest in guests:
        context.write(tournament_entries.withdraw, slug, guest.id, NAMES.index(guest.name) + 1)  # bots play quickly
    play_out(context, clock)
    for guest in guests:
        context.write(tournament_entries.come_back, slug, guest.id, NAMES.index(guest.name) + 1)
    context.write(corrections.announce, slug, host.id, "Cake!")
    context.write(stages_service.close_stage, slug, host.id)
    before = called(context, slug, guests[0])
    assert (before.stage, before.table, before.news) == (0, None, "Cake!")
    news = told(context)
    stages_service.start_stage(context, slug, host.id)
    assert context.pubsub.version(calls.channel(slug)) == called(context, slug, None).version > before.version
    ready = {}
    for guest in guests:
        call = called(context, slug, guest)
        assert call.table
        assert call.table not in old.values()
        assert (call.stage, call.is_over, call.news) == (2, False, "")
        ready[guest.id] = call.table.slug
        (listened,) = places(context, guest).calls
        assert listened == call
    assert len(set(ready.values())) == 2
    assert called(context, slug, host).table is called(context, slug, None).table is None
    events = [one for one in news if isinstance(one, YourTable)]
    assert [(one.event, one.seats) for one in events] == [("ready", (1, 2))] * 2
    with context.database.reading() as connection:
        words = events[0].words(context, connection, events[0].whom(context, connection))
    assert len(words) == 2
    assert {one.title for one in words.values()} == {"Stage 2: your table is ready"}
    assert all(one.body.startswith("Cup: Lucky Paw with ") for one in words.values())
    assert {one.slug for one in events} == set(ready.values())


def test_results_and_entries_call_nobody(context: AppContext) -> None:
    _, slug, guests = entered(context)
    before = called(context, slug, guests[0]).version
    context.write(tournament_entries.enter, slug, welcome(context, "Eve").id, "Eve")
    assert called(context, slug, guests[0]).version == before
    assert context.pubsub.version(calls.channel(slug)) is None


def test_who_left_is_called_to_no_table_and_who_takes_the_seat_is(context: AppContext) -> None:
    host, slug, guests = entered(context, drop_out="reserve")
    eve = welcome(context, "Eve")
    context.write(tournament_entries.enter, slug, eve.id, "Eve")
    stages_service.start_stage(context, slug, host.id)
    table = called(context, slug, guests[0]).table
    assert called(context, slug, eve).table is None
    before = context.pubsub.version(calls.channel(slug))
    context.write(tournament_entries.withdraw, slug, guests[0].id, 1)
    assert called(context, slug, eve).table == table
    assert called(context, slug, guests[0]).table is None
    assert context.pubsub.version(calls.channel(slug)) != before


def test_lists_name_the_tournament_and_the_stage(context: AppContext) -> None:
    host, slug, guests = entered(context)
    stages_service.start_stage(context, slug, host.id)
    (mine,) = places(context, guests[0]).tables
    number = called(context, slug, guests[0]).table
    assert number
    assert (mine.place, mine.part) == ("Cup", f"stage 1, table {number.number}")
    assert isinstance(mine.part, Message)


def test_what_is_over_calls_nobody_in_the_lists(context: AppContext) -> None:
    host, slug, guests = entered(context)
    assert [call.slug for call in places(context, guests[0]).calls] == [slug]
    context.write(corrections.end, slug, host.id, "Late")
    assert places(context, guests[0]).calls == ()
    assert called(context, slug, guests[0]).is_over


def test_organisers_and_helpers_announce_at_any_time(context: AppContext) -> None:
    host, slug, (ann, *_) = entered(context)
    with refused(context, Forbidden):
        context.write(corrections.announce, slug, ann.id, "Hello")
    for text in ("", " \t\u200b "):
        with refused(context, Refused, "NOTHING_SAID"):
            context.write(corrections.announce, slug, host.id, text)
    with refused(context, Refused, "TOO_LONG"):
        context.write(corrections.announce, slug, host.id, "x" * 281)
    context.write(corrections.let_help, slug, host.id, 1, True)
    context.write(corrections.announce, slug, ann.id, "x" * 280)
    context.write(corrections.end, slug, host.id, "Late")
    context.write(corrections.announce, slug, host.id, " Thank\nyou ")
    assert state(context, slug).announcements == ("x" * 280, "Thank you")


def test_a_reminder_comes_once_shortly_before_the_time(context: AppContext, clock: Clock) -> None:
    _, slug, guests = entered(context)
    at_a_time(context, slug, 3600)
    news = told(context)
    assert not called(context, slug, guests[0]).begins_soon
    remind(context)
    clock.advance(3001)
    seen = called(context, slug, guests[0])
    assert seen.begins_soon
    for _ in range(2):
        remind(context)
    (reminder,) = news
    assert isinstance(reminder, TournamentNear)
    assert (reminder.slug, reminder.address) == (slug, f"/tournaments/{slug}")
    with context.database.reading() as connection:
        assert set(reminder.whom(context, connection)) == {guest.id for guest in guests}
    assert context.pubsub.version(calls.channel(slug)) == seen.version
    at_a_time(context, slug, 300)  # it was put off: that is worth another one
    remind(context)
    assert len(news) == 2


def test_the_beginning_is_news_after_the_reminder(context: AppContext, clock: Clock) -> None:
    host, slug, guests = entered(context)
    at_a_time(context, slug, 300)
    soon = called(context, slug, guests[0])
    stages_service.start_stage(context, slug, host.id)
    begun = called(context, slug, guests[0])
    assert begun.version > soon.version
    assert not begun.begins_soon


def test_nobody_is_reminded_of_what_has_begun_or_has_no_time(context: AppContext) -> None:
    host, slug, _ = entered(context, starts="time")
    news = told(context)
    remind(context)
    at_a_time(context, slug, 300)
    stages_service.start_stage(context, slug, host.id)
    news.clear()
    remind(context)
    assert news == []


def test_an_evening_is_known_by_its_time(context: AppContext, clock: Clock) -> None:
    opened_at = context.now()
    host, slug, _ = entered(context, plan_stages=[STAGE, {**STAGE, "options": {"rounds": 5}}])
    with context.database.reading() as connection, pytest.raises(NotFound):
        evening_of(context, connection, slug)
    at_a_time(context, slug, 3600)
    with context.database.reading() as connection:
        evening = evening_of(context, connection, slug)
    assert (evening.name, evening.begins_at) == ("Cup", context.now() + 3600)
    assert evening.minutes == round(sum(GAMES[GAME].minutes_with(GAMES[GAME].options(rounds=n)) for n in (1, 5)))
    assert evening.changed_at == opened_at
    clock.advance(60)
    context.write(corrections.announce, slug, host.id, "An hour later")
    with context.database.reading() as connection:
        assert evening_of(context, connection, slug).changed_at == context.now()


def test_a_call_says_nothing_of_the_deal(context: AppContext) -> None:
    host, slug, guests = entered(context, same_deal=True)
    stages_service.start_stage(context, slug, host.id)
    deal = state(context, slug).stages[0].deal
    assert deal
    assert deal not in msgspec.json.encode(called(context, slug, guests[0])).decode()
