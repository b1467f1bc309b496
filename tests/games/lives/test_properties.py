"""What holds at every table of Irish Lives, whoever plays however: properties, tried on random deals."""

import json
import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from snug.engine import match as matches
from snug.engine.cards import Card
from snug.engine.chance import Shuffle
from snug.engine.game import DEALER, Event, IllegalMove, Move, plain
from snug.engine.match import Match
from snug.engine.record import Step, as_json, parse, replay
from snug.games.lives import GAME as lives
from snug.games.lives.events import StarterTurned
from snug.games.lives.state import CALLS, DRAW, KEEP, TURN_CAP, Catch, LivesState, Play, whole_pack
from snug.testing.random_play import Player, begin, eyes, frozen, numbers, options_of, play_on, written

every_size = pytest.mark.parametrize("seats", [2, 3, 5, 7, 8, 14])
WILD_RANKS = (0, 1)


@every_size
@given(data=st.data())
def test_every_deal_ends_for_a_reason(seats: int, data: st.DataObject) -> None:
    table = begin(lives, seats, data.draw(options_of(lives, seats)))
    for before, (seat, _), after in play_on(table, Player(data.draw(numbers))):
        assert seat == DEALER or after.round.turns - before.round.turns in (0, 1)
        table = after
    state = table.round
    assert state.turns <= TURN_CAP
    assert (state.reason == "out") == (() in state.hands)
    assert (state.reason == "cap") <= (state.turns == TURN_CAP)


# What is legal, read from the page once more, slowly and straight


def may_play(state: LivesState, seat: int, card: Card) -> bool:
    """§7.1, line by line."""
    hand, top = state.hands[seat - 1], state.stack[-1]
    if len(hand) == 1 and card.rank in (0, 1, 2):
        return False
    if state.pending > 0:
        return card.rank == 2
    if card.is_joker or card.rank == top.rank or card.suit == state.suit_in_play:
        return True
    if card.rank != 1:
        return False
    no_suit = not any(held.suit == state.suit_in_play for held in hand)
    no_rank = not any(held.rank == top.rank and not held.is_joker for held in hand)
    return {"no_suit": no_suit, "no_suit_no_rank": no_suit and no_rank, "always": True}[state.options.off_suit_ace]


def legal_by_the_page(state: LivesState, seat: int) -> set[Move]:
    """§8."""
    moves: set[Move] = {Catch(other) for other in state.exposed if other != seat}
    if seat != state.turn:
        return moves
    if state.phase == "CALL_SUIT":
        return {*CALLS}
    hand = state.hands[seat - 1]
    cards = [card for card in hand if may_play(state, seat, card)]
    if state.phase == "DRAWN":
        assert state.drawn_card in cards
        cards = [state.drawn_card]
    for card in cards:
        for suit in ("C", "D", "H", "S") if card.rank in WILD_RANKS else (None,):
            moves |= {Play(card, suit, last_card) for last_card in ((False, True) if len(hand) == 2 else (False,))}
    nothing = not state.pool and len(state.stack) == 1
    if state.phase == "DRAWN":
        moves.add(KEEP)
    elif state.pending or not cards or not (state.options.must_play or nothing):
        moves.add(DRAW)
    return moves


@every_size
@given(data=st.data())
def test_what_is_legal_is_what_the_page_says(seats: int, data: st.DataObject) -> None:
    table = begin(lives, seats, data.draw(options_of(lives, seats)))
    for before, _, _ in play_on(table, Player(data.draw(numbers))):
        assert bool(before.to_act) == (before.due is None)
        for seat in range(1, seats + 1):
            legal = lives.legal(before.round, seat)
            assert len(set(legal)) == len(legal)
            assert set(legal) == (legal_by_the_page(before.round, seat) if before.to_act else set())
            assert bool(legal) == (seat in before.to_act)


# Records and positions


@every_size
@given(data=st.data())
def test_a_printed_position_says_everything_at_any_moment(seats: int, data: st.DataObject) -> None:
    """Also before the deal and while the pool is being renewed."""
    start = end = begin(lives, seats, data.draw(options_of(lives, seats)))
    steps = []
    for _, step, after in play_on(start, Player(data.draw(numbers)), rounds=2):
        steps.append(step)
        end = after
    reports = list(replay(parse(written(start, steps))))
    at = data.draw(st.integers(0, len(reports) - 1))
    position = json.loads(json.dumps(as_json(reports[at])["position"]))
    reading = parse(written(start, steps[at + 1 :], position=position))
    assert frozen(reading.start) == frozen(reports[at].match)
    *_, report = replay(reading)
    assert (report.refused, report.match.rounds, report.match.totals) == (None, end.rounds, end.totals)


# Views


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
@given(data=st.data())
def test_cards_that_never_showed_leave_no_trace_in_what_anybody_ever_saw(seats: int, data: st.DataObject) -> None:
    """Two worlds from the deal on: what an eye never saw is exchanged in every shuffle. Options by which the cards one
    holds bar a move are left out, for then the moves themselves would tell."""
    options = {"off_suit_ace": "always", "first_dealer": 1, "starter_power_card": "redraw"}
    options["last_card_notice"] = data.draw(st.sampled_from(["table", "players", "auto"]))
    number, eye = data.draw(numbers), data.draw(st.sampled_from(eyes(seats)))
    past = list(play_on(begin(lives, seats, options), Player(number)))
    past = past[: data.draw(st.integers(1, min(60, len(past) - 1)))]
    told_here = [(step, matches.play(before, *step)[1], after) for before, step, after in past]
    seen = {card for step, events, after in told_here for card in seen_in(step, events, after, eye)}
    hidden = sorted(set(whole_pack(past[0][0].options, seats)) - seen)
    swap = dict(zip(hidden, random.Random(number).sample(hidden, len(hidden)), strict=True))
    table = past[0][0]
    for (seat, move), here, after in told_here:
        if isinstance(move, Shuffle):
            move = Shuffle(tuple(swap.get(card, card) for card in move.cards))
        try:
            table, there = matches.play(table, seat, move)
        except IllegalMove:
            assume(False)  # a seat that passed for want of anything to draw could play here
        assert plain([event.seen_by(eye) for event in there]) == plain([event.seen_by(eye) for event in here])
        assert json.dumps(plain(lives.view(table.round, eye))) == json.dumps(plain(lives.view(after.round, eye)))


def seen_in(step: Step, events: tuple[Event, ...], after: Match, eye: int | None) -> set[Card]:
    """The cards that an eye has seen in this step: put or turned up on the stack, and those in its own hand."""
    _, move = step
    seen = {event.card for event in events if isinstance(event, StarterTurned)}
    seen |= {move.card} if isinstance(move, Play) else set()
    return seen | (set(after.round.hands[eye - 1]) if eye else set())
