"""When a tournament begins by itself, who is waited for at its tables, and what its bots are called."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select, update

from app.jobs import heartbeat
from app.services.context import AppContext
from app.services.errors import Refused
from app.services.play import play
from app.services.seats import away, presence
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import stages as stages_service
from app.services.tournaments.bot_names import NAMES, free_name
from app.services.tournaments.conditions import SOON, moment_words, read_moment
from app.storage import models
from tests.conftest import Clock, OpenContext
from tests.factories import Guest, welcome
from tests.jobs.test_heartbeat import restarted
from tests.services.tournaments.test_stages import plan, play_out, playing, state


def cup(context: AppContext, *names: str, starts: str = "done", **more: Any) -> tuple[str, list[Guest]]:
    """A tournament under these conditions, and those who have entered."""
    host = welcome(context, "Host")
    slug = context.write(
        stages_service.open_tournament, host.id, "Cup", plan(), {"starts": starts, "bot_pace": "instant", **more}
    )
    guests = [welcome(context, name) for name in names]
    for guest in guests:
        context.write(tournament_entries.enter, slug, guest.id, guest.name)
    return slug, [host, *guests]


def stages_of(context: AppContext, slug: str) -> int:
    stages_service.run_due(context)
    return len(state(context, slug).stages)


def due_at(context: AppContext) -> float | None:
    with context.database.reading() as connection:
        return connection.execute(select(models.Tournament.due_at)).scalar_one()


def stand_ins(context: AppContext) -> dict[str, str | None]:
    with context.database.reading() as connection:
        return dict(connection.execute(select(models.Seat.name, models.Seat.stand_in)).all())


def seat_of(context: AppContext, name: str) -> int:
    with context.database.reading() as connection:
        number: int = connection.execute(select(models.Seat.number).where(models.Seat.name == name)).scalar_one()
        return number


def test_it_begins_at_its_time(context: AppContext, clock: Clock) -> None:
    slug, _ = cup(context, "Ann", "Ben", first="time", first_at=context.now() + 600, zone="Europe/London")
    clock.advance(599)
    assert stages_of(context, slug) == 0
    clock.advance(1)
    assert stages_of(context, slug) == 1


def test_its_time_is_that_of_the_wall_however_long_the_room_was_down(
    open_context: OpenContext, context: AppContext, clock: Clock
) -> None:
    context.write(heartbeat.beat)
    cup(context, "Ann", "Ben", first="time", first_at=context.now() + 7200)
    clock.advance(3600)
    after = restarted(context, open_context)
    due = due_at(after)
    assert due is not None
    assert due - after.room_time() == pytest.approx(3600, abs=1)


def test_with_too_few_at_its_time_it_waits_for_the_organiser(context: AppContext, clock: Clock) -> None:
    slug, (host, _) = cup(context, "Ann", first="time", first_at=context.now() + 60)
    clock.advance(60)
    assert stages_of(context, slug) == 0
    assert due_at(context) is None
    context.write(tournament_entries.add_bots, slug, host.id, 1, "gentle")
    assert stages_of(context, slug) == 0
    stages_service.start_stage(context, slug, host.id)
    assert stages_of(context, slug) == 1


def test_it_begins_soon_after_the_last_who_was_waited_for(context: AppContext, clock: Clock) -> None:
    slug, (_, ann, _) = cup(context, "Ann", "Ben", first="full", first_count=3)
    assert due_at(context) is None
    cat = welcome(context, "Cat")
    context.write(tournament_entries.enter, slug, cat.id, "Cat")
    assert stages_of(context, slug) == 0
    context.write(tournament_entries.withdraw, slug, ann.id, 1)
    clock.advance(SOON)
    assert stages_of(context, slug) == 0  # somebody has left again
    context.write(tournament_entries.enter, slug, ann.id, "Ann")
    clock.advance(SOON)
    assert stages_of(context, slug) == 1


def test_a_bot_plays_for_who_has_not_come_in_time_until_they_do(context: AppContext, clock: Clock) -> None:
    slug, (host, ann, ben) = cup(context, "Ann", "Ben", grace=2)
    stages_service.start_stage(context, slug, host.id)
    (table,) = playing(context)
    context.write(presence.update_presence, table.slug, [ann.id])
    clock.advance(119)
    stages_service.run_due(context)
    assert stand_ins(context) == {"Ann": None, "Ben": None}
    clock.advance(1)
    stages_service.run_due(context)
    assert stand_ins(context) == {"Ann": None, "Ben": "missing"}
    assert due_at(context) is None
    context.write(presence.update_presence, table.slug, [ann.id, ben.id])
    assert stand_ins(context) == {"Ann": None, "Ben": None}


@pytest.mark.parametrize("was_missing", [False, True])
def test_who_leaves_before_being_seen_is_not_put_back_by_being_seen(
    context: AppContext, clock: Clock, was_missing: bool
) -> None:
    slug, (host, ann, ben) = cup(context, "Ann", "Ben", grace=2)
    stages_service.start_stage(context, slug, host.id)
    (table,) = playing(context)
    context.write(presence.update_presence, table.slug, [ann.id])
    if was_missing:
        clock.advance(120)
        stages_service.run_due(context)
    context.write(tournament_entries.withdraw, slug, ben.id, 2)
    context.write(presence.update_presence, table.slug, [ann.id, ben.id])
    assert stand_ins(context) == {"Ann": None, "Ben": "left"}
    context.write(away.step_away, table.slug, ann.id, seat_of(context, "Ann"))
    play_out(context, clock)


def test_who_lets_a_bot_play_before_being_seen_stays_away(context: AppContext) -> None:
    slug, (host, ann, ben) = cup(context, "Ann", "Ben")
    stages_service.start_stage(context, slug, host.id)
    (table,) = playing(context)
    context.write(away.step_away, table.slug, ben.id, seat_of(context, "Ben"))
    context.write(presence.update_presence, table.slug, [ann.id, ben.id])
    assert stand_ins(context) == {"Ann": None, "Ben": "away"}


def test_an_evening_carries_itself_from_the_last_who_was_waited_for_to_the_final_standings(
    context: AppContext, clock: Clock
) -> None:
    slug, (host, *_) = cup(context, "Ann", "Ben", first="full", first_count=4, grace=1)
    context.write(tournament_entries.add_bots, slug, host.id, 2, "gentle")
    for _ in range(1000):
        clock.advance(60)
        stages_service.run_due(context)
        for table in playing(context):
            context.write(play.run_due, table.id)
        if due_at(context) is None and state(context, slug).over:
            break
    assert len(state(context, slug).closed) == 2


def test_bots_have_names_that_nobody_else_has(context: AppContext) -> None:
    slug, (host, *_) = cup(context, NAMES[0].upper(), bot_names=True)
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    assert [entry.name for entry in state(context, slug).entries] == [NAMES[0].upper(), *NAMES[1:4]]
    everybody: list[str] = []
    for _ in range(256):
        everybody.append(free_name(everybody))
    assert len({name.casefold() for name in everybody}) == 256


def test_nobody_waits_for_who_has_left_in_the_middle_of_a_turn(context: AppContext, clock: Clock) -> None:
    slug, (host, *guests) = cup(context, "Ann", "Ben", clock="relaxed")
    stages_service.start_stage(context, slug, host.id)
    (table,) = playing(context)
    with context.database.reading() as connection:
        mover = connection.execute(select(models.Seat.player_id).where(models.Seat.due_at.is_not(None))).scalar_one()
    assert mover
    number = next(at for at, guest in enumerate(guests, 1) if guest.id == mover)
    context.write(tournament_entries.withdraw, slug, mover, number)
    (left,) = playing(context)
    clock.advance(10)
    context.write(play.run_due, table.id)
    assert [table.version for table in playing(context)] != [left.version]


def test_every_table_has_the_hours_and_the_clock(context: AppContext) -> None:
    hours = {"opens": 1200, "closes": 1380, "zone": "UTC"}
    slug, (host, *_) = cup(context, "Ann", "Ben", hours=hours)
    stages_service.start_stage(context, slug, host.id)
    (table,) = playing(context)
    assert (table.settings["clock"], table.settings["hours"]) == ("off", hours)


def test_old_tournaments_have_the_usual_conditions(context: AppContext, clock: Clock) -> None:
    slug, (host, *_) = cup(context, "Ann", "Ben")
    old = {"starts": "done", "wait": 5, "bot_pace": "instant", "clock": "off"}

    def age(_context: AppContext, transaction: Any) -> None:
        transaction.connection.execute(update(models.Tournament).values(conditions=old))

    context.write(age)
    stages_service.start_stage(context, slug, host.id)
    assert stages_of(context, slug) == 1


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"first": "never"}, "It begins: full, hand or time"),
        ({"watch": "cats"}, "Who may watch: all, none or players"),
        ({"grace": 61}, "is waited for: 0 to 60"),
        ({"first": "time"}, "still to come"),
        ({"first": "full", "first_count": 5}, "2 to 4 people"),
    ],
)
def test_conditions_that_cannot_be_are_refused(context: AppContext, more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        cup(context, **more)


def test_a_time_is_read_by_the_clocks_of_its_zone() -> None:
    at = read_moment("2026-07-01T20:00", "Europe/London")
    assert datetime.fromtimestamp(at, UTC).hour == 19
    assert moment_words(at, "Europe/London") == "2026-07-01T20:00"
    with pytest.raises(Refused, match="no such time zone"):
        read_moment("2026-07-01T20:00", "Mars/Olympus")
    with pytest.raises(Refused, match="still to come"):
        read_moment("tomorrow", "UTC")
