"""The table rules of Liverpool: §3, §4."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from snug.engine.game import Options, Preset, option
from snug.words import gettext


class LiverpoolOptions(Options, frozen=True):
    """§4."""

    buying_from: Annotated[
        Literal["second_hand", "second_circuit", "always"],
        option(
            "buying",
            "Buying starts",
            "From when on a discard that the next player declines may be bought by the others, at the price of one "
            "more card from the stock.",
            words={
                "second_hand": gettext("In the second hand"),
                "second_circuit": gettext("In every hand once everybody has had a turn"),
                "always": gettext("With the first upcard"),
            },
        ),
    ] = "second_hand"
    max_buys: Annotated[
        Literal["unlimited"] | Annotated[int, Meta(ge=1, le=9)],
        option(
            "buying",
            "Purchases",
            "How many discards a player may buy in one hand.",
            words={"unlimited": gettext("As many as you like")},
        ),
    ] = "unlimited"
    layoff_same_turn: Annotated[
        bool,
        option(
            "laying-off",
            "Lay off at once",
            "Who goes down may add cards to melds and win jokers in that same turn, not only from the next one on.",
        ),
    ] = True
    final_discard: Annotated[
        Literal["optional", "required"],
        option(
            "going-out",
            "Last card",
            "Whether a player may go out with all cards on the melds, or has to keep one to discard. The seventh hand "
            "always ends without a discard.",
            words={"optional": gettext("May be laid or discarded"), "required": gettext("Must be discarded")},
        ),
    ] = "optional"
    first_dealer: Annotated[
        Literal["random"] | Annotated[int, Meta(ge=1, le=8)],
        option(
            "turns",
            "First dealer",
            "The seat that deals the first hand; the deal passes to the left every hand.",
            seat=True,
            words={"random": gettext("Drawn by lot")},
        ),
    ] = "random"


PRESETS: Final = (
    Preset(
        gettext("As the house plays it"),
        gettext("The usual game, best to begin with: buying starts in the second hand."),
        {},
    ),
    Preset(
        gettext("Quick"),
        gettext("Everybody may buy only once a hand: fewer questions, smaller hands."),
        {"max_buys": 1},
    ),
    Preset(
        gettext("Party"),
        gettext("Buying from the very first card on: livelier, with bigger hands."),
        {"buying_from": "always"},
    ),
)
