"""`snug ladder`: how strong the levels of bots are. Each plays alone against tables of each weaker one, on the same
deals from every seat."""

import argparse
import time
from collections.abc import Iterable
from copy import copy
from functools import partial
from itertools import combinations
from random import Random
from statistics import fmean, median
from typing import Any, Final

import msgspec

from app.cli.arguments import add_rules, complain, print_json, print_table, progress, shared_out, whole
from snug.bots import levels
from snug.bots.ratings import Rating, Share, Table, rate, share_of
from snug.bots.search import think
from snug.bots.self_play import play_match
from snug.engine.game import BadSetup, Move, View, plain, read_options
from snug.engine.match import Match
from snug.games import GAMES

DETAILS: Final = """Plays every level alone against tables of every weaker one, each deal once from every seat, and
prints what share of the first places it had, ratings, and what a move cost. The same seed gives the same games."""
OPEN: Final = "open"
_PLAYERS: Final = (levels.RANDOM, *levels.LEVELS, OPEN)


class Player(msgspec.Struct, frozen=True):
    """Who plays: a level, "random", or "open", which thinks like a sharp one but sees all cards; how many positions a
    sharp one looks at, if not as many as always."""

    level: str
    positions: int | None = None

    @property
    def name(self) -> str:
        """As it is given and printed."""
        return self.level if self.positions is None else f"{self.level}:{self.positions}"

    def choose(self, match: Match, view: View, chance: Random) -> Move:
        """Its move."""
        key = match.game.key
        if self.level == OPEN:
            seeing = copy(match.game)
            seeing.determinize = lambda _view, _chance: match.round  # type: ignore[method-assign]
            thinking = levels.thinking_of(key)
            return think(seeing, view, levels.steady(key), thinking, chance, self.positions).best
        if self.positions is not None:
            return levels.thought(key, view, chance, self.positions).best
        return levels.choose(key, self.level, view, chance)


def read_player(text: str) -> Player:
    """A player as it is written: a level, and for one that searches a number of positions, as in sharp:2000. Raises
    ArgumentTypeError."""
    level, colon, number = text.partition(":")
    searches = level in (levels.SHARP, OPEN)
    if level not in _PLAYERS or (colon and not (searches and number.isdecimal() and int(number))):
        known = ", ".join(_PLAYERS)
        raise argparse.ArgumentTypeError(f"{text!r} is none of {known}; sharp:2000 and open:2000 say how far they look")
    return Player(level, int(number) if colon else None)


class Duel(msgspec.Struct, frozen=True):
    """A deal, played with `one` on each seat in turn and `many` on all others: the tables, and the seconds of processor
    time of the moves of each of the two in which there was a choice."""

    one: Player
    many: Player
    tables: tuple[Table, ...]
    seconds: tuple[tuple[float, ...], tuple[float, ...]]


def play_duel(key: str, options: Any, seats: int, wanted: tuple[Player, Player, str]) -> Duel:
    """One deal from every seat: who is `wanted` alone, against whom, and the deal's seed."""
    one, many, seed = wanted
    tables = []
    seconds: dict[Player, list[float]] = {one: [], many: []}
    for seat in range(1, seats + 1):
        players = tuple(one if number == seat else many for number in range(1, seats + 1))

        def choose(match: Match, view: View, chance: Random, players: tuple[Player, ...] = players) -> Move:
            assert view.seat
            player = players[view.seat - 1]
            began = time.process_time()
            move = player.choose(match, view, chance)
            if len(view.legal) > 1:
                seconds[player].append(time.process_time() - began)
            return move

        match, _ = play_match(GAMES[key], options, seats, seed, choose)
        tables.append(Table(tuple(player.name for player in players), _firsts(match)))
    return Duel(one, many, tuple(tables), (tuple(seconds[one]), tuple(seconds[many])))


def _firsts(match: Match) -> tuple[float, ...]:
    """What share of the first place every seat has: all of a team's is each member's."""
    share = 1 / match.places.count(1)
    firsts = [0.0] * match.seats
    for seats, place in zip(match.game.competitors(match.options, match.seats), match.places, strict=True):
        for seat in seats:
            firsts[seat - 1] = share if place == 1 else 0.0
    return tuple(firsts)


class Pairing(msgspec.Struct, frozen=True):
    """How one player alone fared against a table of another."""

    one: str
    many: str
    share: Share


class Cost(msgspec.Struct, frozen=True):
    """Milliseconds of processor time a move of a player took where there was a choice."""

    player: str
    median: float
    mean: float
    moves: int


