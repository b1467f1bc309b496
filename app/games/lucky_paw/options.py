"""The table rules of Lucky Paw: §4."""

from typing import Annotated, Final

from msgspec import Meta

from app.engine.game import BadSetup, Options, Preset


class LuckyPawOptions(Options, frozen=True):
    """§4."""

    rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=9,
            title="Rounds",
            description="How many rounds make the tournament. A multiple of the number of players lets everybody "
            "start equally often.",
            extra={"section": "length"},
        ),
    ] = 9
    jokers: Annotated[
        int,
        Meta(
            ge=0,
            le=2,
            title="Jokers",
            description="So many random cards are swapped for jokers, which go on anything and take anything.",
            extra={"section": "jokers"},
        ),
    ] = 0
    must_play: Annotated[
        bool,
        Meta(
            title="Must Play",
            description="Whoever can play a card has to: passing is only for those who cannot.",
            extra={"section": "passing"},
        ),
    ] = False
    teams: Annotated[
        bool,
        Meta(
            title="Teams",
            description="Odd seats play against even seats, and a team scores its best member's round. "
            "For four or six players.",
            extra={"section": "teams"},
        ),
    ] = False
    starting_player: Annotated[
        int,
        Meta(
            ge=1,
            le=6,
            title="First to play",
            description="The seat that opens round one; the start moves one seat to the left every round.",
            extra={"section": "turns", "seat": True},
        ),
    ] = 1
    auto_pass: Annotated[
        bool,
        Meta(
            title="Pass for me",
            description="The room passes for players who cannot play anything. It saves clicks and changes no result.",
            extra={"section": "passing"},
        ),
    ] = False
    players: Annotated[
        int | None,
        Meta(
            title="Players", description="How many play: the seats taken.", extra={"section": "players", "hidden": True}
        ),
    ] = None


PRESETS: Final = (
    Preset("As the house plays it", "Nine rounds, no jokers, pass whenever you like.", {}),
    Preset("Quick", "Three rounds, and the room passes for you when you are stuck.", {"rounds": 3, "auto_pass": True}),
    Preset("Party", "Two jokers, and no holding back: Must Play.", {"rounds": 5, "jokers": 2, "must_play": True}),
)


def check_options(options: LuckyPawOptions, seats: int) -> None:
    """§3, §4, Q14."""
    if options.players not in (None, seats):
        raise BadSetup(
            "BAD_SEATS",
            f"options: players is {options.players}, but {seats} seats are taken",
            f"Players: {seats} seats are taken, not {options.players}",
        )
    if options.teams and seats not in (4, 6):
        raise BadSetup("TEAMS_NEED_4_OR_6", f"teams need 4 or 6 players, not {seats}")
    if options.starting_player > seats:
        raise BadSetup(
            "BAD_OPTION",
            f"options: starting_player is seat {options.starting_player} of {seats}",
            f"First to play: at a table of {seats} there is no seat {options.starting_player}",
        )
