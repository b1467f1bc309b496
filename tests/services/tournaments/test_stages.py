"""Tournaments as they are stored: the log, results exactly once, the same deal, who may do what."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused
from app.services.fairness.epochs import raise_epoch
from app.services.integrity.tournaments import faults_of_tournament
from app.services.play import play, takeback
from app.services.queries.records import match_record
from app.services.queries.tournaments.export import exported
from app.services.queries.tournaments.load import load_tournament_page
from app.services.seats import seat_transfer
from app.services.table import open_table
from app.services.tournaments import corrections
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import log as tournament_log
from app.services.tournaments import stages as stages_service
from app.services.tournaments.conditions import PAUSE
from app.storage import models
from app.storage.rows import all_of, seats_at
from snug.engine.fairness import lot_seal
from snug.tournament.events import TableFinished
from snug.tournament.state import Tournament
from tests.conftest import Clock, OpenContext
from tests.factories import GAME, Guest, Party, refused, welcome

STAGE = {"game": GAME, "options": {"rounds": 1}, "size": 2}


def plan(format: str = "swiss", stages: int = 2, plan_stages: Any = None, **more: Any) -> dict[str, Any]:
    return {"format": format, "stages": plan_stages or [STAGE] * stages, "players": 4, **more}


def opened(context: AppContext, *, starts: str = "hand", **more: Any) -> tuple[Guest, str]:
    """A tournament of an organiser who does not play."""
    host = welcome(context, "Host")
    slug = context.write(
        stages_service.open_tournament, host.id, "Cup", plan(**more), {"starts": starts, "bot_pace": "instant"}
    )
    return host, slug


def state(context: AppContext, slug: str) -> Tournament:
    with context.database.reading() as connection:
        return tournament_log.folded(connection, tournament_log.find(connection, slug))


def playing(context: AppContext) -> Sequence[models.Table]:
    with context.database.reading() as connection:
        tables = select(models.Table).where(models.Table.status != open_table.FINISHED).order_by(models.Table.id)
        return all_of(connection, tables)


def sitters(context: AppContext, table: models.Table) -> set[int | None]:
    with context.database.reading() as connection:
        return {seat.player_id for seat in seats_at(connection, table.id)}


def play_out(context: AppContext, clock: Clock) -> None:
    """Bots play every table to its end."""
    for _ in range(3000):
        tables = playing(context)
        if not tables:
            return
        clock.advance(60)
        for table in tables:
            context.write(play.run_due, table.id)
    raise AssertionError("the tables do not end")


def test_bots_play_two_stages_by_hand_to_the_end(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context)
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    for _ in range(2):
        stages_service.start_stage(context, slug, host.id)
        with pytest.raises(Refused, match="still playing"):
            context.write(stages_service.close_stage, slug, host.id)
        play_out(context, clock)
        context.write(stages_service.close_stage, slug, host.id)
    tournament = state(context, slug)
    assert tournament.over
    assert sum(isinstance(event, TableFinished) for event in tournament.log) == 4
    with context.database.reading() as connection:
        page = load_tournament_page(context, connection, slug, None)
    assert sorted(row.place for row in page.rows)[0] == 1
    assert len(page.rows) == 4


def test_stages_start_and_close_by_themselves_when_all_tables_are_done(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context, starts="done")
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    stages_service.start_stage(context, slug, host.id)
    for number in (1, 2):
        play_out(context, clock)
        stages_service.run_due(context)
        stages_service.run_due(context)  # so soon nothing is due: people look at the standings
        assert len(state(context, slug).closed) == len(state(context, slug).stages) == number
        clock.advance(PAUSE)
        stages_service.run_due(context)
    assert state(context, slug).over


def test_a_stage_by_time_waits_for_its_minutes(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context, starts="time")
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    clock.advance(299)
    stages_service.run_due(context)
    assert not state(context, slug).stages
    clock.advance(1)
    stages_service.run_due(context)
    assert len(state(context, slug).stages) == 1


def test_too_few_at_the_time_wait_for_the_organiser(context: AppContext, clock: Clock) -> None:
    _, slug = opened(context, starts="time")
    clock.advance(300)
    stages_service.run_due(context)
    with context.database.reading() as connection:
        assert tournament_log.find(connection, slug).due_at is None
    assert not state(context, slug).stages


def test_two_tables_that_end_at_once_are_both_written_once(
    open_context: OpenContext, database_url: str, clock: Clock
) -> None:
    context = open_context(database_url)
    host, slug = opened(context)
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    stages_service.start_stage(context, slug, host.id)
    with ThreadPoolExecutor(2) as both:
        while tables := playing(context):
            clock.advance(60)
            list(both.map(lambda table: context.write(play.run_due, table.id), [*tables, *tables]))
    results = [event for event in state(context, slug).log if isinstance(event, TableFinished)]
    assert sorted(event.table for event in results) == [1, 2]


def test_every_table_gets_the_same_deal_and_nobody_is_told_it_before_the_stage_is_closed(
    context: AppContext, clock: Clock
) -> None:
    host, slug = opened(context, same_deal=True, stages=1)
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    stages_service.start_stage(context, slug, host.id)
    one, two = playing(context)
    while one.id in {table.id for table in playing(context)}:
        clock.advance(60)
        context.write(play.run_due, one.id)
    deal = state(context, slug).stages[0].deal
    with context.database.reading() as connection:
        assert deal
        assert deal not in str(exported(load_tournament_page(context, connection, slug, host.id)))
        with pytest.raises(Forbidden, match="same deal"):
            match_record(connection, one.slug)
    play_out(context, clock)
    context.write(stages_service.close_stage, slug, host.id)
    with context.database.reading() as connection:
        records = [match_record(connection, table.slug) for table in (one, two)]
        assert deal in str(exported(load_tournament_page(context, connection, slug, None)))
    first, second = (next(move for move in record["moves"] if move["seat"] == 0) for record in records)
    assert first == second


def test_who_leaves_is_played_by_a_bot_and_may_come_back(context: AppContext) -> None:
    host, slug = opened(context, drop_out="bot")
    ann = welcome(context, "Ann")
    context.write(tournament_entries.enter, slug, ann.id, "Ann")
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    stages_service.start_stage(context, slug, host.id)

    def stand_in() -> str | None:
        with context.database.reading() as connection:
            seat = select(models.Seat.stand_in).where(models.Seat.player_id == ann.id)
            found: str | None = connection.execute(seat).scalar_one()
            return found

    context.write(tournament_entries.withdraw, slug, ann.id, 1)
    assert stand_in() == "left"
    context.write(tournament_entries.come_back, slug, ann.id, 1)
    assert stand_in() is None


def test_a_reserve_takes_the_chair_of_who_leaves(context: AppContext) -> None:
    host, slug = opened(context, drop_out="reserve")
    ann, bob = welcome(context, "Ann"), welcome(context, "Bob")
    context.write(tournament_entries.enter, slug, ann.id, "Ann")
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    context.write(tournament_entries.enter, slug, bob.id, "Bob")
    stages_service.start_stage(context, slug, host.id)
    context.write(tournament_entries.withdraw, slug, ann.id, 1)
    with context.database.reading() as connection:
        sitting = connection.execute(select(models.Seat.player_id, models.Seat.name)).all()
    assert (bob.id, "Bob") in sitting
    assert ann.id not in {player_id for player_id, _ in sitting}
    (table,) = (table for table in playing(context) if bob.id in sitters(context, table))
    page = Party(context, table.slug, (ann,)).look(ann)
    assert (page.transfer.is_removed, page.transfer.lost_how) == (False, "withdrew")


def test_teams_of_bots_are_filled_up(context: AppContext) -> None:
    host, slug = opened(context, teams={"size": 2})
    ann = welcome(context, "Ann")
    context.write(tournament_entries.enter, slug, ann.id, "Ann", "Owls")
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    assert [entry.team for entry in state(context, slug).entries] == ["Owls", "Owls", "Team 1", "Team 1"]


def test_only_the_organiser_arranges_and_every_correction_is_logged(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context)
    ann = welcome(context, "Ann")
    context.write(tournament_entries.enter, slug, ann.id, "Ann")
    with pytest.raises(Conflict):
        context.write(tournament_entries.enter, slug, ann.id, "Ann")
    with pytest.raises(Forbidden):
        context.write(tournament_entries.add_bots, slug, ann.id, 3, "gentle")
    with pytest.raises(Forbidden):
        stages_service.start_stage(context, slug, ann.id)
    context.write(tournament_entries.withdraw, slug, ann.id, 1)
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    stages_service.start_stage(context, slug, host.id)
    play_out(context, clock)
    with pytest.raises(Refused, match="why"):
        context.write(corrections.write_down, slug, host.id, 1, 1, ("3", "5"), " ")
    context.write(corrections.write_down, slug, host.id, 1, 1, ("3", "5"), "Miscounted")
    context.write(stages_service.close_stage, slug, host.id)
    context.write(corrections.adjust, slug, host.id, 2, "-0.5", "Late")
    context.write(corrections.end, slug, host.id, "The kettle boils")
    with context.database.reading() as connection:
        page = load_tournament_page(context, connection, slug, ann.id)
    assert page.log == (
        "Table 1 was corrected to 3, 5: Miscounted",
        "Bot 2: −0.5 points: Late",
        "Ended early: The kettle boils",
    )
    assert page.held.over


@pytest.mark.parametrize(("points", "reason"), [("x", "Why"), ("nan", "Why"), ("1e99", "Why"), ("1", "")])
def test_bad_adjustments_change_nothing(context: AppContext, points: str, reason: str) -> None:
    host, slug = opened(context)
    context.write(tournament_entries.add_bots, slug, host.id, 2, "gentle")
    before = state(context, slug)
    with pytest.raises(Refused):
        context.write(corrections.adjust, slug, host.id, 1, points, reason)
    assert state(context, slug) == before


def test_the_log_is_read_again_after_a_restart(open_context: OpenContext, sqlite_url: str) -> None:
    context = open_context(sqlite_url)
    host, slug = opened(context)
    context.write(tournament_entries.add_bots, slug, host.id, 4, "steady")
    stages_service.start_stage(context, slug, host.id)
    assert state(open_context(sqlite_url), slug) == state(context, slug)


def test_a_friend_takes_over_an_entry_with_the_seat(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context)
    ann, zoe = welcome(context, "Ann"), welcome(context, "Zoe")
    context.write(tournament_entries.enter, slug, ann.id, "Ann")
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    stages_service.start_stage(context, slug, host.id)
    with context.database.reading() as connection:
        table = load_tournament_page(context, connection, slug, ann.id).my_table
    assert table
    assert table.slug
    token = context.write(seat_transfer.hand_over, table.slug, ann.id)
    with context.database.reading() as connection:
        assert seat_transfer.offer_of(context, connection, token).name == "Ann"
    assert context.write(seat_transfer.claim, token, zoe.id, "Zoe") == table.slug
    with context.database.reading() as connection:
        mine, theirs = (
            load_tournament_page(context, connection, slug, ann.id),
            load_tournament_page(context, connection, slug, zoe.id),
        )
    assert mine.my_table is None
    assert theirs.my_table
    assert theirs.mine
    assert theirs.mine.name == "Ann"  # the entry plays under its name, whoever holds its cards


def test_who_plays_in_a_tournament_takes_over_no_other_entry(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context)
    guests = [welcome(context, name) for name in ("Ann", "Bob", "Cem", "Dot")]
    for guest in guests:
        context.write(tournament_entries.enter, slug, guest.id, guest.name)
    stages_service.start_stage(context, slug, host.id)
    with context.database.reading() as connection:
        tables = [load_tournament_page(context, connection, slug, guest.id).my_table for guest in guests]
    assert tables[0]
    assert tables[0].slug
    away = next(guest for guest, table in zip(guests, tables, strict=True) if table and table.slug != tables[0].slug)
    token = context.write(seat_transfer.hand_over, tables[0].slug, guests[0].id)
    with refused(context, Refused, "ENTERED_ALREADY"):
        context.write(seat_transfer.claim, token, away.id, away.name)
    with refused(context, Refused, "IN_TOURNAMENT"):
        context.write(seat_transfer.wait, tables[0].slug, away.id, away.name)


def test_nothing_is_taken_back_at_a_finished_table(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context, stages=1)
    ann = welcome(context, "Ann")
    context.write(tournament_entries.enter, slug, ann.id, "Ann")
    context.write(tournament_entries.add_bots, slug, host.id, 3, "gentle")
    stages_service.start_stage(context, slug, host.id)
    context.write(tournament_entries.withdraw, slug, ann.id, 1)
    play_out(context, clock)
    before = state(context, slug)
    with context.database.reading() as connection:
        seat = select(models.Seat.table_id).where(models.Seat.player_id == ann.id)
        table = connection.execute(select(models.Table).where(models.Table.id == seat.scalar_subquery())).one()
    context.write(takeback.set_rule, table.slug, host.id, takeback.VOTE)
    with pytest.raises(Conflict):
        context.write(takeback.take_back, table.slug, ann.id, table.version + 1)
    assert state(context, slug) == before


def test_a_knockouts_stage_has_its_lot_sealed_and_told(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context, format="knockout", stages=1, advance=1)
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    while not state(context, slug).over:
        stages_service.start_stage(context, slug, host.id)
        stage = state(context, slug).stages[-1]
        assert bool(stage.lot_seal) is not stage.is_final
        assert not stage.lot
        with context.database.writer.begin() as connection:
            raise_epoch(connection)  # the room is put back from a copy: the lot is the one whose seal was told
        play_out(context, clock)
        context.write(stages_service.close_stage, slug, host.id)
    first, final = state(context, slug).stages
    assert lot_seal(1, first.lot) == first.lot_seal
    assert (final.lot, final.lot_seal) == ("", "")
    with context.database.reading() as connection:
        (number,) = connection.execute(select(models.Tournament.id)).scalars()
        assert faults_of_tournament(connection, number) == []
