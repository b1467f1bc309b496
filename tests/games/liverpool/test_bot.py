"""How a good Liverpool player plays: one situation a test, then whole matches against players who just play on."""

import json
import random
from typing import Any

import pytest

from app.cli.makers.simulate import simulate
from snug.engine.cards import CARDS
from snug.engine.game import Move, read_options
from snug.engine.record import parse
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.bot import choose
from snug.games.liverpool.state import Buy, Discard, DrawStock, LayDown, LayOff, PassBuy, StealJoker, TakeDiscard
from tests.games.strength import victories


def chosen(seat: int = 1, options: dict[str, Any] | None = None, **position: Any) -> Move:
    """What the good player does here; it is legal, whatever it is."""
    position["hands"] = [hand.split() for hand in position["hands"]]
    for pile in ("discard_pile", "stock"):
        position[pile] = position.get(pile, "").split()
    for meld in position.get("melds", []):
        meld["cards"] = meld["cards"].split()
    record = {"game": "liverpool", "seats": 3, "options": options or {}, "position": position}
    table = parse(json.dumps(record)).start
    move = choose(liverpool.view(table.round, seat), random.Random(0))
    liverpool.check(table.round, seat, move)  # type: ignore[arg-type]
    return move


RUN = {"kind": "run", "cards": "8C 9C JK JC", "owner": 1}
OTHERS = ("2H 3D 5S 9H KD", "4H 6D 7S 9S KC")


def test_it_takes_a_discard_that_brings_the_contract_nearer() -> None:
    hand = "4C 4D 9S 9C KS QH 2D 3S 6H JD"
    assert chosen(hands=[hand, *OTHERS], discard_pile="4S", stock="2C 3C") == TakeDiscard()
    assert chosen(hands=[hand, *OTHERS], discard_pile="JK", stock="2C 3C") == TakeDiscard()
    assert chosen(hands=[hand, *OTHERS], discard_pile="5H", stock="2C 3C") == DrawStock()


def test_it_buys_what_it_would_have_taken_but_no_card_more_in_the_last_hand() -> None:
    offer: dict[str, Any] = {"phase": "BUY", "discard_pile": "4S", "stock": "2C 3C"}
    hand = "4C 4D 9S 9C 10C QH 2D 3S 6H JD"
    assert chosen(2, hand_no=2, hands=[OTHERS[0], hand, OTHERS[1]], **offer) == Buy()
    assert chosen(2, hand_no=2, hands=[OTHERS[0], "AH 7D 9S 10C", OTHERS[1]], **offer) == PassBuy()
    assert chosen(2, hand_no=7, hands=[OTHERS[0], hand, OTHERS[1]], **offer) == PassBuy()


def test_it_goes_down_as_soon_as_it_can_and_keeps_little() -> None:
    move = chosen(phase="PLAY", hands=["4C 4D 4H KS KD KC 9S 9C 9D JK 2C", *OTHERS[:1]])
    assert isinstance(move, LayDown)
    assert sorted(card for meld in move.melds for card in meld.cards) == sorted(
        ["KS", "KD", "KC", "JK", "9S", "9C", "9D"]
    )


def test_it_keeps_a_card_to_discard_where_the_table_wants_one() -> None:
    options = {"final_discard": "required"}
    move = chosen(options=options, phase="PLAY", hands=["4C 4D 4H KS KD KC KH", *OTHERS])
    assert isinstance(move, LayDown)
    assert sum(len(meld.cards) for meld in move.melds) == 6


def test_it_discards_the_dearest_card_without_use() -> None:
    assert chosen(phase="PLAY", hands=["4C 4D 4H 9S 9C KS 2D 6H QC 8D 3S", *OTHERS]) in (
        Discard(CARDS["KS"]),
        Discard(CARDS["QC"]),
    )


def test_it_gets_rid_of_all_that_fits_dear_cards_first() -> None:
    table: dict[str, Any] = {"hand_no": 2, "phase": "PLAY", "down": [1]}
    assert chosen(hands=["7C QC 2H", *OTHERS], melds=[dict(RUN)], **table) == LayOff(CARDS["QC"], 1, "high")
    move = chosen(hands=["10C 2H", *OTHERS], melds=[dict(RUN)], **table)
    assert isinstance(move, StealJoker)
    assert move.card == "10C"


def test_it_puts_a_joker_where_its_next_card_can_follow() -> None:
    move = chosen(hand_no=2, phase="PLAY", down=[1], hands=["10C KC 2H", *OTHERS], melds=[dict(RUN)])
    assert isinstance(move, StealJoker)
    assert move.to.end == "high"


def test_it_takes_a_discard_to_play_it_when_it_is_down() -> None:
    table: dict[str, Any] = {"hand_no": 2, "down": [1], "melds": [dict(RUN)], "hands": ["2H 3H", *OTHERS]}
    table["stock"] = "2C 3C"
    assert chosen(**table, discard_pile="QC") == TakeDiscard(LayOff(CARDS["QC"], 1, "high"))
    table["melds"] = [dict(RUN)]
    table["hands"] = ["2H 3H", *OTHERS]
    assert chosen(**table, discard_pile="QD") == DrawStock()


def test_it_ends_the_last_hand_when_everything_fits() -> None:
    hand = "4H 5H 6H 7H 9H 10H JH QH AS 2S 3S 4S"
    assert chosen(hand_no=7, hands=[hand, *OTHERS], discard_pile="5S", stock="2C 3C") == TakeDiscard()
    assert isinstance(chosen(hand_no=7, phase="PLAY", hands=[f"{hand} 5S", *OTHERS]), LayDown)


@pytest.mark.dear(0.6, "whole rounds")
def test_it_beats_random_players() -> None:
    assert victories(liverpool, 4, 8, buying_from="always") >= 5


def test_it_thinks_quickly() -> None:
    (played,) = simulate(liverpool, read_options(liverpool, 4, {}), ["good"] * 4, "quickly", 1)
    assert played.seconds / played.moves < 0.002
