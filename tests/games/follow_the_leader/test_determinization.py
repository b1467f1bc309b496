"""Imagined deals of Follow the Leader agree with all that a seat has seen."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from snug.bots import levels
from snug.engine import match as matches
from snug.engine.cards import RANKS
from snug.engine.chance import chance_of
from snug.engine.game import Event, read_options
from snug.engine.match import Match
from snug.games.follow_the_leader import GAME as follow_the_leader
from snug.games.follow_the_leader.determinization import determinize
from snug.games.follow_the_leader.state import Drew, FollowTheLeaderState, Led, PileRecycled, Play, Played, cards_of
from snug.games.follow_the_leader.view import FollowTheLeaderView

Choice = tuple[FollowTheLeaderState, FollowTheLeaderView]

TABLES = [(2, {}), (4, {}), (5, {"jokers": True}), (3, {"decks": 2}), (2, {"decks": 2, "jokers": True})]


def choices(
    seats: int, options: Mapping[str, Any], level: str, position: Mapping[str, Any] | None = None
) -> list[Choice]:
    """The state and what the seat to act knows, at every turn of a deal, from its beginning or a position."""
    read = read_options(follow_the_leader, seats, options)
    match = matches.begin(follow_the_leader, read, seats)
    if position:
        state, rounds, totals = follow_the_leader.from_position(read, seats, position)
        match = Match(follow_the_leader, read, seats, state, rounds, totals)
    return list(_turns(match, level))


def _turns(match: Match, level: str) -> Iterator[Choice]:
    chance, shuffles = random.Random(1), 0
    log: list[Event] = []
    while not match.over:
        if due := match.due:
            match, events = matches.play(match, 0, due.outcome(chance_of("imagining", shuffles)))
            shuffles += 1
        else:
            (seat,) = match.to_act
            view = matches.sight(match, seat, log)
            assert isinstance(view, FollowTheLeaderView)
            yield match.round, view
            move = levels.choose(follow_the_leader.key, level, view, chance)
            match, events = matches.play(match, seat, move)
        log.extend(events)


def wrong_draws(seen: tuple[Event, ...], hand: tuple[Any, ...], seat: int) -> int:
    """How often a seat drew although it held what fits: it has, or played since, more of it than it has drawn since."""
    numbers = {rank: number for number, rank in enumerate(RANKS, 1)}
    fits: tuple[str, ...] = ()
    # What fitted, how many cards the seat had played until then, and drawn, this one included if that was kept.
    draws: list[tuple[list[int], int, int]] = []
    played: list[int] = []
    drawn = 0
    for event in seen:
        if isinstance(event, Led | Played):
            if event.seat == seat:
                if isinstance(event, Played) and event.kind == "drawn":
                    draws[-1] = (*draws[-1][:2], draws[-1][2] - 1)
                played.append(event.card.rank)
            fits = event.range
        elif isinstance(event, Drew) and event.seat == seat:
            drawn += event.drawn
            draws.append(([0, *map(numbers.__getitem__, fits)], len(played), drawn))
    held = [card.rank for card in hand]
    return sum(
        sum(rank in ranks for rank in played[before:] + held) > drawn - with_this for ranks, before, with_this in draws
    )


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_the_view_of_an_imagined_deal_is_the_view_it_came_from(seats: int, options: dict[str, Any]) -> None:
    for state, view in choices(seats, options, "steady"):
        world = determinize(view, random.Random(1))
        assert follow_the_leader.view(world, view.turn) == replace(view, seen=())
        assert Counter(cards_of(world)) == Counter(cards_of(state))


@pytest.mark.dear(0.8, "many imagined tables")
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_who_drew_held_nothing_that_fits(seats: int, options: dict[str, Any]) -> None:
    wrong = blind = 0
    for state, view in choices(seats, options, "random"):
        known, guessed = determinize(view, random.Random(1)), determinize(replace(view, seen=()), random.Random(1))
        for seat in {*range(1, seats + 1)} - {view.turn}:
            assert not wrong_draws(view.seen, state.hands[seat - 1], seat)
            wrong += wrong_draws(view.seen, known.hands[seat - 1], seat)
            blind += wrong_draws(view.seen, guessed.hands[seat - 1], seat)
    assert not wrong
    assert blind


def test_shuffled_discards_are_in_the_pile_or_with_those_who_drew_since() -> None:
    looked = blind = 0
    for _, view in choices(2, {}, "random"):
        last = max((at for at, event in enumerate(view.seen) if isinstance(event, PileRecycled)), default=0)
        if not last:
            continue
        looked += 1
        *buried, _ = shuffled_under(view.seen[:last])
        drawn = Counter(event.seat for event in view.seen[last:] if isinstance(event, Drew) for _ in range(event.drawn))
        world = determinize(view, random.Random(1))
        assert set(world.pile) <= set(buried)
        for seat in {1, 2} - {view.turn}:
            assert len(set(buried).intersection(world.hands[seat - 1])) <= drawn[seat]
        blind += not set(determinize(replace(view, seen=()), random.Random(1)).pile) <= set(buried)
    assert looked
    assert blind


def shuffled_under(seen: tuple[Event, ...]) -> list[Any]:
    """The discards before they are shuffled, of one pack, the top card last."""
    discards: list[Any] = []
    for event in seen:
        if isinstance(event, PileRecycled):
            del discards[:-1]
        elif isinstance(event, Led | Played):
            discards.append(event.card)
    return discards


def test_one_view_gives_many_worlds_and_the_same_dice_the_same() -> None:
    _, view = choices(4, {}, "steady")[20]
    worlds = [determinize(view, random.Random(number)) for number in range(20)]
    assert len({world.hands for world in worlds}) > 15
    assert worlds[3] == determinize(view, random.Random(3))


@pytest.mark.parametrize("begun", ["TURN", "FREE"])
def test_a_table_may_begin_in_the_middle_of_a_deal(begun: str) -> None:
    position = {
        "hands": [["2D", "9D", "JC"], ["8C", "KD"], ["3C", "QD", "4S"]],
        "pile": ["KS", "5D"],
        "discards": ["AS", "6S", "10D", "7S"],
        "turn": 1,
        "phase": begun,
        "fails": 3 if begun == "FREE" else 0,
    }
    for state, view in choices(3, {}, "steady", position):
        world = determinize(view, random.Random(1))
        assert follow_the_leader.view(world, view.turn) == replace(view, seen=())
        assert len(cards_of(world)) == len(cards_of(state))


@pytest.mark.parametrize(("options", "seldom"), [({}, True), ({"one_below": True}, False)])
def test_who_plays_the_higher_rank_seldom_has_the_lower_one(options: dict[str, Any], seldom: bool) -> None:
    cards = [rank + suit for rank in RANKS for suit in "CDHS"]
    hands = [["7S", "2C"], ["8H", "3S", "4D", "QC", "QD", "KH"]]
    pile = [card for card in cards if card not in ("7C", *hands[0], *hands[1])]
    read = read_options(follow_the_leader, 2, options)
    state, rounds, totals = follow_the_leader.from_position(read, 2, {"hands": hands, "pile": pile, "discards": ["7C"]})
    match, log = Match(follow_the_leader, read, 2, state, rounds, totals), list[Event]()
    for seat, card in ((1, "7S"), (2, "8H")):
        (play,) = (
            move
            for move in follow_the_leader.view(match.round, seat).legal
            if isinstance(move, Play) and move.card == card
        )
        match, events = matches.play(match, seat, play)
        log += events
    view = matches.sight(match, 1, log)
    assert isinstance(view, FollowTheLeaderView)
    luck, held = random.Random(1), Counter[int]()
    for _ in range(300):
        held.update(card.rank for card in determinize(view, luck).hands[1])
    assert (held[7] < held[6] / 3) is seldom  # two sevens are unseen, and four sixes
