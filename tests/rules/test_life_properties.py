"""What holds at every Life table, however it is played: tried on random Hands."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.rules import GAMES, life
from app.rules import match as matches
from app.rules.cards import CARDS, PACK, Pile
from app.rules.dealer import Draw, Shuffle, chance_of
from app.rules.game import DEALER, IllegalMove, plain, read_options
from app.rules.life.table import (
    HAND_TURN_CAP,
    LAY,
    ChooseSuit,
    DeclineSteal,
    Lay,
    LifeMove,
    LifeState,
    PlayJoker,
    Steal,
    TurnCard,
    cards_of,
)
from app.rules.match import Match
from app.rules.record import Reading, Record, Report, Step, as_json, parse, replay, step_as_json

numbers = st.integers(0, 1 << 32)


@pytest.fixture(autouse=True, scope="module")
def _life_is_in_the_card_room() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as room:
        room.setitem(GAMES, "life", life)
        yield


@st.composite
def tables(draw: st.DrawFn) -> Match:
    """A new table with any options."""
    seats = draw(st.integers(2, 8))
    options = {
        "decks": draw(st.sampled_from(["auto", 1, 2] if seats <= 6 else ["auto", 2])),
        "jokers_per_deck": draw(st.integers(0, 2)),
        "target": draw(st.integers(20, 100)),
        "choose_spades": draw(st.booleans()),
        "fortune": draw(st.booleans()),
        "deck_exhausted": draw(st.sampled_from(["reshuffle", "end_hand"])),
        "first_dealer": draw(st.sampled_from(["host", "random", 1, seats])),
    }
    return matches.begin(life, read_options(life, seats, options), seats, host=seats)


class Player:
    """Plays all seats, and the dealer, at random; some would rather do nothing."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)
        self.idle = self.dice.choice((0, 0.1, 0.5, 0.9))

    def step(self, table: Match) -> Step:
        if (due := table.due) is not None:
            return DEALER, due.outcome(chance_of(str(self.dice.random()), 0))
        seat = self.dice.choice(table.to_act)
        view = life.view(table.round, seat)
        if self.dice.random() < self.idle:
            return seat, Lay(()) if view.may_lay else view.legal[-1]
        return seat, view.complete(self.dice.choice(view.legal), self.dice.randrange)


def play_on(table: Match, player: Player, hands: int = 1) -> Iterator[tuple[Match, Step, Match]]:
    """Every move of so many Hands: the table before, who did what, the table after."""
    for number in range(hands):
        if table.over:
            return
        table = matches.next_round(table) if number else table
        while not table.round_over:
            step = player.step(table)
            after, events = matches.play(table, *step)
            assert events
            yield table, step, after
            table = after


@st.composite
def moments(draw: st.DrawFn) -> Match:
    """A table at any moment of its first Hand."""
    return draw(st.sampled_from([table for table, _, _ in play_on(draw(tables()), Player(draw(numbers)))]))


@given(table=tables(), number=numbers)
def test_a_hand_ends_in_time_and_no_card_is_lost_or_doubled(table: Match, number: int) -> None:
    pack, end = Counter(table.round.deck), table
    for _, _, end in play_on(table, Player(number)):
        state, over = end.round, end.round_over
        assert Counter(cards_of(state)) == pack
        assert state.turns <= HAND_TURN_CAP
        assert bool(end.to_act) != (over or end.due is not None)
        assert over or state.phase in ("CHOOSE_SUITS", "DEAL", "REDEAL") or all(state.hands)
    assert end.round_over
    assert (end.to_act, end.due, life.legal(end.round, 1)) == ((), None, ())


@given(table=tables(), number=numbers)
def test_a_position_says_everything_about_a_hand(table: Match, number: int) -> None:
    for before, _, _ in play_on(table, Player(number)):
        written = json.loads(json.dumps(plain(life.to_position(before.round, before.rounds, before.totals))))
        state, rounds, totals = life.from_position(before.options, before.seats, written)
        turned = before.round.turned if before.round.phase not in ("DEAL", "CHOOSE_SUITS") else None
        assert (state, rounds, totals) == (replace(before.round, turned=turned), (), before.totals)


@given(table=tables(), number=numbers)
def test_a_record_plays_back_to_the_same_position(table: Match, number: int) -> None:
    steps, end = [], table
    for _, step, after in play_on(table, Player(number), hands=3):
        steps.append(step)
        end = after
    record = {"game": "life", "seats": table.seats, "options": plain(table.options), "host": table.seats}
    reading = parse(json.dumps({**record, "moves": [step_as_json(step) for step in steps]}))
    assert list(reading.steps) == steps
    *_, report = replay(reading)
    assert (report.refused, report.accepted) == (None, len(steps))
    assert (report.match.rounds, report.match.totals, report.match.over) == (end.rounds, end.totals, end.over)
    printed = json.loads(json.dumps(as_json(report)))
    *_, again = replay(parse(json.dumps({**record, "moves": printed["moves"], "seed": "no matter"})))
    assert json.loads(json.dumps(as_json(again)))["position"] == printed["position"]


@given(table=moments())
def test_every_legal_move_is_accepted_and_leaves_the_old_state_alone(table: Match) -> None:
    before = plain(table.round)
    for seat in range(1, table.seats + 1):
        legal: tuple[Any, ...] = life.legal(table.round, seat)
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (seat in table.to_act)
        assert life.view(table.round, seat).legal == legal
        for move in legal:
            life.check(table.round, seat, move)
            after, _ = matches.play(table, seat, move)
            assert after != table
    assert plain(table.round) == before


