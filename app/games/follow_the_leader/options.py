"""The table rules of Follow the Leader: §4."""

from typing import Annotated, Final

from msgspec import Meta

from app.engine.game import Options, Preset


class FollowTheLeaderOptions(Options, frozen=True):
    """§4."""

    decks: Annotated[
        int,
        Meta(
            ge=1,
            le=2,
            title="Packs",
            description="How many packs are shuffled together. With two, more cards of every rank are about.",
            extra={"section": "cards", "words": {1: "One pack", 2: "Two packs"}},
        ),
    ] = 1
    jokers: Annotated[
        bool,
        Meta(
            title="Jokers",
            description="Two jokers a pack. A joker goes on anything and leaves open which rank it was, so more "
            "ranks may follow it.",
            extra={"section": "jokers"},
        ),
    ] = False
    one_below: Annotated[
        bool,
        Meta(
            title="One Below",
            description="The rank below may follow, too. Recommended for two players: deals are much shorter.",
            extra={"section": "following"},
        ),
    ] = False
    rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=9,
            title="Deals",
            description="How many deals make the match. Whoever wins most of them wins; fewer cards left over break "
            "a tie.",
            extra={"section": "length"},
        ),
    ] = 1


PRESETS: Final = (
    Preset("As the house plays it", "One deal with one pack: the same rank or the next one up.", {}),
    Preset("Quick", "One deal, and the rank below may follow as well.", {"one_below": True}),
    Preset("Party", "Three deals with two packs and all their jokers.", {"decks": 2, "jokers": True, "rounds": 3}),
)
