"""The table rules of Hearts: §3, §4."""

from typing import Annotated, Final, Literal

from snug.engine.game import Options, Preset, option
from snug.words import gettext


class HeartsOptions(Options, frozen=True):
    """§4."""

    passing: Annotated[
        Literal["cycle", "left", "none"],
        option(
            "passing",
            "Passing",
            "Where the three cards go that everybody gives away before the first trick.",
            words={
                "cycle": gettext("To a different neighbour each deal"),
                "left": gettext("Always to the left"),
                "none": gettext("Nowhere"),
            },
        ),
    ] = "cycle"
    first_trick_points: Annotated[
        bool,
        option(
            "tricks",
            "Points in the first trick",
            "Hearts and the queen of spades may be thrown on the first trick, too.",
        ),
    ] = False
    queen_breaks: Annotated[
        bool,
        option(
            "tricks",
            "The queen breaks hearts",
            "Hearts may be led as soon as a heart or the queen of spades has been played.",
        ),
    ] = False
    jack: Annotated[
        bool, option("score", "Jack of diamonds", "Whoever takes the jack of diamonds has ten points fewer.")
    ] = False
    moon: Annotated[
        Literal["others", "own"],
        option(
            "moon",
            "Shooting the moon",
            "What happens when one player takes every heart and the queen of spades.",
            words={
                "others": gettext("Everybody else gets 26 points"),
                "own": gettext("The player loses 26 points"),
            },
        ),
    ] = "others"
    target: Annotated[
        Literal["none", 50, 100],
        option(
            "length",
            "The match ends at",
            "Once somebody has this many points at the end of a deal, the lowest total wins.",
            words={"none": gettext("No number of points"), 50: gettext("50 points"), 100: gettext("100 points")},
        ),
    ] = 100
    rounds: Annotated[
        int,
        option(
            "length", "Deals at most", "After so many deals the match is over whatever the points are.", low=1, high=20
        ),
    ] = 20


PRESETS: Final = (
    Preset(gettext("The classic"), gettext("Until somebody has 100 points."), {}),
    Preset(gettext("Quick"), gettext("Until somebody has 50 points."), {"target": 50}),
    Preset(
        gettext("Four deals"),
        gettext("Once to the left, once to the right, once across and once to nobody, with the jack of diamonds."),
        {"target": "none", "rounds": 4, "jack": True},
    ),
)