class Ladder(msgspec.Struct, frozen=True):
    """What came of it all; `fair` is the share that equal players have."""

    fair: float
    matches: int
    pairings: tuple[Pairing, ...]
    ratings: tuple[Rating, ...]
    costs: tuple[Cost, ...]


def sum_up(duels: Iterable[Duel], seats: int, zero: str) -> Ladder:
    """Counts up duels."""
    pairs: dict[tuple[str, str], list[tuple[Table, ...]]] = {}
    seconds: dict[str, list[float]] = {}
    for duel in duels:
        pairs.setdefault((duel.one.name, duel.many.name), []).append(duel.tables)
        for player, spent in zip((duel.one, duel.many), duel.seconds, strict=True):
            seconds.setdefault(player.name, []).extend(spent)
    deals = [tables for played in pairs.values() for tables in played]
    costs = [
        Cost(name, 1000 * median(spent), 1000 * fmean(spent), len(spent)) for name, spent in seconds.items() if spent
    ]
    return Ladder(
        1 / seats,
        sum(map(len, deals)),
        tuple(Pairing(one, many, share_of(one, played)) for (one, many), played in pairs.items()),
        rate(deals, zero, Random(0)),
        tuple(costs),
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game, who plays, how long."""
    parser.add_argument("--game", required=True, choices=GAMES, metavar="GAME", help=", ".join(GAMES))
    parser.add_argument(
        "--players",
        nargs="+",
        type=read_player,
        default=[Player(level) for level in levels.LEVELS],
        metavar="PLAYER",
        help="from the weakest to the strongest: gentle, steady, sharp, random, or open, which sees all cards; "
        "sharp:2000 looks at so many positions (default: gentle steady sharp)",
    )
    parser.add_argument("--seats", type=whole(2), metavar="N", help="how many sit at a table (default: 4)", default=4)
    parser.add_argument("--deals", type=whole(2), default=25, metavar="N", help="deals for each pair (default: 25)")
    add_rules(parser)
    parser.add_argument("--seed", default="0", metavar="TEXT", help="what all chance comes from (default: 0)")
    parser.add_argument("--jobs", type=whole(1), default=1, metavar="N", help="share the deals out to N processes")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")


def run(arguments: argparse.Namespace) -> int:
    """Plays the matches and prints what came of them."""
    game, players, seats = GAMES[arguments.game], arguments.players, arguments.seats
    if len(set(players)) < max(2, len(players)):
        return complain("--players: name at least two, each once")
    if not game.has_imagination and any(player.level in (levels.SHARP, OPEN) for player in players):
        return complain(f"--players: {game.key} does not say what may be hidden, so nobody plays it sharply")
    try:
        options = read_options(game, seats, dict(arguments.option), strict=False)
    except BadSetup as error:
        return complain(error)
    pairs = list(combinations(players, 2))
    deals = [f"{arguments.seed}/{deal}" for deal in range(1, arguments.deals + 1)]
    wanted = [(strong, weak, deal) for deal in deals for weak, strong in pairs]  # the stronger player is alone
    duels = shared_out(partial(play_duel, game.key, options, seats), wanted, arguments.jobs)
    zero = next((it.name for it in players if it.level == levels.STEADY), players[0].name)
    ladder = sum_up(progress(duels, len(wanted)), seats, zero)
    if arguments.json:
        about = {"game": game.key, "seats": seats, "options": plain(options), "seed": arguments.seed}
        print_json({**about, **plain(ladder)})
    else:
        _print(f"{game.name}, {seats} seats, {ladder.matches:,} matches, seed {arguments.seed}", ladder)
    return 0


def _print(title: str, ladder: Ladder) -> None:
    shares = (
        (one.one, one.many, f"{one.share.share:.1%} ± {one.share.margin:.1%}", str(one.share.deals))
        for one in ladder.pairings
    )
    headings = ("Alone", "Against", f"First (fair {ladder.fair:.0%})", "Deals")
    print_table(title, headings, shares, left=("Alone", "Against"))
    costs = {cost.player: (f"{cost.median:.2f}", f"{cost.mean:.2f}") for cost in ladder.costs}
    ratings = (
        (one.player, f"{one.rating:+.0f}", f"{one.low:+.0f} to {one.high:+.0f}", *costs.get(one.player, ("", "")))
        for one in ladder.ratings
    )
    print_table("", ("Player", "Rating", "95 %", "Median ms a move", "Mean ms"), ratings, left=("Player",))
