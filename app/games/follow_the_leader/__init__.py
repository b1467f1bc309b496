"""Follow the Leader: play the same rank or the next one up, or draw; whoever first has no cards wins the deal.

Follows `docs/rules/follow_the_leader.md`, whose sections are quoted as §. Hands and the order of the pile are secret,
everything else is public: also whether a seat could play, for it draws only when it cannot.
"""

from typing import Final

from app.games.follow_the_leader.options import PRESETS, FollowTheLeaderOptions, check_options
from app.games.follow_the_leader.play import (
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
from app.games.follow_the_leader.position import from_position, to_position
from app.games.follow_the_leader.score import competitors, entries, is_last, places, scores, tally, tie_break
from app.games.follow_the_leader.state import Draw, Play

KEY: Final = "follow_the_leader"
NAME: Final = "Follow the Leader"
ROUND: Final = "deal"
UNIT: Final = ("deal won", "deals won")
SUMMARY: Final = "The same rank or the next one up, in any suit. Who cannot follow draws; first out of cards wins."
SEATS: Final = (2, 5)
OPTIONS: Final = FollowTheLeaderOptions
MOVES: Final = Play | Draw

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
