"""Irish Lives: match the top card in suit or rank; twos make others pick up, aces name the suit. First out wins.

Follows `docs/rules/lives.md`, whose sections are quoted as §. Hands and the order of pool and stack are secret, the top
card, the sizes of hands and pool, and calls are public.
"""

from typing import Final

from app.games.lives.checks import check
from app.games.lives.matching import legal, to_act
from app.games.lives.options import MOST_SEATS, PRESETS, LivesOptions, check_options
from app.games.lives.play import automatic, deal, due, first_dealer, next_dealer, play, start, view
from app.games.lives.position import from_position, to_position
from app.games.lives.score import competitors, entries, is_last, places, scores, tally, tie_break
from app.games.lives.state import CallSuit, Catch, Draw, Keep, Play

KEY: Final = "lives"
NAME: Final = "Irish Lives"
ROUND: Final = "deal"
UNIT: Final = ("point", "points")
SUMMARY: Final = "Match suit or rank, pass the twos along, name suits with aces, and remember to say last card."
SEATS: Final = (2, MOST_SEATS)
OPTIONS: Final = LivesOptions
MOVES: Final = Play | Draw | Keep | CallSuit | Catch

__all__ = [
    "KEY",
    "MOVES",
    "NAME",
    "OPTIONS",
    "PRESETS",
    "ROUND",
    "SEATS",
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
    "scores",
    "start",
    "tally",
    "tie_break",
    "to_act",
    "to_position",
    "view",
]