def any_move(state: LifeState, dice: random.Random) -> LifeMove:
    """A well-formed move, most likely not a legal one."""
    hand = dice.choice(state.hands) or PACK
    some = tuple(dice.choices(hand, k=dice.randint(0, 3))) if dice.random() < 0.7 else tuple(dice.choices(PACK, k=1))
    card = dice.choice((None, None, *PACK, *(card for row in state.rows for card in row)))
    return dice.choice(
        (
            ChooseSuit(dice.choice(("H", "D", "C", "S", "", "X"))),
            TurnCard(),
            PlayJoker(),
            Lay(dice.choice((None, some))),
            Steal(dice.choice((None, *range(-1, 10))), card),
            DeclineSteal(),
        )
    )


def is_allowed(state: LifeState, seat: int, move: LifeMove) -> bool:
    """Whether a move is among the listed ones, which name no cards to lay and always the target of a steal."""
    legal = life.legal(state, seat)
    if isinstance(move, Lay):
        playable = Counter(card for card in state.hands[seat - 1] if card.suit == (state.turned or "")[-1:])
        return LAY in legal and Counter(move.cards or ()) <= playable
    if isinstance(move, Steal) and move.target is None and state.phase == "STEAL_ROUND":
        move = Steal(state.steal_victim, move.card)
    return move in legal


@given(table=moments(), number=numbers)
def test_just_what_is_not_legal_is_refused_and_changes_nothing(table: Match, number: int) -> None:
    dice, before = random.Random(number), plain(table.round)
    for _ in range(150):
        seat, move = dice.randint(-1, table.seats + 1), any_move(table.round, dice)
        allowed = 1 <= seat <= table.seats and seat != DEALER and is_allowed(table.round, seat, move)
        refusal: IllegalMove | None = None
        try:
            life.play(table.round, seat, move)
        except IllegalMove as illegal:
            refusal = illegal
        assert (refusal is None) == allowed, (seat, move)
        if refusal is not None:
            assert refusal.code.replace("_", "").isupper()
            assert refusal.sentence.endswith(".")
    assert plain(table.round) == before


def in_another_world(state: LifeState, eye: int | None, dice: random.Random) -> LifeState:
    """The same table with the cards that an eye cannot see dealt otherwise, and other secret suits."""
    own = state.hands[eye - 1] if eye else ()
    hidden = list(state.deck) + [card for seat, hand in enumerate(state.hands, 1) if seat != eye for card in hand]
    dice.shuffle(hidden)
    sizes = [len(hand) for hand in state.hands]
    hands = tuple(
        own if seat == eye else tuple(hidden.pop() for _ in range(size)) for seat, size in enumerate(sizes, 1)
    )
    chosen = state.chosen
    if state.phase == "CHOOSE_SUITS":
        chosen = tuple(
            suit if seat == eye or suit is None else dice.choice("HDC") for seat, suit in enumerate(chosen, 1)
        )
    return replace(state, hands=hands, deck=tuple(hidden), chosen=chosen)


@given(table=moments(), number=numbers)
def test_nobody_sees_a_hidden_card_or_suit(table: Match, number: int) -> None:
    dice, reading = random.Random(number), Reading(Record("life", table.seats), table, ())
    for eye in (*range(1, table.seats + 1), None):
        other = replace(table, round=in_another_world(table.round, eye, dice))
        here, there = (Report(world, 0, ()) for world in (reading.start, other))
        assert json.dumps(as_json(there, eye)) == json.dumps(as_json(here, eye))
        assert sorted(cards_of(other.round)) == sorted(cards_of(table.round))


def seen_along(report: Report, start: Match, eye: int | None) -> list[str]:
    """All that an eye is shown up to a report: events, views and the record."""
    table, shown = start, []
    for at, step in enumerate(report.history, 1):
        table, events = matches.play(table, *step)
        shown.append(json.dumps(plain([event.seen_by(eye) for event in events])))
        shown.append(json.dumps(as_json(Report(table, at, report.history[:at]), eye)))
    return shown


def relabelled(step: Step, other: dict[str, str]) -> Step:
    """A dealer's move with other cards."""
    seat, move = step

    def swap(pile: Pile) -> Pile:
        return tuple(CARDS[other.get(card, card)] for card in pile)

    if isinstance(move, Shuffle):
        return seat, Shuffle(swap(move.cards))
    return (seat, Draw(*swap((move.card,)))) if isinstance(move, Draw) else step


@pytest.mark.parametrize("number", range(12))
def test_a_whole_record_shows_no_eye_what_it_never_saw(number: int) -> None:
    """In each suit the ranks (but aces) that an eye never saw change places: it must not notice at any moment."""
    dice, seats = random.Random(number), 2 + number % 3
    start = matches.begin(life, read_options(life, seats, {"jokers_per_deck": 0}), seats)
    steps = tuple(step for _, step, after in play_on(start, Player(number)) if not after.round_over)[:30]
    table = start
    for step in steps:
        table, _ = matches.play(table, *step)
    for eye in (*range(1, seats + 1), None):
        shown = seen_along(Report(table, 0, steps), start, eye)
        seen = set(re.findall(r'"(\w+)"', " ".join(shown)))
        unseen = [card for card in PACK if card not in seen and card.rank != 1]
        swaps: dict[str, str] = {}
        for suit in "SHDC":
            ranks = [card for card in unseen if card.suit == suit]
            swaps.update(zip(ranks, dice.sample(ranks, len(ranks)), strict=True))
        assert any(one != other for one, other in swaps.items())
        there = tuple(relabelled(step, swaps) for step in steps)
        assert there != steps
        assert seen_along(Report(table, 0, there), start, eye) == shown
