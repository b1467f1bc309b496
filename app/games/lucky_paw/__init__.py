"""Lucky Paw: play your stacks' top cards one rank up or down onto four open stacks; fewest cards left wins.

Follows `docs/rules/lucky_paw.md`, whose sections are quoted as §. All cards on the table are public; the order of the
stock, the cards set aside and the cards that jokers replaced are not.
"""

from typing import Final

from app.games.lucky_paw.options import PRESETS, LuckyPawOptions, check_options
from app.games.lucky_paw.play import (
    automatic,
    check,
    deal,
    due,
    first_dealer,
    legal,
    next_dealer,
    play,
    start,
    to_act,
    view,
)
from app.games.lucky_paw.position import from_position, to_position
from app.games.lucky_paw.score import competitors, entries, is_last, places, scores, tally, tie_break
from app.games.lucky_paw.state import Pass, Play

KEY: Final = "lucky_paw"
NAME: Final = "Lucky Paw"
ROUND: Final = "round"
UNIT: Final = ("point", "points")
SUMMARY: Final = "Shed your cards, one step up or down, onto four open stacks. Quick to learn, hard to leave."
SEATS: Final = (2, 6)
OPTIONS: Final = LuckyPawOptions
MOVES: Final = Play | Pass

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
