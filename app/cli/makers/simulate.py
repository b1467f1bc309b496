"""`snug simulate`: matches between bots, which see what their seat sees. The same seed gives the same games."""

import argparse
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from app.cli.arguments import add_rules, complain, print_json, print_table, progress, shared_out, whole
from snug.bots import levels as bots
from snug.bots.self_play import play_match
from snug.engine.game import DEALER, BadSetup, Game, Move, Scores, View, plain, read_options
from snug.engine.match import Match
from snug.engine.record import Record, Step, step_as_json
from snug.games import GAMES

DETAILS: Final = "Prints how they fared and how fast they were. The same seed gives the same games."
LEVELS: Final = (*bots.LEVELS, bots.RANDOM)
_AT_ONCE: Final = 10  # so many matches a process plays before it hands them over


class Played(msgspec.Struct, frozen=True):
    """A match played to its end, with all that it takes to play it again. `rounds` are the scores of each round per
    seat, `totals` and `places` per competitor."""

    game: str
    options: Any
    seats: int
    seed: str
    steps: tuple[Step, ...]
    rounds: tuple[Scores, ...]
    totals: Scores
    places: tuple[int, ...]
    seconds: float

    @property
    def moves(self) -> int:
        """How many moves the seats made; the dealer's are not counted."""
        return sum(seat != DEALER for seat, _ in self.steps)

    @property
    def seat_places(self) -> list[int]:
        """The place of each seat: its own or its team's."""
        places = [0] * self.seats
        for seats, place in zip(GAMES[self.game].competitors(self.options, self.seats), self.places, strict=True):
            for seat in seats:
                places[seat - 1] = place
        return places

    @property
    def record(self) -> Record:
        """The match as the referee reads it, the dealer's moves included."""
        moves = [step_as_json(step) for step in self.steps]
        return Record(self.game, self.seats, plain(self.options), moves=moves, seed=self.seed)


def simulate(
    game: Game[Any], options: Any, levels: Sequence[str], seed: str, games: int, jobs: int = 1
) -> Iterator[Played]:
    """Plays `games` matches, one level a seat; `options` as `read_options` gave them. The games are the same, and in
    the same order, in however many processes (`jobs`) they are played."""
    play = partial(_play, game.key, options, tuple(levels))
    seeds = (f"{seed}/{number}" for number in range(1, games + 1))
    return shared_out(play, seeds, jobs, _AT_ONCE)


def _play(key: str, options: Any, levels: Sequence[str], seed: str) -> Played:
    began = time.process_time()

    def choose(_match: Match, view: View, chance: random.Random) -> Move:
        assert view.seat
        return bots.choose(key, levels[view.seat - 1], view, chance)

    match, steps = play_match(GAMES[key], options, len(levels), seed, choose)
    seconds = time.process_time() - began
    return Played(key, options, len(levels), seed, steps, match.rounds, match.totals, match.places, seconds)


def write_record(played: Played, folder: Path, number: int) -> Path:
    """Keeps the match's record as `<game>-00001.json` in the folder, which must be there."""
    path = folder / f"{played.game}-{number:05}.json"
    path.write_bytes(msgspec.json.encode(played.record) + b"\n")
    return path


class SeatSummary(msgspec.Struct, frozen=True):
    """How a seat fared: mean score a round, shares of the matches won alone and won with others, mean place."""

    seat: int
    level: str
    score: float
    won: float
    shared: float
    place: float


class Summary(msgspec.Struct, frozen=True):
    """What came of many matches. `seconds` is processor time; `moves_per_second` the speed of rules and bots together,
    in one process."""

    matches: int
    rounds: int
    moves: int
    seconds: float
    moves_per_second: float
    seats: tuple[SeatSummary, ...]


def summarise(levels: Sequence[str], matches_played: Iterable[Played]) -> Summary:
    """Counts up matches as they are played; none of them is kept."""
    seats = range(len(levels))
    matches_count = rounds = moves = 0
    seconds = 0.0
    scores, won, shared, places = ([0.0] * len(levels) for _ in range(4))
    for played in matches_played:
        matches_count += 1
        rounds += len(played.rounds)
        moves += played.moves
        seconds += played.seconds
        firsts = won if played.places.count(1) == 1 else shared
        for seat, place in enumerate(played.seat_places):
            scores[seat] += sum(row[seat] for row in played.rounds)
            places[seat] += place
            firsts[seat] += place == 1
    m, r = matches_count or 1, rounds or 1
    return Summary(
        matches_count,
        rounds,
        moves,
        round(seconds, 3),
        round(moves / seconds) if seconds else 0,
        tuple(
            SeatSummary(seat + 1, levels[seat], scores[seat] / r, won[seat] / m, shared[seat] / m, places[seat] / m)
            for seat in seats
        ),
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game, how many matches, who plays."""
    parser.add_argument("--game", required=True, choices=GAMES, metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--games", type=whole(1), default=100, metavar="N", help="how many matches (default: 100)")
    parser.add_argument(
        "--seats", required=True, nargs="+", metavar="LEVEL", help=f"a bot's level for every seat: {', '.join(LEVELS)}"
    )
    add_rules(parser)
    parser.add_argument("--seed", default="0", metavar="TEXT", help="what all chance comes from (default: 0)")
    parser.add_argument("--record-dir", type=Path, metavar="DIR", help="keep the record of every match in this folder")
    parser.add_argument("--jobs", type=whole(1), default=1, metavar="N", help="share the matches out to N processes")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(arguments: argparse.Namespace) -> int:
    """Plays the matches and prints how every seat fared."""
    game, levels, folder = GAMES[arguments.game], arguments.seats, arguments.record_dir
    for level in levels:
        if level not in LEVELS:
            return complain(f"--seats: {level} is not a level; there are {', '.join(LEVELS)}")
    try:
        options = read_options(game, len(levels), dict(arguments.option), strict=False)
        played = simulate(game, options, levels, arguments.seed, arguments.games, arguments.jobs)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            played = _kept(played, folder)
        summary = summarise(levels, progress(played, arguments.games))
    except OSError as error:
        return complain(f"{error.filename or folder}: {error.strerror}")
    except (BadSetup, UnicodeError) as error:
        return complain(error)
    if arguments.json:
        about = {"game": arguments.game, "options": plain(options), "seed": arguments.seed}
        print_json({**about, **plain(summary)})
    else:
        _print_table(game.name, arguments.seed, summary)
    return 0


def _kept(played: Iterable[Played], folder: Path) -> Iterator[Played]:
    for number, match in enumerate(played, 1):
        write_record(match, folder, number)
        yield match


def _print_table(name: str, seed: str, summary: Summary) -> None:
    title = f"{name}: {summary.matches:,} matches, {summary.rounds:,} rounds, seed {seed}"
    speed = f"{summary.moves:,} moves in {summary.seconds:,.2f} s: {summary.moves_per_second:,.0f} moves a second"
    headings = ("Seat", "Level", "Score a round", "Won", "Shared", "Mean place")
    rows = (
        (str(it.seat), it.level, f"{it.score:.2f}", f"{it.won:.1%}", f"{it.shared:.1%}", f"{it.place:.2f}")
        for it in summary.seats
    )
    print_table(title, headings, rows, left=("Level",), caption=speed)
