"""The table rules of Hearts: §3, §4."""

from typing import Annotated, Final, Literal

from msgspec import Meta
from snug.engine.game import Options, Preset
from snug.words import gettext, gettext_noop


class HeartsOptions(Options, frozen=True):
    """§4."""

    passing: Annotated[
        Literal["cycle", "left", "none"],
        Meta(
            title=gettext_noop("Passing"),
            description=gettext_noop("Where the three cards go that everybody gives away before the first trick."),
            extra={
                "section": "passing",
                "words": {
                    "cycle": gettext("To a different neighbour each deal"),
                    "left": gettext("Always to the left"),
                    "none": gettext("Nowhere"),
                },
            },
        ),
    ] = "cycle"
    first_trick_points: Annotated[
        bool,
        Meta(
            title=gettext_noop("Points in the first trick"),
            description=gettext_noop("Hearts and the queen of spades may be thrown on the first trick, too."),
            extra={"section": "tricks"},
        ),
    ] = False
    queen_breaks: Annotated[
        bool,
        Meta(
            title=gettext_noop("The queen breaks hearts"),
            description=gettext_noop("Hearts may be led as soon as a heart or the queen of spades has been played."),
            extra={"section": "tricks"},
        ),
    ] = False
    jack: Annotated[
        bool,
        Meta(
            title=gettext_noop("Jack of diamonds"),
            description=gettext_noop("Whoever takes the jack of diamonds has ten points fewer."),
            extra={"section": "score"},
        ),
    ] = False
    moon: Annotated[
        Literal["others", "own"],
        Meta(
            title=gettext_noop("Shooting the moon"),
            description=gettext_noop("What happens when one player takes every heart and the queen of spades."),
            extra={
                "section": "moon",
                "words": {
                    "others": gettext("Everybody else gets 26 points"),
                    "own": gettext("The player loses 26 points"),
                },
            },
        ),
    ] = "others"
    target: Annotated[
        Literal["none", 50, 100],
        Meta(
            title=gettext_noop("The match ends at"),
            description=gettext_noop("Once somebody has this many points at the end of a deal, the lowest total wins."),
            extra={
                "section": "length",
                "words": {"none": gettext("No number of points"), 50: gettext("50 points"), 100: gettext("100 points")},
            },
        ),
    ] = 100
    rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=20,
            title=gettext_noop("Deals at most"),
            description=gettext_noop("After so many deals the match is over whatever the points are."),
            extra={"section": "length"},
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
