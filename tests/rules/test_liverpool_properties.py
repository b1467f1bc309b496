"""What holds at every Liverpool table, however it is played: tried on random hands with random options."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.bots import liverpool as bot
from app.rules import GAMES, liverpool
from app.rules import match as matches
from app.rules.cards import CARDS, JOKER, Card, Pile
from app.rules.dealer import Shuffle, chance_of
from app.rules.game import DEALER, IllegalMove, Move, plain, read_move, read_options
from app.rules.liverpool.table import (
    TURN_CAP,
    Buy,
    Discard,
    DrawStock,
    LayDown,
    LayOff,
    LiverpoolState,
    PassBuy,
    Place,
    StealJoker,
    TakeDiscard,
    cards_for,
    cards_of,
)
from app.rules.match import Match
from app.rules.melds import Laid
from app.rules.record import Record, Report, Step, as_json, read, replay, step_as_json

numbers = st.integers(0, 1 << 32)


@pytest.fixture(autouse=True, scope="module")
def _liverpool_is_in_the_card_room() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as room:
        room.setitem(GAMES, "liverpool", liverpool)
        yield


@st.composite
def tables(draw: st.DrawFn) -> Match:
    """A table with any options before any hand."""
    seats = draw(st.integers(3, 8))
    options = {
        "buying_from": draw(st.sampled_from(["second_hand", "second_circuit", "always"])),
        "max_buys": draw(st.sampled_from(["unlimited", 1, 3, 9])),
        "layoff_same_turn": draw(st.booleans()),
        "final_discard": draw(st.sampled_from(["optional", "required"])),
        "first_dealer": draw(st.sampled_from(["random", 1, seats])),
    }
    table = matches.begin(liverpool, read_options(liverpool, seats, options), seats)
    return replace(table, round=liverpool.start(table.options, seats, draw(st.integers(1, 7)), draw(st.integers(1, 3))))


class Player:
    """Plays all seats and the dealer. Some play well, some at random, most now this way and now that; the good ones
    get cards on the table, the others get into every corner."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)
        self.skill = self.dice.choice((0, 0.5, 0.9, 0.95, 1))

    def choose(self, table: Match) -> Step:
        due = table.due
        if due is not None:
            return DEALER, due.outcome(chance_of(str(self.dice.random()), 0))
        seat = self.dice.choice(table.to_act)
        view = liverpool.view(table.round, seat)
        if self.dice.random() < self.skill:
            return seat, bot.choose(view, self.dice)
        return seat, view.complete(self.dice.choice(view.legal), self.dice.randrange)


def played(table: Match, number: int, most: int = 10_000) -> Iterator[tuple[Match, Step, Match]]:
    """Every move of a hand: the table before, who did what, the table after."""
    player = Player(number)
    while not table.round_over and most:
        step = player.choose(table)
        after, _ = matches.play(table, *step)
        yield table, step, after
        table, most = after, most - 1


@st.composite
def moments(draw: Any) -> Any:
    """A table at some moment of a hand, more often than not one with melds on it."""
    before = [table for table, _, _ in played(draw(tables()), draw(numbers), 400)]
    laid = [table for table in before if table.round.melds]
    often: int = draw(st.integers(0, 3))
    return draw(st.sampled_from(laid if laid and often else before))


def frozen(table: Match) -> str:
    return json.dumps(plain([table.round, table.rounds, table.totals, table.over]))


@given(table=tables(), number=numbers)
def test_every_hand_ends_and_no_card_is_lost(table: Match, number: int) -> None:
    pack = Counter(cards_for(table.seats))
    for before, (seat, move), after in played(table, number):
        if after.round.phase == "DEAL":
            continue
        assert Counter(cards_of(after.round)) == pack
        assert sum(after.round.turns_done) <= TURN_CAP * after.seats
        assert after.round.reshuffles <= 2
        assert (after.due is not None) or bool(after.to_act) != after.round_over
        if seat != DEALER and isinstance(move, Buy | PassBuy):
            assert before.round.phase == "BUY"
        table = after
    assert table.round_over
    assert (table.due, table.to_act) == (None, ())
    scores = liverpool.scores(table.round)
    assert scores is not None
    assert sum(not score for score in scores) == (table.round.winner is not None)
    if table.round.number == 7 and table.round.winner is not None:
        assert [meld.kind for meld in table.round.melds] == ["run"] * 3


