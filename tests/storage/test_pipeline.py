"""Many tables' moves in one commit of PostgreSQL: each as if it were alone, and none of them twice or lost."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from sqlalchemy import func, insert, select, text

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.play import play
from app.services.seats import create, seats
from app.services.table.open_table import open_table
from app.storage import models
from app.storage.pipeline import Ids, Statement, Written
from app.storage.writer import BufferedTransaction, Transaction
from snug.games import GAMES
from tests.conftest import OpenContext
from tests.factories import INSTANT, NAMES, Party, Turn, begin, nothing_changes, welcome

pytestmark = pytest.mark.postgres

TABLES = 4
Answers = list[bool | Exception]


@pytest.fixture
def house(open_context: OpenContext, postgres_url: str) -> AppContext:
    """A process among several."""
    return open_context(postgres_url)


@pytest.fixture
def parties(house: AppContext) -> list[Party]:
    """Tables in play that this process has at hand."""
    parties = [begin(house, 2, rounds=2) for _ in range(TABLES)]
    for party in parties:
        party.look()
    return parties


def turn_at(party: Party) -> Turn:
    """Whose turn it is."""
    turn = party.turn()
    assert turn
    return turn


def written(party: Party, answers: Answers) -> Written:
    """A move as it is written down from what is at hand."""
    turn, draft = turn_at(party), BufferedTransaction(party.context.writer._pipeline.ids)  # type: ignore[attr-defined]
    assert play.play(party.context, draft, party.slug, turn.player, turn.moves[0], turn.version)
    found = draft.written(answers.append)
    assert found
    return found


def commit(house: AppContext, group: list[Written]) -> None:
    """Stores these together."""
    house.writer._pipeline._commit(group)  # type: ignore[attr-defined]


def count_commits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows with every commit that the driver sends."""
    commits: list[str] = []
    real = psycopg.Connection.commit

    def commit(self: Any) -> None:
        commits.append("commit")
        real(self)

    monkeypatch.setattr(psycopg.Connection, "commit", commit)
    return commits


def moved(parties: list[Party]) -> list[int]:
    """How many moves of people are stored for each table."""
    return [sum(move.seen is not None for move in party.moves()) for party in parties]


def test_what_waits_is_committed_together(
    house: AppContext, parties: list[Party], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: Answers = []
    group = [written(party, answers) for party in parties]
    commits = count_commits(monkeypatch)
    commit(house, group)
    assert commits == ["commit"]
    assert answers == [True] * TABLES
    assert moved(parties) == [1] * TABLES


def test_no_group_is_thrown_back_whatever_follows_from_its_moves(house: AppContext) -> None:
    """Ends of rounds, whose next deal is sealed with bytes, like everything else."""
    for game in GAMES.values():
        guests = tuple(welcome(house, name) for name in NAMES[: game.seats[0]])
        slug = house.write(create.create_table, guests[0].id, game.key, len(guests), {}, INSTANT)
        for seat, guest in enumerate(guests[1:], 2):
            house.write(seats.take_seat, slug, guest.id, seat, guest.name)
        house.write(seats.start, slug, guests[0].id)
        party = Party(house, slug, guests)
        party.look()
        party.play_round(random.Random(4))
        party.everybody_is_ready()
    with house.database.reading() as connection:
        secrets = connection.execute(select(models.Deal.secret)).scalars().all()
    assert len(secrets) > len(GAMES)
    assert {len(secret) for secret in secrets} == {32}
    assert house.writer._pipeline.thrown_back == 0  # type: ignore[attr-defined]


def test_what_cannot_be_written_down_is_told(
    house: AppContext, parties: list[Party], caplog: pytest.LogCaptureFixture
) -> None:
    answers: Answers = []
    group = [written(party, answers) for party in parties]
    group[1].rest = [*group[1].rest, Statement(insert(models.Mute), {"player_id": object(), "table_id": 1})]
    commit(house, group)
    assert answers == [False] * TABLES
    assert house.writer._pipeline.thrown_back == 1  # type: ignore[attr-defined]
    (told,) = (record for record in caplog.records if record.name == "app.storage.pipeline")
    assert told.exc_info
    assert told.levelname == "ERROR"


def test_a_work_that_fails_while_it_is_written_down_is_told_and_done_all_the_same(
    house: AppContext, parties: list[Party], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: BufferedTransaction, sql: object, values: object) -> None:
        raise TypeError("a fault of ours")

    monkeypatch.setattr(BufferedTransaction, "claim", fail)
    parties[0].move()
    assert moved(parties[:1]) == [1]
    assert "a fault of ours" in caplog.text


def test_a_table_that_was_changed_meanwhile_is_left_out(
    house: AppContext, parties: list[Party], open_context: OpenContext, postgres_url: str
) -> None:
    """Be it that no page shows the change."""
    answers: Answers = []
    group = [written(party, answers) for party in parties]
    there = replace(parties[1], context=open_context(postgres_url))

    def ask(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
        with open_table(context, transaction, slug, by=player_id) as table:
            table.change_seat(table.me, quietly=True, asked=1)

    there.write(ask, 1)
    commit(house, group)
    assert answers == [True, False, True, True]
    assert moved(parties) == [1, 0, 1, 1]


def test_of_two_moves_at_a_table_one_is_stored(house: AppContext, parties: list[Party]) -> None:
    answers: Answers = []
    commit(house, [written(parties[0], answers), written(parties[0], answers), written(parties[1], answers)])
    assert answers == [True, False, True]
    assert moved(parties) == [1, 1, 0, 0]


def test_nobody_waits_for_a_table_that_somebody_holds(house: AppContext, parties: list[Party]) -> None:
    answers: Answers = []
    group = [written(party, answers) for party in parties]
    with house.database.writer.begin() as connection:
        held = select(models.Table.id).where(models.Table.slug == parties[2].slug)
        connection.execute(held.with_for_update())
        commit(house, group)
    assert answers == [True, True, False, True]


def test_what_the_database_refuses_stores_nothing_of_the_group(house: AppContext, parties: list[Party]) -> None:
    answers: Answers = []
    group = [written(party, answers) for party in parties]
    row = {"player_id": 0, "table_id": 0}
    group[1].rest = [*group[1].rest, Statement(insert(models.Mute), row)]
    with nothing_changes(house.database):
        commit(house, group)
    assert answers == [False] * TABLES
    for party in parties:
        party.move()
    assert moved(parties) == [1] * TABLES


def test_a_round_that_begins_reads_what_it_is_dealt_from(house: AppContext, parties: list[Party]) -> None:
    for party in parties[:2]:
        party.pass_round()
        assert party.row.commitment
        party.everybody_is_ready()
        assert party.row.commitment is None
    parties[0].move()
    parties[1].pass_round()
    last = turn_at(parties[0]).match
    assert last.number == 2
    assert {move.round_id for move in parties[0].moves()}.isdisjoint(move.round_id for move in parties[1].moves())
    assert parties[1].row.status == "finished"
    with house.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(models.Result)).scalar_one() == 2


def test_a_new_id_is_above_that_of_another_process(house: AppContext) -> None:
    """Whatever each of them has at hand: a seat's cards stay closed by the ids of rounds."""
    here, there = Ids(), Ids()
    assert here.take("rounds", 0) is None
    assert there.take("rounds", 0) is None
    with house.database.writer.connect() as connection:
        line: Any = connection.connection.driver_connection
        here.fetch(line)
        there.fetch(line)
        first = here.take("rounds", 0)
        assert first
        second = there.take("rounds", first)
        assert second
        assert second > first + 1
        assert here.take("rounds", second) is None, "what it had is out of date"
        here.fetch(line)
        third = here.take("rounds", second)
        assert third
        assert third > second


def test_a_refused_move_is_nobody_elses_trouble(house: AppContext, parties: list[Party]) -> None:
    async def all_at_once() -> list[Any]:
        moves = [
            (
                party.slug,
                turn.player,
                turn.moves[0] if number else {"move": "play", "stack": 9, "open": 9},
                turn.version,
            )
            for number, (party, turn) in enumerate((party, turn_at(party)) for party in parties)
        ]
        return await asyncio.gather(*(house.write_soon(play.play, *move) for move in moves), return_exceptions=True)

    refused, *played = asyncio.run(all_at_once())
    assert isinstance(refused, Refused)
    assert played == [True] * (TABLES - 1)
    assert moved(parties) == [0] + [1] * (TABLES - 1)


def cut_off(connection: "psycopg.Connection[Any]") -> None:
    """Ends a connection as a restart of the database would."""
    with psycopg.connect(connection.info.dsn, autocommit=True) as another:
        another.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])


