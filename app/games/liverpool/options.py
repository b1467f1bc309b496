"""The table rules of Liverpool: §3, §4."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from app.engine.game import BadSetup, Options, Preset


class LiverpoolOptions(Options, frozen=True):
    """§4."""

    buying_from: Annotated[
        Literal["second_hand", "second_circuit", "always"],
        Meta(
            title="Buying starts",
            description="From when on a discard that the next player leaves may be bought by the others, at the price "
            "of one more card from the stock.",
            extra={
                "section": "buying",
                "words": {
                    "second_hand": "In the second hand",
                    "second_circuit": "In every hand once everybody has had a turn",
                    "always": "With the first upcard",
                },
            },
        ),
    ] = "second_hand"
    max_buys: Annotated[
        Literal["unlimited"] | Annotated[int, Meta(ge=1, le=9)],
        Meta(
            title="Purchases",
            description="How many discards a player may buy in one hand.",
            extra={"section": "buying", "words": {"unlimited": "As many as you like"}},
        ),
    ] = "unlimited"
    layoff_same_turn: Annotated[
        bool,
        Meta(
            title="Lay off at once",
            description="Who goes down may add cards to melds and win jokers in that same turn, not only from the "
            "next one on.",
            extra={"section": "laying-off"},
        ),
    ] = True
    final_discard: Annotated[
        Literal["optional", "required"],
        Meta(
            title="Last card",
            description="Whether a player may go out with all cards on the melds, or has to keep one to discard. The "
            "seventh hand always ends without a discard.",
            extra={
                "section": "going-out",
                "words": {"optional": "May be laid or discarded", "required": "Must be discarded"},
            },
        ),
    ] = "optional"
    first_dealer: Annotated[
        Literal["random"] | Annotated[int, Meta(ge=1, le=8)],
        Meta(
            title="First dealer",
            description="The seat that deals the first hand; the deal passes to the left every hand.",
            extra={"section": "turns", "seat": True, "words": {"random": "Drawn by lot"}},
        ),
    ] = "random"


PRESETS: Final = (
    Preset(
        "As the house plays it",
        "Buying from the second hand on, as often as you like; lay off as soon as you are down.",
        {},
    ),
    Preset("Quick", "One purchase a hand: whoever has made it is not asked again.", {"max_buys": 1}),
    Preset("Party", "Everything is for sale from the very first upcard on.", {"buying_from": "always"}),
)


def check_options(options: LiverpoolOptions, seats: int) -> None:
    """§4: a seat that deals must be at the table."""
    if options.first_dealer != "random" and options.first_dealer > seats:
        raise BadSetup(
            "BAD_OPTION",
            f"options: first_dealer is seat {options.first_dealer} of {seats}",
            f"First dealer: at a table of {seats} there is no seat {options.first_dealer}",
        )
