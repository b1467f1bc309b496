"""Exactly once: however often, from wherever and however late a move arrives, it is played once or not at all."""

import random
import threading
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import cycle
from typing import Any

import pytest

from app.services.context import AppContext
from app.services.errors import Conflict, Refused, ServiceError
from app.services.play import play
from app.services.players import players
from app.services.seats import seats
from app.services.table.clocks import COUNTDOWN
from app.storage.writer import Transaction
from tests.conftest import OpenContext
from tests.factories import Party, Turn, begin, gather, nothing_changes, welcome

_PATIENCE = 60.0
Outcomes = Counter[str]


def at_once(tasks: list[Any]) -> list[Any]:
    """Calls every task in a thread of its own, all at the same moment, and gives what each returned or raised."""
    answers: list[Any] = [None] * len(tasks)
    start = threading.Barrier(len(tasks))

    def run(number: int) -> None:
        start.wait(_PATIENCE)
        try:
            answers[number] = tasks[number]()
        except Exception as error:
            answers[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_PATIENCE)
        assert not thread.is_alive()
    return answers


def moves_of(party: Party) -> list[tuple[int, int]]:
    """Who answered which page, in order."""
    return [(row.seat, row.seen) for row in party.moves() if row.seen is not None]


def contest(contexts: list[AppContext], party: Party, turn: Turn, dice: random.Random, threads: int) -> Outcomes:
    """Every legal move of this turn is sent several times at once; counts what came of it, after checking it."""
    sent = [turn.moves[number % len(turn.moves)] for number in range(threads)]
    dice.shuffle(sent)
    before = len(moves_of(party))
    clicks = zip(cycle(contexts), sent, strict=False)
    answers = at_once(
        [partial(context.write, play.play, party.slug, turn.player, move, turn.version) for context, move in clicks]
    )
    (played,) = [move for move, answer in zip(sent, answers, strict=True) if answer is True]
    for move, answer in zip(sent, answers, strict=True):
        if answer is not True:
            assert answer is False if move == played else type(answer) is Conflict
    assert len(moves_of(party)) == before + 1
    assert party.version == turn.version + 1
    return Counter("again" if answer is False else type(answer).__name__ for answer in answers)


def contests(contexts: list[AppContext], party: Party, turns: int, threads: int) -> Outcomes:
    """So many turns, every one of them fought over."""
    dice, outcomes = random.Random(1), Counter[str]()
    for _ in range(turns):
        turn = party.turn()
        assert turn
        outcomes += contest(contexts, party, turn, dice, threads)
    pages = moves_of(party)
    assert len(pages) == len(set(pages)) == turns
    return outcomes


def test_of_many_clicks_on_one_page_exactly_one_is_played(context: AppContext) -> None:
    outcomes = contests([context], begin(context, 3), turns=10, threads=12)
    assert outcomes["bool"] == 10
    assert outcomes["again"] + outcomes["Conflict"] == 10 * 11
    assert outcomes["again"]
    assert outcomes["Conflict"]


@pytest.mark.postgres
def test_of_many_clicks_in_two_processes_exactly_one_is_played(open_context: OpenContext, postgres_url: str) -> None:
    contexts = [open_context(postgres_url), open_context(postgres_url)]
    outcomes = contests(contexts, begin(contexts[0], 3), turns=10, threads=12)
    assert outcomes["bool"] == 10
    assert outcomes["again"] + outcomes["Conflict"] == 10 * 11


@pytest.mark.postgres
def test_two_processes_take_turns_and_never_trust_their_memory(open_context: OpenContext, postgres_url: str) -> None:
    here, there = open_context(postgres_url), open_context(postgres_url)
    party = begin(here, 2, rounds=2)
    both = [party, replace(party, context=there)]
    dice = random.Random(2)
    for number in range(200):
        one = both[number % 2]
        if one.turn():
            one.move(dice)
        elif one.look().table.is_finished:
            break
        else:
            one.everybody_is_ready()
        assert party.turn() == both[1].turn()
    assert party.look() == both[1].look()


