"""The table rules of Lucky Paw: §4."""

from typing import Annotated, Final

from msgspec import Meta

from snug.engine.game import BadSetup, Options, Preset
from snug.words import gettext, gettext_noop


class LuckyPawOptions(Options, frozen=True):
    """§4."""

    rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=9,
            title=gettext_noop("Rounds"),
            description=gettext_noop(
                "How many rounds make the tournament. A multiple of the number of players lets everybody "
                "start equally often."
            ),
            extra={"section": "length"},
        ),
    ] = 9
    jokers: Annotated[
        int,
        Meta(
            ge=0,
            le=2,
            title=gettext_noop("Jokers"),
            description=gettext_noop(
                "So many random cards are swapped for jokers, which go on anything and take anything."
            ),
            extra={"section": "jokers"},
        ),
    ] = 0
    must_play: Annotated[
        bool,
        Meta(
            title=gettext_noop("Must Play"),
            description=gettext_noop("Whoever can play a card has to: passing is only for those who cannot."),
            extra={"section": "passing"},
        ),
    ] = False
    teams: Annotated[
        bool,
        Meta(
            title=gettext_noop("Teams"),
            description=gettext_noop(
                "Odd seats play against even seats, and a team scores its best member's round. For four or six players."
            ),
            extra={"section": "teams"},
        ),
    ] = False
    starting_player: Annotated[
        int,
        Meta(
            ge=1,
            le=6,
            title=gettext_noop("First to play"),
            description=gettext_noop(
                "The seat that opens round one; the start moves one seat to the left every round."
            ),
            extra={"section": "turns", "seat": True},
        ),
    ] = 1
    auto_pass: Annotated[
        bool,
        Meta(
            title=gettext_noop("Pass for me"),
            description=gettext_noop(
                "The room passes for players who cannot play anything. It saves clicks and changes no result."
            ),
            extra={"section": "passing"},
        ),
    ] = False
    players: Annotated[
        int | None,
        Meta(
            title=gettext_noop("Players"),
            description=gettext_noop("How many play: the seats taken."),
            extra={"section": "players", "hidden": True},
        ),
    ] = None


PRESETS: Final = (
    Preset(gettext("As the house plays it"), gettext("Nine rounds, no jokers, pass whenever you like."), {}),
    Preset(
        gettext("Quick"),
        gettext("Two rounds, and the room passes for you when you are stuck."),
        {"rounds": 2, "auto_pass": True},
    ),
    Preset(
        gettext("Party"),
        gettext("Two jokers, and no holding back: Must Play."),
        {"rounds": 5, "jokers": 2, "must_play": True},
    ),
)


def check_options(options: LuckyPawOptions, seats: int) -> None:
    """§3, §4, Q14."""
    if options.players not in (None, seats):
        raise BadSetup(
            "BAD_SEATS",
            f"options: players is {options.players}, but {seats} seats are taken",
            "Players: %(seats)s seats are taken, not %(players)s.",
            seats=seats,
            players=options.players,
        )
    if options.teams and seats not in (4, 6):
        raise BadSetup(
            "TEAMS_NEED_4_OR_6",
            f"teams need 4 or 6 players, not {seats}",
            "Teams need 4 or 6 players, not %(seats)s.",
            seats=seats,
        )
    if options.starting_player > seats:
        raise BadSetup(
            "BAD_OPTION",
            f"options: starting_player is seat {options.starting_player} of {seats}",
            "First to play: at a table of %(seats)s there is no seat %(starter)s.",
            seats=seats,
            starter=options.starting_player,
        )
