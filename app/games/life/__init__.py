"""Life: turn up a card, lay its suit, make ten and steal. Your own suit counts double, spades count against you.

Follows `docs/rules/life.md`, whose sections are quoted as §. Hands, the order of the deck and, until everybody has
chosen, the suits are secret; so is what was stolen from a hand, but for the two whom it concerns.
"""

from typing import Final

from app.engine.cards import JOKER, SUIT_NAMES
from app.games.life.dealing import deal, due, first_dealer, start
from app.games.life.options import MOST_SEATS, PRESETS, LifeOptions, check_options
from app.games.life.play import automatic, check, legal, play, to_act, view
from app.games.life.position import from_position, to_position
from app.games.life.score import competitors, entries, is_last, next_dealer, places, scores, tally, tie_break
from app.games.life.state import LifeMove
from app.games.life.story import retold

KEY: Final = "life"
NAME: Final = "Life"
ROUND: Final = "hand"
UNIT: Final = ("point", "points")
SUMMARY: Final = "Turn up a card, lay its suit, bring ten points to safety and steal. Spades are just bad luck."
SEATS: Final = (2, MOST_SEATS)
OPTIONS: Final = LifeOptions
MOVES: Final = LifeMove

__all__ = [
    "JOKER",
    "KEY",
    "MOVES",
    "NAME",
    "OPTIONS",
    "PRESETS",
    "ROUND",
    "SEATS",
    "SUIT_NAMES",
    "SUMMARY",
    "UNIT",
    "automatic",
    "check",
    "check_options",
    "competitors",
    "deal",
    "due",
    "entries",
    "first_dealer",
    "from_position",
    "is_last",
    "legal",
    "next_dealer",
    "places",
    "play",
    "retold",
    "scores",
    "start",
    "tally",
    "tie_break",
    "to_act",
    "to_position",
    "view",
]
