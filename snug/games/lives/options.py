"""The table rules of Irish Lives: §3, §4."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from snug.engine.game import BadSetup, Options, Preset, option
from snug.words import gettext

MOST_SEATS: Final = 14
ONE_PACK_SEATS: Final = 7


class LivesOptions(Options, frozen=True):
    """§4."""

    packs: Annotated[
        Literal["auto", 1, 2],
        option(
            "packs",
            "Packs",
            "One pack is enough for seven players; eight or more need two.",
            words={"auto": gettext("As many as it takes"), 1: gettext("One"), 2: gettext("Two")},
        ),
    ] = "auto"
    off_suit_ace: Annotated[
        Literal["no_suit", "no_suit_no_rank", "always"],
        option(
            "aces",
            "Aces of other suits",
            "When an ace may be played that is neither of the suit in play nor put on another ace.",
            words={
                "no_suit": gettext("With no card of the suit"),
                "no_suit_no_rank": gettext("With no card of the suit and none of the rank"),
                "always": gettext("At any time"),
            },
        ),
    ] = "no_suit"
    must_play: Annotated[
        bool,
        option(
            "picking_up",
            "Must Play",
            "Whoever holds a card that fits has to play one and may not pick up instead. Nobody ever has to answer a "
            "two.",
        ),
    ] = False
    play_drawn_card: Annotated[
        bool,
        option(
            "picking_up", "Play what you draw", "A card picked up in place of playing may be played at once if it fits."
        ),
    ] = False
    starter_power_card: Annotated[
        Literal["applies", "redraw"],
        option(
            "start",
            "Power card at the start",
            "What happens when the first card turned up is a two, an ace or a joker.",
            words={
                "applies": gettext("It takes effect"),
                "redraw": gettext("It goes back and another is turned up"),
            },
        ),
    ] = "applies"
    last_card_notice: Annotated[
        Literal["table", "players", "auto"],
        option(
            "last_card",
            "Forgotten last card",
            "Who notices when somebody comes down to one card without saying so.",
            words={
                "table": gettext("The table, at once"),
                "players": gettext("Another player has to catch it"),
                "auto": gettext("Nobody forgets: it is said for you"),
            },
        ),
    ] = "table"
    jokers_per_pack: Annotated[
        int,
        option(
            "jokers",
            "Jokers in each pack",
            "Jokers go on anything but an unanswered two, and whoever plays one names the suit.",
            low=0,
            high=2,
        ),
    ] = 0
    rounds: Annotated[
        int,
        option(
            "length",
            "Deals",
            "How many deals make the match. Points are added up, and the lowest total wins.",
            low=1,
            high=9,
        ),
    ] = 1
    first_dealer: Annotated[
        Literal["random"] | Annotated[int, Meta(ge=1, le=MOST_SEATS)],
        option(
            "length",
            "First dealer",
            "Who deals first; the player on the dealer's left begins, and the deal passes to the left.",
            seat=True,
            words={"random": gettext("Drawn by lot")},
        ),
    ] = "random"


PRESETS: Final = (
    Preset(gettext("As the house plays it"), gettext("One deal, no jokers, pick up whenever you like."), {}),
    Preset(
        gettext("Quick"),
        gettext("You must play when a card fits, even one just drawn, and nobody has to say last card."),
        {"must_play": True, "play_drawn_card": True, "last_card_notice": "auto"},
    ),
    Preset(
        gettext("Party"),
        gettext("Three deals with jokers, aces at any time, and keep an eye on who forgets to say last card."),
        {"rounds": 3, "jokers_per_pack": 2, "off_suit_ace": "always", "last_card_notice": "players"},
    ),
)


def packs_of(options: LivesOptions, seats: int) -> int:
    """§3: how many packs are shuffled together."""
    return (1 if seats <= ONE_PACK_SEATS else 2) if options.packs == "auto" else options.packs


def check_options(options: LivesOptions, seats: int) -> None:
    """§3, §4, Q1."""
    if packs_of(options, seats) == 1 and seats > ONE_PACK_SEATS:
        raise BadSetup(
            "BAD_SEATS",
            f"options: packs is 1, but {seats} players need two packs",
            "Packs: one is too few for %(seats)s players.",
            seats=seats,
        )
