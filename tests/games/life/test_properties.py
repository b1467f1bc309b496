"""What holds at every Life table, however it is played: tried on random Hands."""

import json
import random
import re
from collections import Counter

import pytest
from hypothesis import given
from msgspec.structs import replace

from snug.engine import match as matches
from snug.engine.cards import CARDS, PACK, Pile
from snug.engine.chance import Draw, Shuffle
from snug.engine.game import plain, read_options
from snug.engine.match import Match
from snug.engine.record import Report, Step, as_json
from snug.games.life import GAME as life
from snug.games.life.state import HAND_TURN_CAP, Lay
from snug.testing.random_play import Player, moments, numbers, play_on, refusal_of, tables


@given(start=tables(life), number=numbers)
def test_a_hand_lasts_while_everybody_holds_cards(start: Match, number: int) -> None:
    for _, _, after in play_on(start, Player(number)):
        state = after.round
        assert state.turns <= HAND_TURN_CAP
        assert after.round_over or state.phase in ("CHOOSE_SUITS", "DEAL", "REDEAL") or all(state.hands)


@given(start=tables(life), number=numbers)
def test_a_position_says_everything_at_any_moment(start: Match, number: int) -> None:
    """Also while the dealer is at work."""
    for before, _, _ in play_on(start, Player(number)):
        position = json.loads(json.dumps(plain(life.to_position(before.round, before.rounds, before.totals))))
        state, rounds, totals = life.from_position(before.options, before.seats, position)
        turned = before.round.turned if before.round.phase not in ("DEAL", "CHOOSE_SUITS") else None
        assert (state, rounds, totals) == (replace(before.round, turned=turned), (), before.totals)


@given(table=moments(life), number=numbers)
def test_any_cards_of_the_turned_suit_may_be_laid_and_no_others(table: Match, number: int) -> None:
    dice, state = random.Random(number), table.round
    for seat in table.to_act if state.phase == "LAY" else ():
        hand = state.hands[seat - 1]
        playable = Counter(card for card in hand if card.suit == state.turned[-1])
        for _ in range(50):
            cards = tuple(dice.choices((*hand, *PACK[:: dice.randint(1, 52)]), k=dice.randint(0, 3)))
            assert (refusal_of(table, seat, Lay(cards)) is None) == (Counter(cards) <= playable)


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
