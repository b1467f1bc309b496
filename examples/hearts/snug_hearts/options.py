"""The table rules of Hearts: §3, §4."""

from typing import Annotated, Final, Literal

from app.engine.game import Options, Preset
from msgspec import Meta


class HeartsOptions(Options, frozen=True):
    """§4."""

    passing: Annotated[
        Literal["cycle", "left", "none"],
        Meta(
            title="Passing",
            description="Where the three cards go that everybody gives away before the first trick.",
            extra={
                "section": "passing",
                "words": {
                    "cycle": "To a different neighbour each deal",
                    "left": "Always to the left",
                    "none": "Nowhere",
                },
            },
        ),
    ] = "cycle"
    first_trick_points: Annotated[
        bool,
        Meta(
            title="Points in the first trick",
            description="Hearts and the queen of spades may be thrown on the first trick, too.",
            extra={"section": "tricks"},
        ),
    ] = False
    queen_breaks: Annotated[
        bool,
        Meta(
            title="The queen breaks hearts",
            description="Hearts may be led as soon as a heart or the queen of spades has been played.",
            extra={"section": "tricks"},
        ),
    ] = False
    jack: Annotated[
        bool,
        Meta(
            title="Jack of diamonds",
            description="Whoever takes the jack of diamonds has ten points fewer.",
            extra={"section": "score"},
        ),
    ] = False
    moon: Annotated[
        Literal["others", "own"],
        Meta(
            title="Shooting the moon",
            description="What happens when one player takes every heart and the queen of spades.",
            extra={
                "section": "moon",
                "words": {"others": "Everybody else gets 26 points", "own": "The player loses 26 points"},
            },
        ),
    ] = "others"
    target: Annotated[
        Literal["none", 50, 100],
        Meta(
            title="The match ends at",
            description="Once somebody has this many points at the end of a deal, the lowest total wins.",
            extra={"section": "length", "words": {"none": "No number of points", 50: "50 points", 100: "100 points"}},
        ),
    ] = 100
    rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=20,
            title="Deals at most",
            description="After so many deals the match is over whatever the points are.",
            extra={"section": "length"},
        ),
    ] = 20


PRESETS: Final = (
    Preset("The classic", "Until somebody has 100 points.", {}),
    Preset("Quick", "Until somebody has 50 points.", {"target": 50}),
    Preset(
        "Four deals",
        "Once to the left, once to the right, once across and once to nobody, with the jack of diamonds.",
        {"target": "none", "rounds": 4, "jack": True},
    ),
)
