"""The table rules of Lucky Paw: §4."""

from typing import Annotated, Final

from snug.engine.game import BadSetup, Options, Preset, option
from snug.words import gettext


class LuckyPawOptions(Options, frozen=True):
    """§4."""

    rounds: Annotated[
        int,
        option(
            "length",
            "Rounds",
            "How many rounds make the tournament. A multiple of the number of players lets everybody start equally "
            "often.",
            low=1,
            high=9,
        ),
    ] = 9
    jokers: Annotated[
        int,
        option(
            "jokers",
            "Jokers",
            "So many random cards are swapped for jokers, which go on anything and take anything.",
            low=0,
            high=2,
        ),
    ] = 0
    must_play: Annotated[
        bool, option("passing", "Must Play", "Whoever can play a card has to: passing is only for those who cannot.")
    ] = False
    teams: Annotated[
        bool,
        option(
            "teams",
            "Teams",
            "Odd seats play against even seats, and a team scores its best member's round. For four or six players.",
        ),
    ] = False
    starting_player: Annotated[
        int,
        option(
            "turns",
            "First to play",
            "The seat that opens round one; the start moves one seat to the left every round.",
            low=1,
            high=6,
            seat=True,
        ),
    ] = 1
    auto_pass: Annotated[
        bool,
        option(
            "passing",
            "Pass for me",
            "The room passes for players who cannot play anything. It saves clicks and changes no result.",
        ),
    ] = False
    players: Annotated[int | None, option("players", "Players", "How many play: the seats taken.", hidden=True)] = None


PRESETS: Final = (
    Preset(gettext("As the house plays it"), gettext("Nine rounds, no jokers, pass whenever you like."), {}),
    Preset(
        gettext("Quick"),
        gettext("Two rounds, and the room passes for you when you are stuck."),
        {"rounds": 2, "auto_pass": True},
    ),
    Preset(
        gettext("Party"),
        gettext("Two jokers, and whoever can play has to."),
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
