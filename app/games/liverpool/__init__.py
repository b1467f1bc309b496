"""Liverpool: seven hands of contract rummy. Lay down the contract, add to all melds, be the first without cards.

Follows `docs/rules/liverpool.md`, whose sections are quoted as §. Melds, the top discard and the sizes of hands and
stock are public; cards drawn, penalty cards and what others answer to an offer are not.
"""

from typing import Final

from app.games.liverpool.choices import legal
from app.games.liverpool.options import PRESETS, LiverpoolOptions, check_options
from app.games.liverpool.play import automatic, check, deal, due, first_dealer, next_dealer, play, start, to_act
from app.games.liverpool.position import from_position, to_position
from app.games.liverpool.score import competitors, entries, is_last, places, scores, tally, tie_break
from app.games.liverpool.state import LiverpoolMove
from app.games.liverpool.view import view

KEY: Final = "liverpool"
NAME: Final = "Liverpool"
ROUND: Final = "hand"
UNIT: Final = ("point", "points")
SUMMARY: Final = "Rummy in seven hands: lay down each hand's contract, win jokers, buy what others leave."
SEATS: Final = (3, 8)
OPTIONS: Final = LiverpoolOptions
MOVES: Final = LiverpoolMove

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
