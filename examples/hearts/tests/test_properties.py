"""What holds at every table of Hearts, whoever plays however."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from snug.engine import match as matches
from snug.engine.cards import PACK, Pile
from snug.engine.chance import Shuffle
from snug.engine.game import IllegalMove, plain
from snug.engine.match import Match
from snug.engine.page import PageInput
from snug.engine.record import Report, Step, as_json, parse, replay
from snug.testing.random_play import Eye, Player, eyes, frozen, moments, numbers, play_on, refusal_of, rounds, written

from snug_hearts import GAME
from snug_hearts.page import page
from snug_hearts.state import HeartsState, PassCards, Play, cards_of, is_penalty, pack_of, steps_to_receiver
from snug_hearts.view import HeartsView

Past = list[tuple[Match, Step, Match]]


def past_of(data: st.DataObject) -> Past:
    """All that was done up to any moment of a deal, or to its end."""
    played = list(play_on(data.draw(rounds(GAME)), Player(data.draw(numbers))))
    return played[: data.draw(st.integers(1, len(played)) | st.just(len(played)))]


@given(data=st.data())
def test_a_deal_ends_and_every_card_stays_in_it(data: st.DataObject) -> None:
    moves, table = 0, data.draw(rounds(GAME))
    for _, _, after in play_on(table, Player(data.draw(numbers))):
        moves, table = moves + 1, after
        assert sorted(cards_of(after.round)) == sorted(pack_of(after.seats))
    assert table.round_over
    assert moves <= 1 + table.seats + len(pack_of(table.seats))
    row = table.rounds[-1]
    gone = 10 * table.options.jack
    assert sum(row) + gone in (26, -26, 26 * (table.seats - 1))


@given(data=st.data())
def test_just_the_legal_moves_are_played(data: st.DataObject) -> None:
    table, dice = data.draw(moments(GAME)), random.Random(data.draw(numbers))
    before = frozen(table)
    for seat in range(1, table.seats + 1):
        view = GAME.view(table.round, seat)
        assert bool(view.legal) == (seat in table.to_act)
        for listed in view.legal:
            move: Any = view.complete(listed, dice.randrange)
            GAME.check(table.round, seat, move)
            assert frozen(matches.play(table, seat, move)[0]) != before
        for card in PACK:
            assert (refusal_of(table, seat, Play(card)) is None) == (Play(card) in view.legal)
    assert frozen(table) == before


@given(data=st.data())
def test_nobody_throws_points_on_the_first_trick_without_need(data: st.DataObject) -> None:
    for before, (seat, move), _ in past_of(data):
        first = before.round.phase == "PLAY" and not before.round.tricks and not before.options.first_trick_points
        if first and is_penalty(getattr(move, "card", PACK[0])):
            assert all(map(is_penalty, before.round.hands[seat - 1]))


# What is seen


def elsewhere(state: HeartsState, eye: Eye, dice: random.Random) -> HeartsState:
    """The same table for all that an eye knows, with other cards in the other hands and in what others pass."""
    passing = state.phase == "PASS"
    piles = [*state.hands, *(state.passed if passing else ())]
    owners = [*range(1, state.seats + 1)] * 2
    cards = [card for owner, pile in zip(owners, piles, strict=False) if owner != eye for card in pile]
    dice.shuffle(cards)
    new: list[Pile] = [
        pile if owner == eye else tuple(cards.pop() for _ in pile) for owner, pile in zip(owners, piles, strict=False)
    ]
    steps = steps_to_receiver(state.options, state.seats, state.number)
    giver = (eye - steps - 1) % state.seats + 1 if eye else None
    known = tuple(pile if seat in (eye, giver) else PACK[: len(pile)] for seat, pile in enumerate(state.passed, 1))
    return replace(state, hands=tuple(new[: state.seats]), passed=tuple(new[state.seats :]) if passing else known)


def step_elsewhere(step: Step, eye: Eye, dice: random.Random) -> Step:
    """What may have been done instead, for all that an eye knows."""
    seat, move = step
    if isinstance(move, Shuffle):
        return seat, Shuffle(tuple(dice.sample(move.cards, len(move.cards))))
    return (seat, PassCards(PACK[:3])) if isinstance(move, PassCards) and seat != eye else step


def seen(table: Match, past: Past, steps: list[Step], eye: Eye) -> tuple[Any, ...]:
    view: Any = GAME.view(table.round, eye)
    log = tuple(tuple(event.seen_by(eye) for event in matches.play(before, *step)[1]) for before, step, _ in past[-8:])
    written_down = page(PageInput[HeartsView](view, log, ("Name",) * table.seats))
    report = as_json(Report(table, len(steps), tuple(steps)), eye)
    return json.dumps(plain(view)), json.dumps(plain(written_down)), json.dumps(report)


@given(data=st.data())
def test_nobody_sees_what_is_hidden(data: st.DataObject) -> None:
    past, dice = past_of(data), random.Random(data.draw(numbers))
    table = past[-1][-1]
    for eye in eyes(table.seats):
        other = replace(table, round=elsewhere(table.round, eye, dice))
        assert sorted(cards_of(other.round)) == sorted(cards_of(table.round))
        steps = [step_elsewhere(step, eye, dice) for _, step, _ in past]
        assert seen(other, past, steps, eye) == seen(table, past, [step for _, step, _ in past], eye)


@given(data=st.data())
def test_events_tell_an_eye_no_card_that_it_does_not_see(data: st.DataObject) -> None:
    for before, step, after in past_of(data)[-10:]:
        _, events = matches.play(before, *step)
        for eye in eyes(before.seats):
            views = json.dumps([plain(GAME.view(table.round, eye)) for table in (before, after)])
            for event in events:
                told = json.dumps(plain(event.seen_by(eye)))
                assert all(f'"{card}"' in views for card in PACK if f'"{card}"' in told)


def test_hidden_cards_are_really_others_in_the_other_world() -> None:
    past = list(play_on(matches.begin(GAME, GAME.options(), 4), Player(1)))[:6]
    state = past[-1][-1].round
    assert elsewhere(state, 1, random.Random(1)).hands[0] == state.hands[0]
    assert elsewhere(state, 1, random.Random(1)).hands[1:] != state.hands[1:]


# Records and positions


@given(data=st.data())
def test_a_record_plays_back_to_the_same_match(data: st.DataObject) -> None:
    start = matches.begin(GAME, GAME.options(), data.draw(st.integers(*GAME.seats)))
    played = list(play_on(start, Player(data.draw(numbers)), 2))
    steps, end = [step for _, step, _ in played], played[-1][-1]
    *_, report = replay(parse(written(start, steps)))
    assert (report.refused, report.accepted, report.history[: len(steps)]) == (None, len(steps), tuple(steps))
    assert (report.match.rounds, report.match.totals, report.match.over) == (end.rounds, end.totals, end.over)


@given(data=st.data())
def test_a_position_says_everything_about_a_deal(data: st.DataObject) -> None:
    table = data.draw(moments(GAME))
    position = json.loads(json.dumps(plain(GAME.to_position(table.round, table.rounds, table.totals))))
    state, rows, totals = GAME.from_position(table.options, table.seats, position)
    assert frozen(replace(table, round=state, totals=totals)) == frozen(table)
    assert json.loads(json.dumps(plain(GAME.to_position(state, rows, totals)))) == position


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
FULL = [[rank + suit for rank in RANKS] for suit in "CDSH"]
IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "dealer: there is no seat 5": {"hands": FULL, "dealer": 5},
    "2C lies in two places": {"hands": [FULL[0], [*FULL[1], "2C"], *FULL[2:]]},
    "AH lies nowhere": {"hands": [*FULL[:3], FULL[3][:-1]]},
    "JK is not played with": {"hands": [[*FULL[0], "JK"], *FULL[1:]]},
    "seat 1 leads to it, not seat 2": {"hands": FULL, "trick": {"leader": 2}},
    "the first begins with 2C": {"hands": [FULL[0][:-1], *FULL[1:]], "trick": {"leader": 1, "cards": ["AC"]}},
    "everybody has the same number": {"hands": [[*FULL[0], "2D"], FULL[1][1:], *FULL[2:]]},
    "no trick is being played": {"hands": FULL, "phase": "PASS", "trick": {"leader": 1}},
    "in deal 4 no cards are passed": {"hands": FULL, "deal_no": 4, "passed": [["2C", "3C", "4C"]]},
    "in PASS somebody has cards to pass": {"hands": FULL, "deal_no": 4, "phase": "PASS"},
    "what seat 1 passed is not what seat 2 had": {"hands": FULL, "passed": [["2C", "3C", "4C"]]},
    "everybody passes three cards": {"hands": FULL, "passed": [["2C"]]},
    "deal_no: 21 cannot be": {"hands": FULL, "deal_no": 21},
    "scores: 1 deals cannot be over in deal 1": {"hands": FULL, "deal_no": 1, "scores": [[26, 0, 0, 0]]},
    "a row has a number for each of 4": {"hands": FULL, "scores": [[26]]},
    "no whole trick": {"hands": FULL, "tricks": [{"leader": 1, "cards": ["2C"]}]},
    "hands: there are 5": {"hands": [*FULL, []]},
}


@pytest.mark.parametrize("why", IMPOSSIBLE)
def test_a_position_that_cannot_be_is_refused_in_words(why: str) -> None:
    with pytest.raises(ValueError, match=why):
        GAME.from_position(GAME.options(), 4, IMPOSSIBLE[why])


def test_a_refusal_changes_nothing() -> None:
    table = matches.begin(GAME, GAME.options(), 4)
    with pytest.raises(IllegalMove, match="not dealt"):
        matches.play(table, 1, PassCards())
