"""A table on which the rules fail is put away with all its data; its page says so, the others play on."""

import asyncio
import logging
import sqlite3
from queue import Queue
from typing import Any

import pytest
from sqlalchemy import select, text, update
from starlette.testclient import TestClient

from app.jobs.scheduler import Scheduler
from app.services.accounts.deletion import forget_player
from app.services.context import AppContext
from app.services.errors import Conflict, Frozen
from app.services.integrity.room import check_tables, release
from app.services.integrity.tables import faults_of_table
from app.services.play import play
from app.services.seats import presence
from app.services.table.rounds import RoundCache
from app.storage import models
from app.storage.cache import VersionedCache
from app.storage.group_writer import PreparedTransaction
from app.storage.writer import Transaction
from snug.engine import match as matches
from snug.engine.cards import CARDS
from snug.engine.game import IllegalMove
from snug.games import GAMES
from tests.conftest import Clock
from tests.factories import Party, begin, nothing_changes, refused
from tests.pages import HTMX
from tests.services.tournaments.test_same_deal import same_deal
from tests.web.conftest import Visit

pytestmark = pytest.mark.usefixtures("nobody_looks_around")


def forget_what_is_at_hand(context: AppContext) -> None:
    """As in a room that has just been opened."""
    context.rounds, context.snapshots = RoundCache(), VersionedCache()


def damage(party: Party, statement: Any = None) -> None:
    """The table's last deal is not a deal any more; another statement damages something else."""
    if statement is None:
        deal = next(move for move in reversed(party.moves()) if move.seat == 0)
        one = (models.Move.round_id == deal.round_id) & (models.Move.number == deal.number)
        cards = [deal.move["cards"][1], *deal.move["cards"][1:]]
        statement = update(models.Move).where(one).values(move={**deal.move, "cards": cards})

    def work(_context: AppContext, transaction: Transaction, /) -> None:
        assert transaction.connection.execute(statement).rowcount

    party.context.write(work)
    forget_what_is_at_hand(party.context)


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


def assert_frozen_page(browser: TestClient, party: Party, **headers: str) -> None:
    answer = browser.get(f"/t/{party.slug}", headers=headers)
    assert answer.status_code == 503
    assert "This table rests" in answer.text
    assert "Nothing is lost" in answer.text
    assert party.row.code in answer.text
    assert 'id="poll"' not in answer.text


@pytest.fixture
def other(app_context: AppContext) -> Party:
    """A second table in play."""
    return begin(app_context, 2, rounds=2)


def test_a_damaged_table_shows_a_calm_page_and_the_others_play_on(
    party: Party, other: Party, visit: Visit, caplog: pytest.LogCaptureFixture
) -> None:
    browser = visit(party.guests[0])
    damage(party)
    for _ in range(3):
        assert_frozen_page(browser, party)
    (told,) = errors(caplog)
    assert told.startswith(
        f"table {party.row.code} is frozen with all that is stored of it: IllegalMove IMPOSSIBLE_OUTCOME "
    )
    assert not [card for card in CARDS if f" {card} " in told]
    turn = other.turn()
    assert turn
    sitting = visit(next(guest for guest in other.guests if guest.id == turn.player))
    done = sitting.post(f"/t/{other.slug}/moves", data={**turn.moves[0], "seen": str(turn.version)}, headers=HTMX)
    assert done.status_code == 200


def test_a_post_is_refused_and_changes_nothing(party: Party, visit: Visit) -> None:
    turn = party.turn()
    assert turn
    browser = visit(party.guests[0])
    damage(party)
    assert_frozen_page(browser, party)
    with nothing_changes(party.context.database):
        for path, fields in (
            ("moves", {**turn.moves[0], "seen": str(turn.version)}),
            ("talk", {"text": "Hello?"}),
            ("pause", {}),
            ("ready", {}),
        ):
            answer = browser.post(f"/t/{party.slug}/{path}", data=fields)
            assert answer.status_code == 503
            assert "Nothing is lost" in answer.text