@given(table=moments())
def test_every_legal_move_is_accepted_and_changes_nothing_but_the_new_state(table: Match) -> None:
    before = frozen(table)
    for seat in range(1, table.seats + 1):
        legal = liverpool.legal(table.round, seat)
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (seat in table.to_act)
        view = liverpool.view(table.round, seat)
        assert view.legal == legal
        for listed in legal:
            move = view.complete(listed, lambda n: n - 1)
            after, events = matches.play(table, seat, move)
            assert events
            assert frozen(after) != before
            assert read_move(liverpool, json.loads(json.dumps(plain(move)))) == move
    assert frozen(table) == before


def any_place(state: LiverpoolState, dice: random.Random) -> Place:
    return Place(dice.randint(0, len(state.melds) + 1), dice.choice((None, "low", "high")))


def any_move(state: LiverpoolState, dice: random.Random) -> Any:
    """A well-formed move, sensible or not, mostly with cards of the table."""
    known = [*state.discard_pile[-1:], *(card for hand in state.hands for card in hand), JOKER]
    card: Card = dice.choice(known if dice.random() < 0.8 else list(CARDS.values()))
    place, kind = any_place(state, dice), dice.randrange(10)
    lay_off = LayOff(card, place.meld, place.end)
    steal = StealJoker(card, dice.randint(0, len(state.melds) + 1), place, dice.choice((None, 0, 1, 2, 3, 4, 14)))
    if kind < 3:
        return (DrawStock(), Buy(), PassBuy())[kind]
    if kind == 3:
        return TakeDiscard(dice.choice((None, lay_off, steal)))
    if kind < 6:
        return lay_off
    return steal if kind < 9 else Discard(card)


def refusal_of(table: Match, seat: int, move: Move) -> IllegalMove | None:
    try:
        matches.play(table, seat, move)
    except IllegalMove as refusal:
        return refusal
    return None


@given(table=moments(), number=numbers)
def test_just_what_is_not_legal_is_refused_and_changes_nothing(table: Match, number: int) -> None:
    before, dice = frozen(table), random.Random(number)
    legal = {seat: liverpool.legal(table.round, seat) for seat in (-1, *range(table.seats + 2))}
    for _ in range(300):
        seat = dice.choice([*table.to_act] or [1]) if dice.random() < 0.8 else dice.choice(list(legal)[2:])
        move = any_move(table.round, dice)
        refusal = refusal_of(table, seat, move)
        assert (refusal is None) == (move in legal[seat]), (seat, move)
        if refusal is not None:
            assert refusal.code.replace("_", "").isupper()
            assert refusal.sentence.endswith(".")
    assert frozen(table) == before


@given(table=moments(), number=numbers)
def test_melds_that_are_none_are_refused(table: Match, number: int) -> None:
    dice, state = random.Random(number), table.round
    for seat in table.to_act:
        cards = list(state.hands[seat - 1])
        for _ in range(30):
            dice.shuffle(cards)
            cut = dice.randrange(len(cards))
            melds = (Laid("set", tuple(cards[:cut][:6])), Laid("run", tuple(cards[cut:][:5])))
            move = LayDown(melds[: dice.randint(0, 2)])
            if refusal_of(table, seat, move) is None:
                assert any(isinstance(listed, LayDown) for listed in liverpool.legal(state, seat))


# Records


