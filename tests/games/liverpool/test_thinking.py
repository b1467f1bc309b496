"""How a sharp Liverpool player thinks: what hands need, how a hand is played out, which moves are worth a thought."""

import json
import random
from typing import Any

import pytest

from snug.engine.cards import CARDS, Pile
from snug.engine.game import Move
from snug.engine.record import parse
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.bot import THINKING, choose, sharp_eyed
from snug.games.liverpool.meld_search import can_lay
from snug.games.liverpool.state import CONTRACTS, Buy, Discard, DrawStock, LiverpoolState, PassBuy, TakeDiscard
from snug.games.liverpool.thinking.candidates import candidates
from snug.games.liverpool.thinking.determinization import determinize
from snug.games.liverpool.thinking.finish import play_out
from snug.games.liverpool.thinking.hand_plan import hand_plan
from snug.games.liverpool.thinking.keeping import keep_the_best
from snug.games.liverpool.thinking.needs import CARD_OF, NUMBER_OF, needs, numbers_of
from snug.games.liverpool.view import LiverpoolView
from tests.games.liverpool.test_determinization import dealt, moments


def pile(text: str) -> Pile:
    return tuple(CARDS[card] for card in text.split())


def wanted(hand: str, number: int) -> set[str]:
    need = needs(numbers_of(pile(hand)), CONTRACTS[number - 1])
    return {card for card, bit in NUMBER_OF.items() if need.wants >> bit & 1}


def table(**position: Any) -> LiverpoolState:
    position["hands"] = [hand.split() for hand in position["hands"]]
    for key in ("discard_pile", "stock"):
        position[key] = position.get(key, "").split()
    for meld in position.get("melds", []):
        meld["cards"] = meld["cards"].split()
    record = {"game": "liverpool", "seats": 3, "options": {}, "position": position}
    state = parse(json.dumps(record)).start.round
    assert isinstance(state, LiverpoolState)
    return state


@pytest.mark.parametrize(
    ("number", "hand", "lacks"),
    [
        (1, "4C 4D 9S 9C KS", "4S 4H 4D 4C 9S 9H 9D 9C JK"),
        (1, "4C 4D 4S 9C 9D KS", "9S 9H 9D 9C JK"),
        (2, "4C 4D 4S 9C 10C QC KS", "JC JK"),
        (3, "4C 5C 6C 7C QS KS AS 2D", "JS JK"),
        (1, "4C 4D 9S 9C JK JK", ""),
    ],
)
def test_a_hand_needs_what_brings_the_contract_nearer(number: int, hand: str, lacks: str) -> None:
    assert wanted(hand, number) == set(lacks.split())


def test_of_many_beginnings_of_a_run_the_longest_count() -> None:
    hand = pile("2S 6S 10S JS AH 8D KD 7C 10C JC KC")
    assert needs(numbers_of(hand), CONTRACTS[2]).missing == 3


def test_in_the_last_hand_every_card_needs_a_place() -> None:
    contract = CONTRACTS[6]
    hand = pile("4H 5H 6H 7H 9S 10S JS QS AC 2C 3C 4C")
    need = needs(numbers_of(hand), contract, 13)
    assert need.missing == 1
    ends = {card for card, bit in NUMBER_OF.items() if need.wants >> bit & 1}
    assert ends == set(pile("3H 8H 8S KS 5C JK"))
    assert all(can_lay((*hand, CARDS[card]), contract) for card in ends)


@pytest.mark.parametrize("number", range(1, 7))
def test_it_comes_to_the_same_as_the_plan_that_is_spelt_out(number: int) -> None:
    chance = random.Random(number)
    contract, same = CONTRACTS[number - 1], 0
    for _ in range(60):
        cards = [NUMBER_OF[card] for card in liverpool.cards(dealt(4, number, chance.randrange(999))[0].round)]
        hand, stock = cards[:11], cards[11:]
        keep_the_best((), hand, stock, range(chance.randrange(20)), contract)
        spelt_out = hand_plan(tuple(CARD_OF[card] for card in hand), contract)
        same += needs(tuple(sorted(hand)), contract).missing == spelt_out.missing
    assert same >= 59