def before_the_commit(connection: "psycopg.Connection[Any]", commit: Callable[[Any], None]) -> None:
    """It never arrives."""
    cut_off(connection)
    commit(connection)


def before_the_answer(connection: "psycopg.Connection[Any]", commit: Callable[[Any], None]) -> None:
    """It is done, its answer is lost."""
    commit(connection)
    cut_off(connection)
    raise psycopg.OperationalError("the connection is lost")


@pytest.mark.parametrize("cut", [before_the_commit, before_the_answer])
def test_a_connection_lost_at_the_commit_plays_the_move_once(
    house: AppContext, parties: list[Party], monkeypatch: pytest.MonkeyPatch, cut: Callable[..., None]
) -> None:
    real, cuts = psycopg.Connection.commit, [cut]

    def lose(self: Any) -> None:
        if cuts:
            cuts.pop()(self, real)
        else:
            real(self)

    turn = turn_at(parties[0])
    monkeypatch.setattr(psycopg.Connection, "commit", lose)
    assert house.write(play.play, parties[0].slug, turn.player, turn.moves[0], turn.version) is True
    assert not cuts
    assert moved(parties[:1]) == [1]
    assert house.pubsub.version(parties[0].slug) == turn.version + 1
    parties[0].look()
    parties[0].move()
    assert moved(parties[:1]) == [2]


def test_a_line_that_was_lost_between_two_moves_loses_none(house: AppContext, parties: list[Party]) -> None:
    parties[0].move()
    with house.database.writer.begin() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    for party in parties:
        party.move()
    assert moved(parties) == [2, 1, 1, 1]


def test_after_the_end_a_move_goes_its_own_way(house: AppContext, parties: list[Party]) -> None:
    house.writer.close()
    parties[0].move()
    assert moved(parties) == [1, 0, 0, 0]


def test_who_goes_away_has_moved_all_the_same(house: AppContext, parties: list[Party]) -> None:
    turn = turn_at(parties[0])

    async def leave() -> None:
        move = house.write_soon(play.play, parties[0].slug, turn.player, turn.moves[0], turn.version)
        task = asyncio.ensure_future(move)
        await asyncio.sleep(0)
        task.cancel()
        while house.pubsub.version(parties[0].slug) == turn.version:
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(leave(), 10))
    assert moved(parties[:1]) == [1]