def test_an_open_page_is_loaded_anew_once_and_asks_no_more(party: Party, visit: Visit) -> None:
    browser = visit(party.guests[0])
    seen = party.version
    damage(party)
    answer = browser.get(f"/t/{party.slug}/live?seen=0", headers=HTMX)
    assert (answer.status_code, answer.headers["HX-Refresh"]) == (503, "true")
    assert party.version == seen + 1  # by which every poll that waits is answered
    assert browser.get(f"/t/{party.slug}/live?seen={seen}", headers=HTMX).headers["HX-Refresh"] == "true"


def test_the_first_move_at_a_damaged_table_finds_it_out(party: Party, visit: Visit) -> None:
    turn = party.turn()
    assert turn
    browser = visit(party.guests[0])
    damage(party)
    moves = len(party.moves())
    answer = browser.post(f"/t/{party.slug}/moves", data={**turn.moves[0], "seen": str(turn.version)}, headers=HTMX)
    assert answer.status_code == 503
    assert party.row.quarantined_at
    assert len(party.moves()) == moves


@pytest.mark.parametrize(
    "statement",
    [
        'UPDATE moves SET move = \'{"move": "pa\' WHERE number = 1 AND round_id = {round}',
        "UPDATE tables SET options = '{{' WHERE id = {id}",
    ],
)
def test_what_cannot_be_read_is_put_away(party: Party, other: Party, visit: Visit, statement: str) -> None:
    damage(party, text(statement.replace("{id}", str(party.row.id)).replace("{round}", str(party.moves()[0].round_id))))
    browser = visit(party.guests[0])
    answer = browser.get(f"/t/{party.slug}")
    assert answer.status_code == 503
    with party.context.database.reading() as connection:
        frozen = select(models.Table.slug).where(models.Table.quarantined_at.is_not(None))
        assert party.slug in connection.execute(frozen).scalars().all()
    assert browser.get("/").status_code == 200
    assert visit(other.guests[0]).get(f"/t/{other.slug}").status_code == 200


def test_the_lobby_and_the_tournament_of_a_damaged_table_open(app_context: AppContext, visit: Visit) -> None:
    visit(None)
    _, one, two = same_deal(app_context)
    damage(one)
    browser = visit(one.guests[0])
    for _ in range(2):
        lobby = browser.get("/")
        assert lobby.status_code == 200
        assert f"/t/{one.slug}" in lobby.text
    assert one.row.quarantined_at
    with app_context.database.reading() as connection:
        slug = connection.execute(select(models.Tournament.slug)).scalar_one()
    assert browser.get(f"/tournaments/{slug}").status_code == 200
    assert visit(two.guests[0]).get(f"/t/{two.slug}").status_code == 200


def tick(context: AppContext) -> float:
    return Scheduler(context)._run_due()


def test_the_scheduler_leaves_a_frozen_table_alone(
    app_context: AppContext, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = (begin(app_context, 1, bots=1, pace="brisk") for _ in range(2))
    broken.move()
    sound.move()
    damage(broken)
    moves = len(sound.moves())
    for _ in range(3):
        clock.advance(60)
        tick(app_context)
    assert len(errors(caplog)) == 1
    assert not caplog.records[0].exc_info
    assert len(sound.moves()) > moves
    assert broken.due_at() is None
    app_context.write(presence.update_presence, broken.slug, [broken.guests[0].id])
    app_context.write(forget_player, broken.guests[0].id)
    assert "Alice" not in str(broken.row)


def test_rules_that_fail_undo_the_move_and_lose_nothing(
    party: Party, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_args: Any) -> None:
        raise RuntimeError("the seven of clubs is nowhere")

    monkeypatch.setattr(type(GAMES["lucky_paw"]), "automatic", fail)
    turn, before = party.turn(), [*map(repr, party.moves())]
    assert turn
    with pytest.raises(Frozen):
        party.context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)
    assert [*map(repr, party.moves())] == before
    row = party.row
    assert row.quarantined_why
    assert row.quarantined_why.startswith("RuntimeError in web/test_frozen.py")
    assert "clubs" not in caplog.text
    (told,) = check_tables(party.context.database)
    assert [str(fault).startswith("frozen since") for fault in told.faults] == [True]


