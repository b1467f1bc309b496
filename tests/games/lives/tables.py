"""Tables of Irish Lives for its tests: from a position, from a deal, from a record."""

import json
from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import PACK, Pile, parse_card
from snug.engine.chance import Shuffle
from snug.engine.game import DEALER, Event, IllegalMove, read_options
from snug.engine.match import Match
from snug.engine.record import Reading, Report, parse, replay
from snug.games.lives import GAME as lives

USUAL = {"stack": ["3D", "9H", "7C"], "pool": ["6S", "6D", "8H", "JD", "QD", "KC"]}
HANDS = [["9C", "KD"], ["10S", "JS", "QS"], ["10H", "JH", "QH"]]


def reading_of(record: dict[str, Any]) -> Reading:
    return parse(json.dumps({"game": "lives", **record}))


def reports_of(record: dict[str, Any]) -> list[Report]:
    return list(replay(reading_of(record)))


def table_of(position: dict[str, Any], seats: int = 3, **options: Any) -> Match:
    """A table in the middle of a deal; what `position` leaves out is as section 14 has it."""
    return reading_of({"seats": seats, "options": options, "position": {**USUAL, **position}}).start


def begin(seats: int, **options: Any) -> Match:
    return matches.begin(lives, read_options(lives, seats, {"first_dealer": seats, **options}), seats)


def deal(table: Match, cards: Pile) -> tuple[Match, tuple[Event, ...]]:
    return matches.play(table, DEALER, Shuffle(cards))


def pack_with(at: dict[int, str], pack: Pile = PACK) -> Pile:
    """A pack in which certain cards, and no others of their kind, lie at certain places."""
    fixed = {place: parse_card(text) for place, text in at.items()}
    rest = list(pack)
    for card in fixed.values():
        rest.remove(card)
    return tuple(fixed[place] if place in fixed else rest.pop(0) for place in range(len(pack)))


def refusal_of(table: Match, seat: int, move: Any) -> IllegalMove:
    with pytest.raises(IllegalMove) as refusal:
        matches.play(table, seat, move)
    return refusal.value


def refused(table: Match, seat: int, move: Any) -> str:
    return refusal_of(table, seat, move).code
