"""The table rules of Follow the Leader: §4."""

from typing import Annotated, Final

from msgspec import Meta

from snug.engine.game import Options, Preset
from snug.words import gettext, gettext_noop


class FollowTheLeaderOptions(Options, frozen=True):
    """§4."""

    decks: Annotated[
        int,
        Meta(
            ge=1,
            le=2,
            title=gettext_noop("Packs"),
            description=gettext_noop(
                "How many packs are shuffled together. With two, more cards of every rank are about."
            ),
            extra={"section": "cards", "words": {1: gettext("One pack"), 2: gettext("Two packs")}},
        ),
    ] = 1
    jokers: Annotated[
        bool,
        Meta(
            title=gettext_noop("Jokers"),
            description=gettext_noop(
                "Two jokers a pack. A joker goes on anything and leaves open which rank it was, so more ranks may "
                "follow it."
            ),
            extra={"section": "jokers"},
        ),
    ] = False
    one_below: Annotated[
        bool,
        Meta(
            title=gettext_noop("One Below"),
            description=gettext_noop(
                "The rank below may follow, too. Recommended for two players: deals are much shorter."
            ),
            extra={"section": "following"},
        ),
    ] = False
    rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=9,
            title=gettext_noop("Deals"),
            description=gettext_noop(
                "How many deals make the match. Whoever wins most of them wins; fewer cards left over break a tie."
            ),
            extra={"section": "length"},
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
