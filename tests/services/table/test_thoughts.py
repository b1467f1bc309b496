"""Sharp bots think beside everything else: the table goes on when they have, whatever becomes of who thought."""

import asyncio
from concurrent.futures import Future
from typing import Any

import pytest

from app.jobs import heartbeat
from app.jobs.scheduler import Scheduler
from app.services.context import AppContext
from app.services.errors import Conflict
from app.services.play import play, takeback
from app.services.search_pool import NoThought, SearchPool
from app.services.seats import create, pause, seats
from app.storage.writer import Transaction
from snug.bots import levels
from snug.bots.search import Thought
from snug.engine.game import View, plain
from tests.conftest import Clock, OpenContext
from tests.factories import GAME, INSTANT, Party, gather, welcome

FEW = 30  # positions


class Slow(SearchPool):
    """Who thinks only when the test says so."""

    def __init__(self, game_key: str = GAME) -> None:
        super().__init__(1)
        self.asked: list[tuple[View, int, Future[Thought]]] = []
        self._game_key = game_key

    def submit(self, game_key: str, view: View, seed: int, *far: Any, **how: Any) -> Future[Thought]:
        assert (game_key, far, how) == (self._game_key, (), {})
        self.asked.append((view, seed, Future()))
        return self.asked[-1][2]

    def think(self) -> Thought:
        """What was asked last is thought out."""
        view, seed, answer = self.asked[-1]
        thought = SearchPool().submit(self._game_key, view, seed, FEW).result()
        answer.set_result(thought)
        return thought


def table_of(context: AppContext, level: str = levels.SHARP) -> tuple[Party, Slow]:
    """It is the bot's turn."""
    slow = context.thinkers = Slow()
    party = gather(context, 1, seats=2, pace="brisk")
    party.write(takeback.set_rule, 1, takeback.FREE)
    party.write(seats.seat_bot, 1, 2, level)
    party.write(seats.start, 1)
    party.move()
    return party, slow


def tick(context: AppContext) -> None:
    Scheduler(context)._run_due()


def moves(party: Party) -> list[int]:
    return [row.seat for row in party.moves() if row.seat]


def test_a_sharp_bot_thinks_beside_the_table_and_its_move_is_made_then(context: AppContext, clock: Clock) -> None:
    party, slow = table_of(context)
    assert not slow.asked
    clock.advance(2)
    before = party.row
    tick(context)
    assert (moves(party), len(slow.asked)) == ([1], 1)
    waits = party.row
    assert waits.version == before.version
    assert waits.due_at
    assert waits.due_at > clock() + 1
    tick(context)
    assert len(slow.asked) == 1
    thought = slow.think()
    tick(context)
    last = party.moves()[-1]
    assert (last.seat, last.move) == (2, plain(thought.best))


def test_nobody_thinks_before_it_is_stored_who_does(context: AppContext, clock: Clock) -> None:
    """Else every process would that looks after the table at the same time."""
    party, slow = table_of(context)
    clock.advance(2)

    def come_second(context: AppContext, transaction: Transaction, slug: str) -> None:
        play.run_due(context, transaction, slug)
        raise Conflict("Another process was quicker.")

    with pytest.raises(Conflict):
        context.write(come_second, party.slug)
    assert not slow.asked
    tick(context)
    assert len(slow.asked) == 1


def test_what_is_asked_is_what_the_seat_knows(context: AppContext, clock: Clock) -> None:
    party, slow = table_of(context)
    clock.advance(2)
    tick(context)
    view, _, _ = slow.asked[0]
    assert view.seat == 2
    assert view.seen
    assert levels.thought(GAME, view, context.random, FEW).best in view.legal
    assert party.row.status == "playing"


@pytest.mark.parametrize("level", [levels.GENTLE, levels.STEADY])
def test_who_does_not_think_ahead_moves_at_once(context: AppContext, clock: Clock, level: str) -> None:
    party, slow = table_of(context, level)
    clock.advance(2)
    tick(context)
    assert moves(party) == [1, 2]
    assert not slow.asked