def test_no_form_of_a_game_is_played_in_any_later_state(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    forms: list[Turn] = []
    dice, replayed = random.Random(3), 0

    def replay_old_forms(_context: AppContext, transaction: Transaction) -> list[Any]:
        old = [*forms[-2:], *(dice.choice(forms) for _ in range(2))]
        return [attempt(transaction, turn, move) for turn in old for move in turn.moves]

    def attempt(transaction: Transaction, turn: Turn, move: dict[str, Any]) -> Any:
        try:
            return play.play(context, transaction, party.slug, turn.player, move, turn.version)
        except ServiceError as error:
            return type(error)

    while True:
        if turn := party.turn():
            forms.append(turn)
            party.move(dice)
        elif party.look().table.is_finished:
            break
        else:
            party.everybody_is_ready()
        answers = context.write(replay_old_forms)
        assert set(answers) <= {False, Conflict}
        replayed += len(answers)
    assert replayed > 200
    assert len(moves_of(party)) == len(forms)
    party.write(seats.rematch, 1)
    with nothing_changes(context.database):
        for turn in forms:
            for move in turn.moves:
                with pytest.raises(Conflict):
                    context.write(play.play, party.slug, turn.player, move, turn.version)


def test_of_many_guests_exactly_one_gets_the_seat(context: AppContext) -> None:
    party = gather(context, 1, seats=3)
    guests = [welcome(context, f"Guest {number}") for number in range(8)]
    answers = at_once([lambda guest=guest: party.write(seats.take_seat, guest, 2, guest.name) for guest in guests])
    assert Counter(type(answer) for answer in answers) == {type(None): 1, Conflict: 7}
    assert party.players[2] == guests[answers.index(None)].id


def test_of_many_starts_exactly_one_deals(context: AppContext) -> None:
    party = gather(context, 2)
    assert at_once([lambda: party.write(seats.start, 1)] * 8) == [None] * 8
    assert party.look().replays.match_number == 1
    assert len(moves_of(party)) == 0


def test_of_many_rematches_exactly_one_deals(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    party.pass_round()
    assert at_once([lambda seat=seat: party.write(seats.rematch, seat) for seat in (1, 2) * 4]) == [None] * 8
    assert party.look().replays.match_number == 2


def test_everybody_ready_at_once_deals_one_round(context: AppContext) -> None:
    party = begin(context, 4, rounds=3)
    party.pass_round()
    assert at_once([lambda seat=seat: party.write(play.set_ready, seat) for seat in (1, 2, 3, 4) * 3]) == [None] * 12
    page = party.look()
    assert page.board.sheet
    assert (page.table.status, page.board.sheet.number) == ("playing", 2)


def test_a_move_and_the_countdown_at_once_deal_one_round(context: AppContext) -> None:
    """The last one is ready in the very moment in which the countdown ends."""
    party = begin(context, 2, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 1)
    table_id = party.row.id
    with_time = context.now() + COUNTDOWN
    context.now = lambda: with_time
    at_once([lambda: party.write(play.set_ready, 2), *[lambda: context.write(play.run_due, table_id)] * 5])
    page = party.look()
    assert page.board.sheet
    assert (page.table.status, page.board.sheet.number) == ("playing", 2)


def test_of_many_seat_links_the_last_one_works(context: AppContext) -> None:
    party = begin(context, 2)
    links = at_once([lambda: party.write(players.new_seat_link, 1)] * 6)
    with context.database.reading() as connection:
        working = 0
        for link in links:
            try:
                players.seat_of_link(context, connection, link)
                working += 1
            except ServiceError:
                continue
    assert working == 1


def test_a_refused_move_does_not_use_the_page_up(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    with pytest.raises(Refused):
        party.write(play.play, turn.seat, {"move": "play", "stack": 9, "open": 9}, turn.version)
    assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is True
