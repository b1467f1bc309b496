"""How often one good bot beats easy ones, and how fast the bots play: `python -m tests.bench.bots 2000`.

Four seats, a game's default options, one good bot that moves on by a seat from match to match, easy ones in the others.
Whole matches are played until there were so many deals. A deal counts as won if nobody did better in it (a match of
that deal alone would end with the good bot in first place); what several win together is shared out among them. The
fair share is a quarter. Moves a second are those of all seats and the rules together, in processor time.
"""

import sys
from itertools import count
from typing import Any

from app.cli.simulate import Played, simulate
from app.engine.game import Game, Scores, read_options
from app.games import GAMES

SEATS = 4
DEALS = 200


def share(places: tuple[int, ...], seat: int) -> float:
    """What a seat wins of one victory."""
    return 1 / places.count(1) if places[seat] == 1 else 0


def places_in(game: Game[Any], played: Played, row: Scores) -> tuple[int, ...]:
    """The places after this deal, had it been the only one."""
    nothing = game.entries(played.options, (0,) * SEATS)
    entries = game.entries(played.options, row)
    return game.places(played.options, game.tally(played.options, nothing, entries), (row,))


def measure(game: Game[Any], deals: int) -> None:
    """Plays the matches and prints a line."""
    options = read_options(game, SEATS, {})
    matches = dealt = moves = 0
    seconds = deals_won = matches_won = 0.0
    for number in count():
        if dealt >= deals:
            break
        good = number % SEATS
        levels = ["good" if seat == good else "easy" for seat in range(SEATS)]
        (played,) = simulate(game, options, levels, f"bench {number}", 1)
        matches += 1
        dealt += len(played.rounds)
        moves += played.moves
        seconds += played.seconds
        matches_won += share(played.places, good)
        deals_won += sum(share(places_in(game, played, row), good) for row in played.rounds)
    print(
        f"{game.name:18}{matches:9}{dealt:7}{deals_won / dealt:12.1%}{matches_won / matches:14.1%}"
        f"{moves:9}{moves / seconds:10,.0f}/s",
        flush=True,
    )


def main(deals: int = DEALS) -> None:
    """Prints a line for every game."""
    print(f"{'':18}{'matches':>9}{'deals':>7}{'deals won':>12}{'matches won':>14}{'moves':>9}{'speed':>12}")
    for game in GAMES.values():
        measure(game, deals)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DEALS)
