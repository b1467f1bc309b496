"""The deck: the files are what the script draws, every card is there, and both its halves are alike."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.paths import STATIC
from scripts.build_cards import RANKS, SUITS, build, main, printed

_SVG = "{http://www.w3.org/2000/svg}"


def test_the_files_are_what_the_script_draws(tmp_path: Path) -> None:
    main(tmp_path)
    drawn = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert drawn == {name: (STATIC / name).read_text() for name in ("cards.svg", "ranks.svg", "suits.svg")}


def test_every_card_the_joker_the_back_and_the_suits_are_there_in_one_size() -> None:
    symbols = {one.get("id"): one for one in ElementTree.parse(STATIC / "cards.svg").iter(f"{_SVG}symbol")}
    cards = {f"{rank}{suit}" for rank in RANKS for suit in SUITS} | {"JK", "back"}
    assert set(symbols) == cards | {f"suit-{suit}" for suit in SUITS}
    assert {symbols[card].get("viewBox") for card in cards} == {"0 0 250 350"}


@pytest.mark.parametrize("suit", SUITS)
def test_a_card_of_a_suit_shows_its_suit_as_often_as_it_counts_and_in_both_corners(suit: str) -> None:
    for rank, card in zip(RANKS, re.findall(rf'<symbol id="(?:A|\d+){suit}".*', build()), strict=False):
        (signs,) = re.findall(rf'<path fill="var\(--suit-{suit.lower()}[^"]*" d="([^"]*)"', card)
        shapes = {"S": 1, "H": 1, "D": 1, "C": 5}[suit]
        assert signs.count("M") == shapes * (2 + (1 if rank == "A" else int(rank))), rank


def test_a_shape_is_printed_where_it_is_wanted_and_upside_down_below() -> None:
    assert printed("M0 -50L50 50L-50 50Z", [(10, 20, 10), (0, 0, -20)]) == "M10 15l5 10l-10 0zM0 10l-10-20l20 0z"
    assert printed("M-10 0a10 10 0 1 1 20 0z", [(0, 0, -50)]) == "M5 0a5 5 0 1 1-10 0z"