def test_a_thought_about_what_is_no_more_is_dropped(context: AppContext, clock: Clock) -> None:
    party, slow = table_of(context)
    clock.advance(2)
    tick(context)
    party.write(takeback.take_back, 1, party.version)
    slow.think()
    tick(context)
    assert party.turn(), "Alice moves again"
    party.move()
    clock.advance(2)
    tick(context)
    assert len(slow.asked) == 2
    thought = slow.think()
    tick(context)
    assert party.moves()[-1].move == plain(thought.best)


def test_when_who_thought_is_lost_the_move_is_thought_about_again(
    open_context: OpenContext, database_url: str, clock: Clock
) -> None:
    first = open_context(database_url)
    party, slow = table_of(first)
    clock.advance(2)
    tick(first)
    second = open_context(database_url)  # after a crash
    other = second.thinkers = Slow()
    tick(second)
    assert not other.asked, "two do not think about the same"
    clock.advance(6)
    tick(second)
    assert (len(slow.asked), len(other.asked)) == (1, 1)
    other.think()
    tick(second)
    slow.think()
    tick(first)
    assert moves(party) == [1, 2]


def test_who_cannot_even_begin_to_think_is_asked_again_soon(
    context: AppContext, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, slow = table_of(context)
    clock.advance(2)

    def fail(*_asked: Any) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patched:
        patched.setattr(slow, "submit", fail)
        tick(context)
    clock.advance(6)
    tick(context)
    slow.think()
    tick(context)
    assert moves(party) == [1, 2]


def test_without_a_thought_the_bot_plays_as_steady_ones_do(context: AppContext, clock: Clock) -> None:
    party, slow = table_of(context)
    clock.advance(2)
    tick(context)
    slow.asked[0][2].set_exception(NoThought("lost"))
    tick(context)
    assert moves(party) == [1, 2]


def test_a_game_that_is_paused_waits_with_what_was_thought(context: AppContext, clock: Clock) -> None:
    party, slow = table_of(context)
    clock.advance(2)
    tick(context)
    party.write(pause.pause, 1)
    slow.think()
    tick(context)
    assert moves(party) == [1]
    party.write(pause.resume, 1)
    clock.advance(6)
    tick(context)
    assert moves(party) == [1, 2]
    assert len(slow.asked) == 1


def test_the_only_process_thinks_from_the_beginning_of_the_turn_and_moves_when_it_is_due(
    open_context: OpenContext, sqlite_url: str, clock: Clock
) -> None:
    """So the time that a move takes says nothing of how much there was to think about."""
    context = open_context(sqlite_url)
    context.database.own()
    party, slow = table_of(context)
    thought = slow.think()
    due_at = party.due_at()
    assert due_at
    context.write(play.run_due, party.slug)
    clock.time = due_at - 0.01
    tick(context)
    assert moves(party) == [1]
    clock.time = due_at
    context.write(heartbeat.beat)
    tick(context)
    assert party.moves()[-1].move == plain(thought.best)
    assert len(slow.asked) == 1


@pytest.mark.parametrize("is_owned", [False, True])
def test_bots_that_choose_at_once_do_so_one_after_the_other_and_without_a_pause(
    open_context: OpenContext, sqlite_url: str, is_owned: bool
) -> None:
    context = open_context(sqlite_url)
    if is_owned:
        context.database.own()
    slow = context.thinkers = Slow("life")
    guest = welcome(context, "Alice")
    slug = context.write(create.create_table, guest.id, "life", 4, {}, INSTANT)
    party = Party(context, slug, (guest,))
    for number in (2, 3, 4):
        party.write(seats.seat_bot, 1, number, levels.SHARP)
    party.write(seats.start, 1)
    party.move()
    for _ in range(3):
        tick(context)
        slow.think()
        tick(context)
    assert sorted(moves(party)[:4]) == [1, 2, 3, 4]


def test_the_scheduler_looks_as_soon_as_a_thought_is_there(context: AppContext, clock: Clock) -> None:
    party, slow = table_of(context)

    async def story() -> None:
        context.pubsub.attach(asyncio.get_running_loop())
        clock.advance(2)
        scheduler = Scheduler(context)
        scheduler.start()
        while not slow.asked:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(slow.think)
        while len(moves(party)) == 1:
            await asyncio.sleep(0.01)
        await scheduler.stop()

    asyncio.run(asyncio.wait_for(story(), 60.0))
    assert moves(party) == [1, 2]
