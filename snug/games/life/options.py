"""The table rules of Life: §4."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from snug.engine.game import BadSetup, Options, Preset, option
from snug.words import gettext

MOST_SEATS: Final = 8
_SEATS_PER_DECK: Final = 4
_MOST_WITH_ONE_DECK: Final = 6


class LifeOptions(Options, frozen=True):
    """§4."""

    decks: Annotated[
        Literal["auto", 1, 2],
        option(
            "cards",
            "Decks",
            "One deck is plenty for four players. Five or six may squeeze round a single one; seven or eight cannot.",
            words={
                "auto": gettext("As many as the table needs"),
                1: gettext("One deck"),
                2: gettext("Two decks"),
            },
        ),
    ] = "auto"
    jokers_per_deck: Annotated[
        int,
        option(
            "jokers",
            "Jokers in each deck",
            "A joker throws all hands and everything face up back in and deals afresh. It is played once a hand.",
            low=0,
            high=2,
        ),
    ] = 2
    target: Annotated[
        int,
        option(
            "score",
            "Points to win",
            "Once somebody has this many points at the end of a hand, the highest total wins.",
            low=20,
            high=1000,
        ),
    ] = 100
    choose_spades: Annotated[
        bool,
        option(
            "choice",
            "Choose Spades",
            "Spades may be chosen, too. Nothing counts double for whoever does, but spades cost only half.",
        ),
    ] = False
    fortune: Annotated[
        bool,
        option(
            "fortune",
            "Tell fortunes",
            "At the end of a hand your cards tell your luck in love (♥), money (♦) and friendship (♣), and the bad "
            "luck (♠). It changes no score.",
        ),
    ] = False
    deck_exhausted: Annotated[
        Literal["reshuffle", "end_hand"],
        option(
            "deck",
            "When the deck runs out",
            "What happens when a card is needed and the deck is empty.",
            words={
                "reshuffle": gettext("The discards are shuffled anew"),
                "end_hand": gettext("The hand ends"),
            },
        ),
    ] = "reshuffle"
    first_dealer: Annotated[
        Literal["host", "random"] | Annotated[int, Meta(ge=1, le=MOST_SEATS)],
        option(
            "deal",
            "First dealer",
            "Who deals the first hand. After that the seat to the left of the last dealer deals.",
            seat=True,
            words={"host": gettext("The host"), "random": gettext("Drawn by lot")},
        ),
    ] = "host"
    blind_steal: Annotated[
        bool,
        option(
            "stealing",
            "Blind stealing",
            "A card stolen from a hand is drawn by the dealer, so that nobody can dodge. Always on.",
            fixed=True,
        ),
    ] = True


PRESETS: Final = (
    Preset(gettext("As the house plays it"), gettext("Two jokers in each deck, first to 100 points."), {}),
    Preset(
        gettext("Quick"),
        gettext("First to 50 points, and a hand ends when the deck runs out."),
        {"target": 50, "deck_exhausted": "end_hand"},
    ),
    Preset(
        gettext("Party"),
        gettext("Two decks and their jokers, spades may be chosen, and the cards tell your fortune."),
        {"decks": 2, "choose_spades": True, "fortune": True},
    ),
)


def decks_of(options: LifeOptions, seats: int) -> int:
    """§3: how many decks are played with: one for every four players begun, unless the host says otherwise."""
    return (seats - 1) // _SEATS_PER_DECK + 1 if options.decks == "auto" else options.decks


def check_options(options: LifeOptions, seats: int) -> None:
    """§3, §4, Q20."""
    if options.decks == 1 and seats > _MOST_WITH_ONE_DECK:
        raise BadSetup(
            "BAD_OPTION",
            f"options: decks is 1, which is too few for {seats} players",
            "Decks: one is too few for %(seats)s players.",
            seats=seats,
        )
    if not options.blind_steal:
        raise BadSetup("BAD_OPTION", "options: blind_steal cannot be switched off", "Blind stealing: always on.")
