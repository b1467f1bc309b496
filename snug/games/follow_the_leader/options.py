"""The table rules of Follow the Leader: §4."""

from typing import Annotated, Final

from snug.engine.game import Options, Preset, option
from snug.words import gettext


class FollowTheLeaderOptions(Options, frozen=True):
    """§4."""

    decks: Annotated[
        int,
        option(
            "cards",
            "Packs",
            "How many packs are shuffled together. With two, more cards of every rank are about.",
            low=1,
            high=2,
        ),
    ] = 1
    jokers: Annotated[
        bool,
        option(
            "jokers",
            "Jokers",
            "Two jokers a pack. A joker goes on anything and leaves open which rank it was, so more ranks may follow "
            "it.",
        ),
    ] = False
    one_below: Annotated[
        bool,
        option(
            "following",
            "One Below",
            "The rank below may follow, too. Recommended for two players: deals are much shorter.",
        ),
    ] = False
    rounds: Annotated[
        int,
        option(
            "length",
            "Deals",
            "How many deals make the match. Whoever wins most of them wins; fewer cards left over break a tie.",
            low=1,
            high=9,
        ),
    ] = 1


PRESETS: Final = (
    Preset(gettext("As the house plays it"), gettext("One deal with one pack: the same rank or the next one up."), {}),
    Preset(gettext("Quick"), gettext("One deal, and the rank below may follow as well."), {"one_below": True}),
    Preset(
        gettext("Party"),
        gettext("Three deals with two packs and all their jokers."),
        {"decks": 2, "jokers": True, "rounds": 3},
    ),
)