def recorded(table: Match, number: int) -> tuple[Record, Match]:
    """The record of a hand played from its deal."""
    steps, start = [], table
    for _, step, after in played(table, number):
        steps.append(step)
        table = after
    dealer = {"hand_no": start.round.number - 1, "dealer": (start.round.dealer - 2) % start.seats + 1}
    position = {**dealer, "phase": "HAND_OVER"} if start.round.number > 1 else None
    options = plain(start.options) | ({} if position else {"first_dealer": start.round.dealer})
    return Record("liverpool", start.seats, options, position, [step_as_json(step) for step in steps]), table


@given(table=tables(), number=numbers)
def test_what_the_referee_prints_plays_back_to_the_same_position(table: Match, number: int) -> None:
    record, end = recorded(table, number)
    *_, report = replay(read(record))
    printed = as_json(report)
    assert (printed["refused"], printed["accepted"]) == (None, len(record.moves))
    assert report.match.rounds[-1] == liverpool.scores(end.round)
    *_, again = replay(read(replace(record, moves=printed["moves"], seed="no matter")))
    assert again.match == report.match
    assert {**as_json(again), "accepted": len(record.moves)} == printed, "the next hand's deal is now a written one"


@given(table=moments())
def test_a_printed_position_says_everything(table: Match) -> None:
    if table.due is None:
        printed = json.loads(json.dumps(plain(liverpool.to_position(table.round, table.rounds, table.totals))))
        state, rounds, totals = liverpool.from_position(table.options, table.seats, printed)
        assert (state, rounds, totals) == (table.round, table.rounds, table.totals)


# Views


def in_another_world(state: LiverpoolState, eye: int | None, dice: random.Random) -> LiverpoolState:
    """The same table with everything changed that an eye cannot know: others' cards, the stock, covered discards and
    answers that are pending. A card just taken from the discards is known to be in that hand."""
    hidden: list[Pile] = [hand for seat, hand in enumerate(state.hands, 1) if seat != eye]
    taken = state.taken_card if state.turn != eye else None
    cards = [card for pile in (*hidden, state.stock, state.discard_pile[:-1]) for card in pile]
    if taken is not None:
        cards.remove(taken)
    dice.shuffle(cards)
    hands = list(state.hands)
    for seat, hand in enumerate(state.hands, 1):
        if seat != eye:
            known = [taken] if taken is not None and seat == state.turn else []
            hands[seat - 1] = (*known, *(cards.pop() for _ in range(len(hand) - len(known))))
    stock = tuple(cards.pop() for _ in state.stock)
    answers = list(state.buy_answers)
    if None in answers:
        for at in range(answers.index(None), len(answers)):
            if answers[at] is not None and state.buy_queue[at] != eye:
                answers[at] = dice.random() < 0.5
    return replace(
        state,
        hands=tuple(hands),
        stock=stock,
        discard_pile=(*cards, *state.discard_pile[-1:]),
        buy_answers=tuple(answers),
    )


def seen(report: Report, eye: int | None) -> str:
    view = liverpool.view(report.match.round, eye)
    return json.dumps([plain(view), as_json(report, eye)])


@given(table=tables(), number=numbers, data=st.data())
def test_nobody_sees_what_he_cannot_know(table: Match, number: int, data: st.DataObject) -> None:
    """The two-world test: what an eye may not know can change without changing a byte of what it is shown."""
    dice, history, moment = random.Random(number), [], table
    for _, step, after in played(table, number, data.draw(st.integers(1, 300))):
        history.append(step)
        moment = after
    if moment.round_over:
        return
    here = Report(moment, len(history), tuple(history))
    for eye in (*range(1, table.seats + 1), None):
        other = [
            (seat, Shuffle(tuple(dice.sample(move.cards, len(move.cards)))))
            if isinstance(move, Shuffle)
            else (seat, dice.choice((Buy(), PassBuy())) if isinstance(move, Buy | PassBuy) and seat != eye else move)
            for seat, move in history
        ]
        world = replace(moment, round=in_another_world(moment.round, eye, dice))
        assert seen(Report(world, len(other), tuple(other)), eye) == seen(here, eye)