def test_what_the_database_cannot_do_is_not_the_tables_fault(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    store, turn = Transaction.store, party.turn()
    assert turn

    def fail(transaction: Transaction, sql: Any, *values: Any) -> None:
        store(transaction, sql, *values)
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(PreparedTransaction, "store", fail)
        with pytest.raises(sqlite3.OperationalError):
            party.context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)
    assert party.row.quarantined_at is None
    party.move()


def test_a_move_that_would_lose_a_card_is_undone(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    turn, cards = party.turn(), GAMES["lucky_paw"].cards
    assert turn
    played: list[Any] = []

    def fewer(state: Any) -> Any:
        played.append(state)
        return cards(state)[len(played) == 2 :]

    monkeypatch.setattr(type(GAMES["lucky_paw"]), "cards", staticmethod(fewer))
    before = len(party.moves())
    with pytest.raises(Frozen):
        party.context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)
    assert len(party.moves()) == before
    assert party.row.quarantined_why == "a move would have lost, added or changed a card"


def test_what_somebody_made_up_freezes_nothing(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = party.turn()
    assert turn
    playing = matches.play

    def fail(match: Any, seat: int, move: Any) -> Any:
        if getattr(move, "stack", 0) == 99:
            raise KeyError(move)
        return playing(match, seat, move)

    monkeypatch.setattr(matches, "play", fail)
    made_up = {"move": "play", "stack": 99, "open": 1}
    with nothing_changes(party.context.database), pytest.raises(KeyError):
        party.context.write(play.play, party.slug, turn.player, made_up, turn.version)
    assert party.row.quarantined_at is None


def test_a_refused_move_freezes_nothing(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = party.turn()
    assert turn

    def refuse(*_args: Any) -> None:
        raise IllegalMove("EMPTY_STACK", "There is nothing there.")

    monkeypatch.setattr(matches, "play", refuse)
    with nothing_changes(party.context.database), pytest.raises(Exception, match="There is nothing there"):
        party.context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)


def test_a_table_is_released_only_when_nothing_is_wrong(
    app_context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = begin(app_context, 2, bots=1, pace="brisk", rounds=2)
    turn = party.turn()
    assert turn
    with refused(app_context, Conflict):
        app_context.write(release, party.row.code)
    with monkeypatch.context() as patch:
        patch.setattr(type(GAMES["lucky_paw"]), "automatic", None)
        with pytest.raises(Frozen):
            app_context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)
    clock.advance(3600)
    app_context.write(release, party.row.code.lower())
    assert party.row.quarantined_at is None
    again = party.turn()
    assert again
    assert (again.seat, again.moves) == (turn.seat, turn.moves)
    app_context.write(play.run_due, party.slug)
    party.move()
    with app_context.database.reading() as connection:
        assert faults_of_table(connection, party.row.id) == []
    turn = party.turn()
    assert turn
    damage(party)
    with pytest.raises(Frozen):
        app_context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)
    with refused(app_context, Conflict):
        app_context.write(release, party.row.code)


def test_a_poll_that_waits_is_answered(party: Party) -> None:
    context = party.context
    heard: Queue[int | None] = Queue()
    context.pubsub.listen(lambda slug, _due_at: heard.put(context.pubsub.version(slug)))
    turn = party.turn()
    assert turn
    damage(party)
    with pytest.raises(Frozen):
        asyncio.run(context.write_soon(play.play, party.slug, turn.player, turn.moves[0], turn.version))
    while heard.get(timeout=10) != party.version:  # told right after the answer, in the end: else the queue is empty
        pass
