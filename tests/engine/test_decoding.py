"""What browsers send, read as moves: single values for lists, texts for numbers."""

import json

import pytest

from snug.engine.game import InvalidMove, plain, read_move
from snug.games import GAMES

READ = (
    ("life", {"move": "lay", "cards": "7H"}, {"move": "lay", "cards": ["7H"]}),
    ("life", {"move": "lay", "cards": ["7H", "8H"]}, {"move": "lay", "cards": ["7H", "8H"]}),
    ("life", {"move": "lay"}, {"move": "lay"}),
    ("lives", {"move": "play", "card": "2C", "last_card": "true"}, {"card": "2C", "last_card": True}),
    (
        "liverpool",
        {"move": "lay_down", "melds": [{"kind": "set", "cards": "7H"}, {"kind": "run", "cards": ["5S", "6S"]}]},
        {"melds": [{"kind": "set", "cards": ["7H"]}, {"kind": "run", "cards": ["5S", "6S"]}]},
    ),
    (
        "liverpool",
        {"move": "lay_down", "melds": {"kind": "set", "cards": "7H"}},
        {"melds": [{"kind": "set", "cards": ["7H"]}]},
    ),
    (
        "liverpool",
        {"move": "take_discard", "play": {"move": "lay_off", "card": "7H", "meld": "2"}},
        {"play": {"move": "lay_off", "card": "7H", "meld": 2}},
    ),
    ("liverpool", {"move": "take_discard"}, {"move": "take_discard"}),
)


@pytest.mark.parametrize(("game", "sent", "meant"), READ)
def test_a_sent_move_is_read_as_it_was_meant(game: str, sent: dict[str, object], meant: dict[str, object]) -> None:
    read = json.loads(json.dumps(plain(read_move(GAMES[game], sent, strict=False))))
    assert read | meant == read


@pytest.mark.parametrize(
    ("game", "sent"),
    [
        ("lucky_paw", {"move": "play", "stack": ["1", "2"], "open": "1"}),
        ("lives", {"move": "play", "card": ["2C", "3C"]}),
        ("life", {"move": "lay", "cards": {"a": "7H"}}),
        ("life", {"move": "lay", "cards": ""}),
        ("liverpool", {"move": "lay_down", "melds": "7H"}),
        ("liverpool", {"move": "take_discard", "play": {"move": "discard", "card": "7H"}}),
        ("liverpool", {"move": "take_discard", "play": "7H"}),
        ("liverpool", {"move": ["lay_down"], "melds": []}),
    ],
)
def test_what_means_nothing_is_refused(game: str, sent: dict[str, object]) -> None:
    with pytest.raises(InvalidMove):
        read_move(GAMES[game], sent, strict=False)


def test_a_record_has_to_be_exact() -> None:
    with pytest.raises(InvalidMove):
        read_move(GAMES["life"], {"move": "lay", "cards": "7H"})
