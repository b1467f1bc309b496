"""Tournaments as they are stored: the log, results exactly once, the same deal, who may do what."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from app import models
from app.db import AnyRow
from app.rules.tournament.events import TableFinished
from app.rules.tournament.state import Tournament
from app.services import contests, entrants, handover, play, rulings, tournaments, undo
from app.services.errors import Conflict, Forbidden, Refused
from app.services.hall import exported, load_hall
from app.services.house import House
from app.services.records import match_record
from tests.conftest import Clock, OpenHouse
from tests.factories import GAME, Guest, refused, welcome

STAGE = {"game": GAME, "options": {"rounds": 1}, "size": 2}


def plan(format: str = "swiss", stages: int = 2, **more: Any) -> dict[str, Any]:
    return {"format": format, "stages": [STAGE] * stages, "players": 4, **more}


def opened(house: House, *, starts: str = "hand", **more: Any) -> tuple[Guest, str]:
    """A tournament of an organiser who does not play."""
    host = welcome(house, "Host")
    slug = house.write(tournaments.open_tournament, host.id, "Cup", plan(**more), starts, 5, "instant")
    return host, slug


def state(house: House, slug: str) -> Tournament:
    with house.database.reading() as connection:
        return contests.folded(connection, contests.find(connection, slug))


def playing(house: House) -> list[AnyRow]:
    with house.database.reading() as connection:
        tables = select(models.Table).where(models.Table.stage != play.FINISHED).order_by(models.Table.id)
        return list(connection.execute(tables).all())


def play_out(house: House, clock: Clock) -> None:
    """Bots play every table to its end."""
    for _ in range(3000):
        tables = playing(house)
        if not tables:
            return
        clock.advance(60)
        for table in tables:
            house.write(play.attend, table.id)
    raise AssertionError("the tables do not end")


def test_bots_play_two_stages_by_hand_to_the_end(house: House, clock: Clock) -> None:
    host, slug = opened(house)
    house.write(entrants.add_bots, slug, host.id, 4, "easy")
    for _ in range(2):
        tournaments.start_stage(house, slug, host.id)
        with pytest.raises(Refused, match="still playing"):
            house.write(tournaments.close_stage, slug, host.id)
        play_out(house, clock)
        house.write(tournaments.close_stage, slug, host.id)
    tournament = state(house, slug)
    assert tournament.over
    assert sum(isinstance(event, TableFinished) for event in tournament.log) == 4
    with house.database.reading() as connection:
        hall = load_hall(house, connection, slug, None)
    assert sorted(row.place for row in hall.rows)[0] == 1
    assert len(hall.rows) == 4


def test_stages_start_and_close_by_themselves_when_all_tables_are_done(house: House, clock: Clock) -> None:
    host, slug = opened(house, starts="done")
    house.write(entrants.add_bots, slug, host.id, 4, "easy")
    tournaments.start_stage(house, slug, host.id)
    for _ in range(4):
        play_out(house, clock)
        tournaments.attend_due(house)
        tournaments.attend_due(house)
    assert state(house, slug).over


def test_a_stage_by_time_waits_for_its_minutes(house: House, clock: Clock) -> None:
    host, slug = opened(house, starts="time")
    house.write(entrants.add_bots, slug, host.id, 4, "easy")
    clock.advance(299)
    tournaments.attend_due(house)
    assert not state(house, slug).stages
    clock.advance(1)
    tournaments.attend_due(house)
    assert len(state(house, slug).stages) == 1


def test_too_few_at_the_time_wait_for_the_organiser(house: House, clock: Clock) -> None:
    _, slug = opened(house, starts="time")
    clock.advance(300)
    tournaments.attend_due(house)
    with house.database.reading() as connection:
        assert contests.find(connection, slug).due_at is None
    assert not state(house, slug).stages


def test_two_tables_that_end_at_once_are_both_written_once(
    open_house: OpenHouse, database_url: str, clock: Clock
) -> None:
    house = open_house(database_url)
    host, slug = opened(house)
    house.write(entrants.add_bots, slug, host.id, 4, "easy")
    tournaments.start_stage(house, slug, host.id)
    with ThreadPoolExecutor(2) as both:
        while tables := playing(house):
            clock.advance(60)
            list(both.map(lambda table: house.write(play.attend, table.id), [*tables, *tables]))
    results = [event for event in state(house, slug).log if isinstance(event, TableFinished)]
    assert sorted(event.table for event in results) == [1, 2]


def test_every_table_gets_the_same_deal_and_nobody_is_told_it_before_the_stage_is_closed(
    house: House, clock: Clock
) -> None:
    host, slug = opened(house, same_deal=True, stages=1)
    house.write(entrants.add_bots, slug, host.id, 4, "easy")
    tournaments.start_stage(house, slug, host.id)
    one, two = playing(house)
    assert one.watchers == "none"
    while one.id in {table.id for table in playing(house)}:
        clock.advance(60)
        house.write(play.attend, one.id)
    deal = state(house, slug).stages[0].deal
    with house.database.reading() as connection:
        assert deal
        assert deal not in str(exported(load_hall(house, connection, slug, host.id)))
        with pytest.raises(Forbidden, match="same deal"):
            match_record(connection, one.slug)
    play_out(house, clock)
    house.write(tournaments.close_stage, slug, host.id)
    with house.database.reading() as connection:
        records = [match_record(connection, table.slug) for table in (one, two)]
        assert deal in str(exported(load_hall(house, connection, slug, None)))
    first, second = (next(move for move in record["moves"] if move["seat"] == 0) for record in records)
    assert first == second


def test_who_leaves_is_played_by_a_bot_and_may_come_back(house: House) -> None:
    host, slug = opened(house, drop_out="bot")
    ann = welcome(house, "Ann")
    house.write(entrants.enter, slug, ann.id, "Ann")
    house.write(entrants.add_bots, slug, host.id, 3, "easy")
    tournaments.start_stage(house, slug, host.id)

    def stand_in() -> str | None:
        with house.database.reading() as connection:
            seat = select(models.Seat.stand_in).where(models.Seat.player_id == ann.id)
            found: str | None = connection.execute(seat).scalar_one()
            return found

    house.write(entrants.withdraw, slug, ann.id, 1)
    assert stand_in() == "good"
    house.write(entrants.come_back, slug, ann.id, 1)
    assert stand_in() is None


def test_a_reserve_takes_the_chair_of_who_leaves(house: House) -> None:
    host, slug = opened(house, drop_out="reserve")
    ann, bob = welcome(house, "Ann"), welcome(house, "Bob")
    house.write(entrants.enter, slug, ann.id, "Ann")
    house.write(entrants.add_bots, slug, host.id, 3, "easy")
    house.write(entrants.enter, slug, bob.id, "Bob")
    tournaments.start_stage(house, slug, host.id)
    house.write(entrants.withdraw, slug, ann.id, 1)
    with house.database.reading() as connection:
        sitting = connection.execute(select(models.Seat.player_id, models.Seat.name)).all()
    assert (bob.id, "Bob") in sitting
    assert ann.id not in {player_id for player_id, _ in sitting}


def test_teams_of_bots_are_filled_up(house: House) -> None:
    host, slug = opened(house, teams={"size": 2})
    ann = welcome(house, "Ann")
    house.write(entrants.enter, slug, ann.id, "Ann", "Owls")
    house.write(entrants.add_bots, slug, host.id, 3, "easy")
    assert [entry.team for entry in state(house, slug).entries] == ["Owls", "Owls", "Team 1", "Team 1"]


def test_only_the_organiser_arranges_and_every_correction_is_logged(house: House, clock: Clock) -> None:
    host, slug = opened(house)
    ann = welcome(house, "Ann")
    house.write(entrants.enter, slug, ann.id, "Ann")
    with pytest.raises(Conflict):
        house.write(entrants.enter, slug, ann.id, "Ann")
    with pytest.raises(Forbidden):
        house.write(entrants.add_bots, slug, ann.id, 3, "easy")
    with pytest.raises(Forbidden):
        tournaments.start_stage(house, slug, ann.id)
    house.write(entrants.withdraw, slug, ann.id, 1)
    house.write(entrants.add_bots, slug, host.id, 4, "easy")
    tournaments.start_stage(house, slug, host.id)
    play_out(house, clock)
    with pytest.raises(Refused, match="why"):
        house.write(rulings.correct, slug, host.id, 1, "3 5", " ")
    house.write(rulings.correct, slug, host.id, 1, "3 5", "Miscounted")
    house.write(tournaments.close_stage, slug, host.id)
    house.write(rulings.adjust, slug, host.id, 2, "-0.5", "Late")
    house.write(rulings.end, slug, host.id, "The kettle boils")
    with house.database.reading() as connection:
        hall = load_hall(house, connection, slug, ann.id)
    assert hall.log == (
        "Table 1 was corrected to 3, 5: Miscounted",
        "Bot 2: -0.5 points: Late",
        "Ended early: The kettle boils",
    )
    assert hall.held.over


@pytest.mark.parametrize(("points", "reason"), [("x", "Why"), ("nan", "Why"), ("1e99", "Why"), ("1", "")])
def test_bad_adjustments_change_nothing(house: House, points: str, reason: str) -> None:
    host, slug = opened(house)
    house.write(entrants.add_bots, slug, host.id, 2, "easy")
    before = state(house, slug)
    with pytest.raises(Refused):
        house.write(rulings.adjust, slug, host.id, 1, points, reason)
    assert state(house, slug) == before


def test_the_log_is_read_again_after_a_restart(open_house: OpenHouse, sqlite_url: str) -> None:
    house = open_house(sqlite_url)
    host, slug = opened(house)
    house.write(entrants.add_bots, slug, host.id, 4, "good")
    tournaments.start_stage(house, slug, host.id)
    assert state(open_house(sqlite_url), slug) == state(house, slug)


def test_a_friend_takes_over_an_entry_with_the_seat(house: House, clock: Clock) -> None:
    host, slug = opened(house)
    ann, zoe = welcome(house, "Ann"), welcome(house, "Zoe")
    house.write(entrants.enter, slug, ann.id, "Ann")
    house.write(entrants.add_bots, slug, host.id, 3, "easy")
    tournaments.start_stage(house, slug, host.id)
    with house.database.reading() as connection:
        table = load_hall(house, connection, slug, ann.id).my_table
    assert table
    assert table.slug
    token = house.write(handover.hand_over, table.slug, ann.id)
    with house.database.reading() as connection:
        assert handover.offer_of(house, connection, token).name == "Ann"
    assert house.write(handover.claim, token, zoe.id, "Zoe") == table.slug
    with house.database.reading() as connection:
        mine, theirs = load_hall(house, connection, slug, ann.id), load_hall(house, connection, slug, zoe.id)
    assert mine.my_table is None
    assert theirs.my_table
    assert theirs.mine
    assert theirs.mine.name == "Ann"  # the entry plays under its name, whoever holds its cards


def test_who_plays_in_a_tournament_takes_over_no_other_entry(house: House, clock: Clock) -> None:
    host, slug = opened(house)
    guests = [welcome(house, name) for name in ("Ann", "Bob", "Cem", "Dot")]
    for guest in guests:
        house.write(entrants.enter, slug, guest.id, guest.name)
    tournaments.start_stage(house, slug, host.id)
    with house.database.reading() as connection:
        tables = [load_hall(house, connection, slug, guest.id).my_table for guest in guests]
    assert tables[0]
    assert tables[0].slug
    away = next(guest for guest, table in zip(guests, tables, strict=True) if table and table.slug != tables[0].slug)
    token = house.write(handover.hand_over, tables[0].slug, guests[0].id)
    with refused(house, Refused, "ENTERED_ALREADY"):
        house.write(handover.claim, token, away.id, away.name)
    with refused(house, Refused, "IN_TOURNAMENT"):
        house.write(handover.wait, tables[0].slug, away.id, away.name)


def test_nothing_is_taken_back_at_a_finished_table(house: House, clock: Clock) -> None:
    host, slug = opened(house, stages=1)
    ann = welcome(house, "Ann")
    house.write(entrants.enter, slug, ann.id, "Ann")
    house.write(entrants.add_bots, slug, host.id, 3, "easy")
    tournaments.start_stage(house, slug, host.id)
    house.write(entrants.withdraw, slug, ann.id, 1)
    play_out(house, clock)
    before = state(house, slug)
    with house.database.reading() as connection:
        seat = select(models.Seat.table_id).where(models.Seat.player_id == ann.id)
        table = connection.execute(select(models.Table).where(models.Table.id == seat.scalar_subquery())).one()
    house.write(undo.set_rule, table.slug, host.id, undo.VOTE)
    with pytest.raises(Conflict):
        house.write(undo.take_back, table.slug, ann.id, table.version + 1)
    assert state(house, slug) == before