def test_who_has_chosen_what_to_keep_holds_better_cards_but_not_the_whole_contract() -> None:
    contract = CONTRACTS[3]
    missing = []
    for draws in (0, 9):
        for seed in range(40):
            cards = [NUMBER_OF[card] for card in liverpool.cards(dealt(4, 4, seed)[0].round)]
            known, free, stock = cards[:2], cards[2:10], cards[10:]
            keep_the_best(known, free, stock, range(draws), contract)
            assert sorted(known + free + stock) == sorted(cards)
            missing.append(needs(tuple(sorted(known + free)), contract).missing)
    assert sum(missing[40:]) + 30 < sum(missing[:40])
    assert sum(one < 1 for one in missing[40:]) <= 1


def test_a_hand_is_played_out_from_any_moment() -> None:
    for match, _, _ in moments(*dealt(4, 2)):
        scores = play_out(match.round, random.Random(1))
        assert len(scores) == 4
        assert min(scores) >= 0
        assert scores == play_out(match.round, random.Random(1))


def test_who_has_what_he_needs_goes_out_when_a_hand_is_played_out() -> None:
    others = ["2H 3D 5S 9H KD", "4H 6D 7S 9S KC"]
    state = table(phase="PLAY", hands=["4C 4D 4H KS KD KH 2C", *others], discard_pile="QD", stock="QS 8S")
    assert play_out(state, random.Random(1)) == (0, 29, 36)
    melds = [{"kind": "run", "cards": "8C 9C JK JC", "owner": 1}]
    state = table(hands=["QC 7C", *others], down=[True, False, False], melds=melds, discard_pile="10C", stock="QS 8S")
    assert play_out(state, random.Random(1)) == (0, 29, 36)


def test_only_what_is_at_stake_is_thought_about() -> None:
    others = ["2H 3D 5S 9H KD", "4H 6D 7S 9S KC"]
    can_go_down = table(phase="PLAY", hands=["4C 4D 4H KS KD KC 2C", *others], discard_pile="QD", stock="QS 8S")
    assert candidates(liverpool.view(can_go_down, 1)) == ()
    offer: dict[str, Any] = {
        "hand_no": 2,
        "phase": "BUY",
        "stock": "QS 8S",
        "hands": [others[0], "4C 4D 9S 9C", others[1]],
    }
    assert candidates(liverpool.view(table(**offer, discard_pile="4S"), 2)) == (Buy(),)
    assert candidates(liverpool.view(table(**offer, discard_pile="KH"), 2)) == (PassBuy(),)
    taking = table(hands=["4C 4D 9S 9C", *others], discard_pile="4S", stock="QS 8S")
    assert candidates(liverpool.view(taking, 1)) == (TakeDiscard(),)
    throwing = table(phase="PLAY", hands=["4C 4D 9S 9C KS QH 2D", *others], discard_pile="4S", stock="QS 8S")
    assert set(candidates(liverpool.view(throwing, 1))) == {Discard(CARDS[card]) for card in ("KS", "QH", "2D")}


def test_who_is_down_lays_off_what_he_can_or_gets_rid_of_the_dearest() -> None:
    def down(hand: str) -> LiverpoolView:
        hands = [hand, "2H 3D 5S 9H KD", "4H 6D 7S 9S KC"]
        melds = [{"kind": "set", "cards": "4C 4D 4H", "owner": 1}]
        given = {"phase": "PLAY", "down": [True, False, False], "melds": melds}
        return liverpool.view(table(**given, hands=hands, discard_pile="8C", stock="QS 8S"), 1)

    assert candidates(down("2D KS 9H")) == (Discard(CARDS["KS"]), Discard(CARDS["9H"]))
    assert candidates(down("4S KS 9H")) == ()


