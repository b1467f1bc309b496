"""What a seat of Life can tell of hidden cards, and that it imagines nothing else."""

import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from msgspec.structs import replace

from snug.engine import match as matches
from snug.engine.cards import Card, Pile, parse_pile
from snug.engine.chance import Draw, Shuffle
from snug.engine.game import Event, Move, read_options
from snug.engine.match import Match, begin, sight
from snug.games.life import GAME as life
from snug.games.life.dealing import pack_for
from snug.games.life.events import Redealt
from snug.games.life.state import DECLINE_STEAL, TURN_CARD, ChooseSuit, Lay, LifeState, Steal, cards_of
from snug.games.life.view import LifeView
from snug.testing.random_play import Player, numbers, tables

Step = tuple[int, Move | Shuffle | Draw]
WORLDS = 60


def pile(cards: str) -> Pile:
    return parse_pile(cards.split())


def turned(seat: int) -> Step:
    return seat, TURN_CARD


def laid(seat: int, cards: str = "") -> Step:
    return seat, Lay(pile(cards))


def told(eye: int, hands: dict[int, str], deck: str, *steps: Step) -> LifeView:
    """What a seat knows of a Hand for which the cards were stacked, after these steps. Seat 2 begins."""
    table = begin(life, read_options(life, len(hands), {}), len(hands))
    for seat in hands:
        table, _ = matches.play(table, seat, ChooseSuit("H"))
    dealt = zip(*(pile(hands[seat]) for seat in (*sorted(hands)[1:], 1)), strict=True)
    top = [card for cards in dealt for card in cards] + list(pile(deck))
    rest = Counter(pack_for(table.options, len(hands)))
    rest.subtract(top)
    log: list[Event] = []
    for step in ((0, Shuffle((*top, *rest.elements()))), *steps):
        table, events = matches.play(table, *step)
        log += events
    return known(table, eye, log)


def known(table: Match, eye: int, log: list[Event]) -> LifeView:
    """What a seat knows that is to act."""
    view = sight(table, eye, log)
    assert isinstance(view, LifeView)
    assert view.legal
    return view


def worlds(view: LifeView) -> list[LifeState]:
    return [life.determinize(view, random.Random(number)) for number in range(WORLDS)]


def always(view: LifeView, holds: Callable[[LifeState], bool]) -> bool:
    """Whether it is so in every world imagined, and would not be for who has not watched."""
    return all(map(holds, worlds(view))) and not all(map(holds, worlds(replace(view, seen=()))))


def count(cards: Pile, suit: str) -> int:
    return sum(card.suit == suit for card in cards)


THREE = {1: "5H 7H 9H 2C 4C 6D 8D", 2: "2S 3S KD 3D QD 9C JC", 3: "4S 5S 6H 7C 8C 9D 10D"}


@given(table=tables(life), number=numbers)
def test_a_seat_imagines_what_it_sees(table: Match, number: int) -> None:
    """And no card is lost, whatever has happened, and from wherever on it has been watched."""
    player, missed = Player(number), number % 40
    log: list[Event] = []
    while not table.round_over:
        for seat in table.to_act:
            view = known(table, seat, log[missed:])
            state = life.determinize(view, player.dice)
            assert life.view(state, seat) == replace(view, seen=(), before=())
            assert Counter(cards_of(state)) == Counter(cards_of(table.round))
        table, events = matches.play(table, *player.choose(table))
        log += events


def test_suits_chosen_in_secret_may_be_any() -> None:
    table = begin(life, read_options(life, 3, {}), 3)
    table, events = matches.play(table, 2, ChooseSuit("D"))
    chosen = [life.determinize(known(table, 1, list(events)), random.Random(number)).chosen for number in range(WORLDS)]
    assert {suits[1] for suits in chosen} == {"H", "D", "C"}
    assert {(suits[0], suits[2]) for suits in chosen} == {(None, None)}


def test_a_card_is_as_likely_in_a_hand_as_the_hand_is_large() -> None:
    view, dice = told(2, THREE, "2H", turned(2)), random.Random(1)
    times = sum("AH" in life.determinize(view, dice).hands[0] for _ in range(1500))
    assert 0.12 < times / 1500 < 0.18  # 7 of the 46 that seat 2 does not see


def test_who_had_to_lay_spades_holds_none() -> None:
    view = told(3, THREE, "6S 10C", turned(2))
    assert always(view, lambda state: not count(state.hands[1], "S"))


def test_who_showed_none_holds_at_most_what_he_picked_up() -> None:
    view = told(2, THREE, "6S 10S JS KH", turned(2), turned(3), turned(1))
    assert always(view, lambda state: count(state.hands[0], "S") <= 1)


def test_a_turned_ace_leaves_nobody_its_suit() -> None:
    view = told(3, THREE, "AD", turned(2))
    assert always(view, lambda state: not count(state.hands[0] + state.hands[1], "D"))


def test_nor_does_a_laid_one() -> None:
    hands = {**THREE, 2: "2S 3S KD 3D AD 9C JC"}
    view = told(3, hands, "2D", turned(2), laid(2, "AD"), (2, DECLINE_STEAL))
    assert always(view, lambda state: not count(state.hands[0] + state.hands[1], "D"))


FROM_ROW = (turned(2), turned(3), laid(3, "7C 8C"), (3, Steal(2, *pile("2S"))))


def test_a_card_stolen_from_a_row_is_in_the_hand_of_the_thief() -> None:
    view = told(1, THREE, "6S 10C", *FROM_ROW)
    assert always(view, lambda state: "2S" in state.hands[2])


def test_what_was_stolen_from_oneself_too() -> None:
    drawn = (0, Draw(*pile("5H")))
    view = told(1, THREE, "10C QH", turned(2), laid(2, "9C JC"), (2, Steal(1)), drawn, turned(3), laid(3, "6H"))
    assert always(view, lambda state: "5H" in state.hands[1])


def test_a_known_card_may_have_been_stolen_once_more() -> None:
    again = (turned(1), laid(1, "5H 7H 9H"), (1, Steal(3)), (0, Draw(*pile("4S"))))
    view = told(2, THREE, "6S 10C 3H", *FROM_ROW, *again)
    assert always(view, lambda state: "2S" in state.hands[0] + state.hands[2])
    times = Counter("2S" in state.hands[2] for state in worlds(view))
    assert times[True] > times[False] > 0


def test_who_lays_nothing_of_a_suit_mostly_has_nothing() -> None:
    view = told(3, THREE, "2H KC", turned(2), laid(2))
    watched, unwatched = (
        sum(count(state.hands[1], "H") > 1 for state in worlds(it)) for it in (view, replace(view, seen=()))
    )
    assert watched < unwatched / 2


@pytest.mark.parametrize("number", [1, 2])
def test_a_deck_is_made_of_what_had_been_discarded(number: int) -> None:
    table, player = begin(life, read_options(life, 6, {"decks": 1}), 6), Player(number)
    player.idle = player.skill = 0
    log: list[Event] = []
    made: Counter[Card] = Counter()
    told_apart = 0
    while not table.round_over:
        if table.round.phase in ("TURN_RESHUFFLE", "PICK_UP_RESHUFFLE"):
            made = Counter(table.round.deck)
        if made and table.round.phase == "LAY":
            view = known(table, table.to_act[0], log)
            assert all(Counter(state.deck) <= made for state in worlds(view)[:10])
            told_apart += not all(Counter(state.deck) <= made for state in worlds(replace(view, seen=())))
        table, events = matches.play(table, *player.choose(table))
        log += events
        if any(isinstance(event, Redealt) for event in events):
            made = Counter()
    assert told_apart
