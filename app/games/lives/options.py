"""The table rules of Irish Lives: §3, §4."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from app.engine.game import BadSetup, Options, Preset

MOST_SEATS: Final = 14
ONE_PACK_SEATS: Final = 7


class LivesOptions(Options, frozen=True):
    """§4."""

    packs: Annotated[
        Literal["auto", 1, 2],
        Meta(
            title="Packs",
            description="One pack is enough for seven players; eight or more need two.",
            extra={"section": "packs", "words": {"auto": "As many as it takes", 1: "One", 2: "Two"}},
        ),
    ] = "auto"
    off_suit_ace: Annotated[
        Literal["no_suit", "no_suit_no_rank", "always"],
        Meta(
            title="Aces of other suits",
            description="When an ace may be played that is neither of the suit in play nor put on another ace.",
            extra={
                "section": "aces",
                "words": {
                    "no_suit": "When you have no card of the suit",
                    "no_suit_no_rank": "When you have no card of the suit and none of the rank",
                    "always": "At any time",
                },
            },
        ),
    ] = "no_suit"
    must_play: Annotated[
        bool,
        Meta(
            title="Must Play",
            description="Whoever holds a card that fits has to play one and may not pick up instead. "
            "Nobody ever has to answer a two.",
            extra={"section": "picking_up"},
        ),
    ] = False
    play_drawn_card: Annotated[
        bool,
        Meta(
            title="Play what you draw",
            description="A card picked up in place of playing may be played at once if it fits.",
            extra={"section": "picking_up"},
        ),
    ] = False
    starter_power_card: Annotated[
        Literal["applies", "redraw"],
        Meta(
            title="Power card at the start",
            description="What happens when the first card turned up is a two, an ace or a joker.",
            extra={
                "section": "start",
                "words": {"applies": "It takes effect", "redraw": "It goes back and another is turned up"},
            },
        ),
    ] = "applies"
    last_card_notice: Annotated[
        Literal["table", "players", "auto"],
        Meta(
            title="Forgotten last card",
            description="Who notices when somebody comes down to one card without saying so.",
            extra={
                "section": "last_card",
                "words": {
                    "table": "The table, at once",
                    "players": "Another player has to catch it",
                    "auto": "Nobody forgets: it is said for you",
                },
            },
        ),
    ] = "table"
    jokers_per_pack: Annotated[
        int,
        Meta(
            ge=0,
            le=2,
            title="Jokers in each pack",
            description="Jokers go on anything but an unanswered two, and whoever plays one names the suit.",
            extra={"section": "jokers"},
        ),
    ] = 0
    rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=9,
            title="Deals",
            description="How many deals make the match. Points are added up, and the lowest total wins.",
            extra={"section": "length"},
        ),
    ] = 1
    first_dealer: Annotated[
        Literal["random"] | Annotated[int, Meta(ge=1, le=MOST_SEATS)],
        Meta(
            title="First dealer",
            description="Who deals first; the player on the dealer's left begins, and the deal passes to the left.",
            extra={"section": "length", "seat": True, "words": {"random": "Drawn by lot"}},
        ),
    ] = "random"


PRESETS: Final = (
    Preset("As the house plays it", "One deal, no jokers, pick up whenever you like.", {}),
    Preset(
        "Quick",
        "What fits is played, a drawn card too, and nobody has to remember to say last card.",
        {"must_play": True, "play_drawn_card": True, "last_card_notice": "auto"},
    ),
    Preset(
        "Party",
        "Three deals with jokers, aces at any time, and keep an eye on who forgets to say last card.",
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
            f"Packs: one is too few for {seats} players",
        )
    if options.first_dealer != "random" and options.first_dealer > seats:
        raise BadSetup(
            "BAD_OPTION",
            f"options: first_dealer is seat {options.first_dealer} of {seats}",
            f"First dealer: at a table of {seats} there is no seat {options.first_dealer}",
        )