def test_a_sharp_player_buys_what_helps_whoever_is_about_to_go_out() -> None:
    state = table(hand_no=2, phase="BUY", stock="QS 8S", hands=["2H", "4C 4D 9S 9C KH", "3D 5S KD"], discard_pile="4S")
    assert choose(liverpool.view(state, 2), random.Random(0)) == PassBuy()
    assert sharp_eyed(liverpool.view(state, 2), random.Random(0)) == Buy()


@pytest.mark.parametrize(
    ("number", "hand", "steady", "sharp"),
    [
        (2, "4C 4D 4S 8C 9C 10C KS KD", Buy(), PassBuy()),  # where two melds are enough, two pairs are not
        (4, "4C 4D 4S 9C 9D 9S QC QD KC", PassBuy(), Buy()),  # of three sets any pair may become one
        (5, "4C 4D 4S 9C 9D 9S 5D 6D 7D KC", PassBuy(), PassBuy()),
        (5, "4C 4D 4S 9C 9D 9S 5D 6D 7D KC KS", Buy(), Buy()),
        (6, "4C 4H 4S 9C 10C JC QC 5D 6D 7D KD KS", Buy(), PassBuy()),  # of two runs and a set it rarely does
    ],
)
def test_a_sharp_player_knows_what_promise_is_worth_buying(number: int, hand: str, steady: Move, sharp: Move) -> None:
    others = ["2H 3D 5S 9H KD", "4H 6D 7S 9S KC"]
    state = table(hand_no=number, phase="BUY", stock="QS 8S", hands=[others[0], hand, others[1]], discard_pile="KH")
    assert choose(liverpool.view(state, 2), random.Random(0)) == steady
    assert sharp_eyed(liverpool.view(state, 2), random.Random(0)) == sharp


@pytest.mark.parametrize("gone", ["4S", "4D"])
def test_in_the_last_hand_he_keeps_what_can_still_be_completed(gone: str) -> None:
    hand = "2C 3C 4C 5C 9H 10H JH QH 5S 6S 5D 6D"
    others = ["2H 3D 5S 9H KD", "4H 6D 7S 9S KC"]
    state = table(hand_no=7, phase="PLAY", hands=[hand, *others], discard_pile=gone, stock="QS 8S")
    move = sharp_eyed(liverpool.view(state, 1), random.Random(0))
    assert isinstance(move, Discard)
    assert move.card.suit == CARDS[gone].suit


@pytest.mark.parametrize(("upcard", "move"), [("8C", DrawStock()), ("7S", TakeDiscard()), ("2D", DrawStock())])
def test_in_the_last_hand_he_takes_what_leaves_fewer_cards_missing(upcard: str, move: Move) -> None:
    hand = "2C 3C 4C 5C 9H 10H JH QH 5S 6S KD 6D"
    others = ["2H 3D 5S 9H KD", "4H 6D 7S 9S KC"]
    state = table(hand_no=7, hands=[hand, *others], discard_pile=upcard, stock="QS 8S")
    assert sharp_eyed(liverpool.view(state, 1), random.Random(0)) == move


def test_in_the_last_hand_jokers_alone_are_a_hand_too() -> None:
    state = table(hand_no=7, hands=["JK JK", "2H 3D 5S 9H KD", "4H 6D 7S 9S KC"], discard_pile="8C", stock="QS 8S")
    assert sharp_eyed(liverpool.view(state, 1), random.Random(0)) == DrawStock()


def test_what_is_worth_a_thought_is_legal() -> None:
    for _, view, chance in moments(*dealt(4, 6)):
        assert set(THINKING.candidates(view)) <= set(view.legal)
        for move in THINKING.candidates(view):
            assert view.seat
            liverpool.check(determinize(view, chance), view.seat, move)  # type: ignore[arg-type]
