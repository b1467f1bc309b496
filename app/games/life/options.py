"""The table rules of Life: §4."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from app.engine.game import BadSetup, Options, Preset

MOST_SEATS: Final = 8
_SEATS_PER_DECK: Final = 4
_MOST_WITH_ONE_DECK: Final = 6


class LifeOptions(Options, frozen=True):
    """§4."""

    decks: Annotated[
        Literal["auto", 1, 2],
        Meta(
            title="Decks",
            description="One deck is plenty for four players. Five or six may squeeze round a single one; seven or "
            "eight cannot.",
            extra={
                "section": "cards",
                "words": {"auto": "As many as the table needs", 1: "One deck", 2: "Two decks"},
            },
        ),
    ] = "auto"
    jokers_per_deck: Annotated[
        int,
        Meta(
            ge=0,
            le=2,
            title="Jokers in each deck",
            description="A joker throws all hands and everything face up back in and deals afresh. It is played once a "
            "Hand.",
            extra={"section": "jokers"},
        ),
    ] = 2
    target: Annotated[
        int,
        Meta(
            ge=20,
            le=1000,
            title="Points to win",
            description="Once somebody has this many points at the end of a Hand, the highest total wins.",
            extra={"section": "score"},
        ),
    ] = 100
    choose_spades: Annotated[
        bool,
        Meta(
            title="Choose Spades",
            description="Spades may be chosen, too. Nothing counts double for whoever does, but spades cost only half.",
            extra={"section": "choice"},
        ),
    ] = False
    fortune: Annotated[
        bool,
        Meta(
            title="Tell fortunes",
            description="At the end of a Hand your cards tell your luck in love (♥), money (♦) and friendship (♣), and "
            "the bad luck (♠). It changes no score.",
            extra={"section": "fortune"},
        ),
    ] = False
    deck_exhausted: Annotated[
        Literal["reshuffle", "end_hand"],
        Meta(
            title="When the deck runs out",
            description="What happens when a card is needed and the deck is empty.",
            extra={
                "section": "deck",
                "words": {"reshuffle": "The discards are shuffled and become the deck", "end_hand": "The Hand ends"},
            },
        ),
    ] = "reshuffle"
    first_dealer: Annotated[
        Literal["host", "random"] | Annotated[int, Meta(ge=1, le=MOST_SEATS)],
        Meta(
            title="First dealer",
            description="Who deals the first Hand. After that the seat to the left of the last dealer deals.",
            extra={"section": "deal", "seat": True, "words": {"host": "The host", "random": "Drawn by lot"}},
        ),
    ] = "host"
    blind_steal: Annotated[
        bool,
        Meta(
            title="Blind stealing",
            description="A card stolen from a hand is drawn by the dealer, so that nobody can dodge. Always on.",
            extra={"section": "stealing", "fixed": True},
        ),
    ] = True


PRESETS: Final = (
    Preset("As the house plays it", "Two jokers in each deck, first to 100 points.", {}),
    Preset(
        "Quick",
        "First to 50 points, and a Hand ends when the deck runs out.",
        {"target": 50, "deck_exhausted": "end_hand"},
    ),
    Preset(
        "Party",
        "Two decks and their jokers, spades may be chosen, and the cards tell your fortune.",
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
            f"Decks: one is too few for {seats} players",
        )
    if isinstance(options.first_dealer, int) and options.first_dealer > seats:
        raise BadSetup(
            "BAD_OPTION",
            f"options: first_dealer is seat {options.first_dealer} of {seats}",
            f"First dealer: at a table of {seats} there is no seat {options.first_dealer}",
        )
    if not options.blind_steal:
        raise BadSetup("BAD_OPTION", "options: blind_steal cannot be switched off", "Blind stealing: always on")
