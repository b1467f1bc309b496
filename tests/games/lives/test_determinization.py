"""What a seat of Irish Lives knows of hidden cards, and that no world it imagines is against that."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import Card, parse_card
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, Event, Move, read_options
from snug.engine.match import Match, sight
from snug.games.lives import GAME as lives
from snug.games.lives.events import CardPlayed, DealStarted, PoolRecycled, StarterTurned
from snug.games.lives.matching import FITS
from snug.games.lives.state import DRAW, KEEP, CallSuit, LivesState, Play
from tests.games.lives.tables import begin, deal, pack_with, table_of

WORLDS = 60
Hand = tuple[Card, ...]


def play(card: str, **told: Any) -> Play:
    return Play(parse_card(card), **told)


def after(table: Match, *steps: tuple[int, Move], log: Sequence[Event] = ()) -> tuple[Match, list[Event]]:
    """The table after these moves, and all that happened; the dealer shuffles when it has to."""
    told = list(log)
    for seat, move in steps:
        table, events = matches.play(table, seat, move)
        told += events
        if due := table.due:
            table, events = matches.play(table, DEALER, due.outcome(chance_of("again", len(told))))
            told += events
    return table, told


def worlds(table: Match, seat: int, log: Sequence[Event]) -> list[LivesState]:
    """What a seat imagines, each of which looks as the table does."""
    view: Any = sight(table, seat, log)
    chance = Random(1)
    imagined = [lives.determinize(view, chance) for _ in range(WORLDS)]
    assert {lives.view(world, seat) for world in imagined} == {lives.view(table.round, seat)}
    return imagined


def hands_of(other: int, table: Match, seat: int, log: Sequence[Event]) -> list[Hand]:
    return [world.hands[other - 1] for world in worlds(table, seat, log)]


def of_suit(suit: str, hands: Sequence[Hand]) -> int:
    return sum(card.suit == suit for hand in hands for card in hand)


def test_who_had_to_play_and_did_not_holds_nothing_that_fits() -> None:
    hands = [["KH", "4S", "4D"], ["9C", "KD", "3S"], ["10S", "JS", "QS", "2D"]]
    table, log = after(table_of({"hands": hands}, must_play=True), (1, DRAW))
    wanted = FITS["no_suit", "C", 7].with_aces
    assert any(wanted.intersection(hand) for hand in hands_of(1, table, 2, ()))
    assert all(len(wanted.intersection(hand)) <= 1 for hand in hands_of(1, table, 2, log)), "one was drawn since"


def test_who_may_pick_up_seldom_holds_what_fits() -> None:
    hands = [["KH", "4S", "4D"], ["9C", "KD", "3S"], ["10S", "JS", "QS", "2D"]]
    table, log = after(table_of({"hands": hands}), (1, DRAW))
    assert of_suit("C", hands_of(1, table, 2, log)) * 2 < of_suit("C", hands_of(1, table, 2, ()))


def dealt_on_clubs(first: str) -> tuple[Match, list[Event]]:
    """Three get spades and hearts, but for the first card of seat 1, who begins on the seven of clubs."""
    table, events = deal(begin(3), pack_with({0: first, 21: "7C"}))
    return table, list(events)


def test_who_plays_a_low_card_seldom_holds_a_high_one_that_fits() -> None:
    table, log = dealt_on_clubs("3C")
    table, log = after(table, (1, play("3C")), log=log)
    assert of_suit("C", hands_of(1, table, 2, log)) * 3 < of_suit("C", hands_of(3, table, 2, log)) * 2


def test_an_ace_of_another_suit_shows_that_its_player_had_none() -> None:
    table, log = dealt_on_clubs("AS")
    table, log = after(table, (1, play("AS", suit="H")), log=log)
    assert of_suit("C", hands_of(3, table, 2, log)) > 0
    assert of_suit("C", hands_of(1, table, 2, log)) == 0


def test_who_names_a_suit_for_the_last_card_mostly_holds_it() -> None:
    hands = [["8C", "AC", "7H"], ["9C", "KD", "3S"], ["10S", "JS", "QS"]]
    table, log = after(table_of({"hands": hands}), (1, play("8C")))
    table, log = after(table, (2, play("9C")), (3, DRAW), (1, play("AC", suit="H", last_card=True)), log=log)
    assert of_suit("H", hands_of(1, table, 2, log)) > 2 * of_suit("H", hands_of(1, table, 2, ()))


def test_a_pass_shows_that_nothing_fits() -> None:
    hands = [["KH", "4S", "4D"], ["9C", "KD", "3S"], ["10S", "JS", "QS"]]
    table, log = after(table_of({"hands": hands, "pool": [], "stack": ["7C"]}), (1, DRAW))
    assert of_suit("C", hands_of(1, table, 2, ())) > 0
    assert of_suit("C", hands_of(1, table, 2, log)) == 0


def test_a_card_that_was_kept_fitted() -> None:
    hands = [["KH"], ["9C", "KD", "3S"], ["10S", "JS", "QS"]]
    table, log = after(table_of({"hands": hands, "pool": ["8C", "6H"]}, play_drawn_card=True), (1, DRAW), (1, KEEP))
    fits = FITS["no_suit", "C", 7].with_aces
    assert not all(fits.intersection(hand) for hand in hands_of(1, table, 2, ()))
    assert all(fits.intersection(hand) for hand in hands_of(1, table, 2, log))


def test_a_card_that_was_not_played_at_once_did_not_fit() -> None:
    hands = [["KH", "4S"], ["9C", "KD", "3S"], ["10S", "JS", "QS"]]
    options: dict[str, Any] = {"play_drawn_card": True, "must_play": True}
    table, log = after(table_of({"hands": hands, "pool": ["8D", "6H"]}, **options), (1, DRAW))
    assert of_suit("C", hands_of(1, table, 2, ())) > 0
    assert of_suit("C", hands_of(1, table, 2, log)) == 0


@pytest.mark.parametrize("seen", [True, False])
def test_who_catches_in_between_imagines_a_drawn_card_that_is_held(seen: bool) -> None:
    position = {"hands": [["KH", "5D"], ["9C", "KD"], ["10S"]], "pool": ["8C", "6H"], "exposed": [3]}
    options: dict[str, Any] = {"play_drawn_card": True, "last_card_notice": "players"}
    table, log = after(table_of(position, **options), (1, DRAW))
    for world in worlds(table, 2, log if seen else ()):
        assert world.drawn_card in world.hands[0]
        assert world.drawn_card in FITS["no_suit", "C", 7].with_aces


def test_a_starter_that_went_back_is_in_no_hand_that_was_dealt() -> None:
    pack = pack_with({21: "AS", 22: "9H"})
    table, events = deal(begin(3, starter_power_card="redraw"), pack)
    log = list(events)
    while due := table.due:
        table, events = matches.play(table, DEALER, due.outcome(chance_of("turned", len(log))))
        log += events
    buried = {event.card for event in log if isinstance(event, StarterTurned) and event.buried}
    assert parse_card("AS") in buried
    seat = table.to_act[0]
    others = {other for other in (1, 2, 3) if other != seat}
    dealt = [card for other in others for hand in hands_of(other, table, seat, log) for card in hand]
    assert buried.isdisjoint(dealt)
    assert not buried.isdisjoint(c for other in others for hand in hands_of(other, table, seat, ()) for c in hand)


def played_to_the_second_pool(seed: int) -> tuple[Match, list[Event]]:
    """A deal of two who now and then pick up for no reason, to the moment when a stack has become the pool."""
    dice, log, dealt = Random(seed), list[Event](), 0
    table = matches.begin(lives, read_options(lives, 2, {"first_dealer": 1}), 2)
    while True:
        if due := table.due:
            table, events = matches.play(table, DEALER, due.outcome(chance_of(str(seed), dealt)))
            dealt += 1
        elif any(isinstance(event, PoolRecycled) for event in log):
            return table, log
        else:
            seat = table.to_act[0]
            moves = sight(table, seat, ()).legal
            table, events = matches.play(table, seat, DRAW if DRAW in moves and dice.random() < 0.8 else moves[0])
        log += events


@pytest.mark.parametrize("seed", range(3))
def test_when_the_stack_becomes_the_pool_two_know_each_others_cards(seed: int) -> None:
    table, log = played_to_the_second_pool(seed)
    for seat, other in ((1, 2), (2, 1)):
        if seat in table.to_act:
            true = table.round.hands[other - 1]
            assert all(sorted(hand) == sorted(true) for hand in hands_of(other, table, seat, log))
            assert any(sorted(hand) != sorted(true) for hand in hands_of(other, table, seat, ()))


def test_where_the_beginning_cannot_have_been_so_what_was_seen_since_the_last_shuffle_counts() -> None:
    """As where equal cards were told apart wrongly: here somebody has played what the viewer holds."""
    table, log = played_to_the_second_pool(0)
    while len(table.round.stack) < 4:
        seat = table.to_act[0]
        table, log = after(table, (seat, sight(table, seat, log).legal[0]), log=log)
    seat = table.to_act[0]
    held = table.round.hands[seat - 1][0]
    wrong = [log[0], CardPlayed(3 - seat, held, held.suit, 0, 5), *log[1:]]
    assert all(world.stack[1:] == table.round.stack[1:] for world in worlds(table, seat, wrong))
    assert not all(world.stack[1:] == table.round.stack[1:] for world in worlds(table, seat, ()))


def test_the_cards_that_the_viewer_put_under_the_top_card_lie_there() -> None:
    table, events = deal(begin(3), pack_with({21: "9H"}))
    assert isinstance(events[0], DealStarted)
    log = list(events)
    for _ in range(6):
        seat = table.to_act[0]
        view = sight(table, seat, log)
        table, log = after(table, (seat, view.legal[0]), log=log)
    for world in worlds(table, table.to_act[0], log):
        assert sorted(world.stack) == sorted(table.round.stack)
        assert sorted(lives.cards(world)) == sorted(lives.cards(table.round))


def test_who_has_to_name_the_first_suit_imagines_too() -> None:
    table, events = deal(begin(3), pack_with({21: "AS"}))
    assert CallSuit("H") in sight(table, 2, events).legal
    assert worlds(table, 2, events)


def test_the_same_chance_imagines_the_same_and_the_truth_makes_no_difference() -> None:
    hands = [["9C", "KD"], ["10S", "JS", "QS"], ["10H", "JH", "QH"]]
    one = table_of({"hands": hands})
    other = table_of({"hands": [hands[0], hands[2], hands[1]]})
    assert worlds(one, 1, ()) == worlds(other, 1, ())
