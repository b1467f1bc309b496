"""Seeded matches between bots, which see what their seat sees and nothing else. The same seed gives the same games."""

import random
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import msgspec

from app.engine import match as matches
from app.engine.chance import chance_of
from app.engine.game import DEALER, Game, Scores, plain
from app.engine.record import Record, Step, step_as_json
from app.games import GAMES, bots

ALIASES: Final = {"random": "easy"}
LEVELS: Final = (*bots.LEVELS, *ALIASES)
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
    """Plays `games` matches, one level a seat ("random" is "easy"); `options` as `read_options` gave them. The games
    are the same, and in the same order, in however many processes (`jobs`) they are played."""
    known = tuple(ALIASES.get(level, level) for level in levels)
    play = partial(_play, game.key, options, known)
    seeds = (f"{seed}/{number}" for number in range(1, games + 1))
    return map(play, seeds) if jobs == 1 else _shared_out(play, seeds, jobs)


def _shared_out(play: "partial[Played]", seeds: Iterable[str], jobs: int) -> Iterator[Played]:
    """New processes rather than forks: the caller may have threads. They leave Ctrl-C to it."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.map(play, seeds, chunksize=_AT_ONCE)


def _play(key: str, options: Any, levels: Sequence[str], seed: str) -> Played:
    began = time.process_time()
    game = GAMES[key]
    match = matches.begin(game, options, len(levels))
    order, *chances = (random.Random(f"{seed}/{seat}") for seat in range(len(levels) + 1))
    steps: list[Step] = []
    dealt = 0
    while not match.over:
        if match.round_over:
            match = matches.next_round(match)
        step: Step
        if due := match.due:
            step = DEALER, due.outcome(chance_of(seed, dealt))
            dealt += 1
        else:
            seat = order.choice(match.to_act)
            view = game.view(match.round, seat)
            step = seat, bots.choose(key, levels[seat - 1], view, chances[seat - 1])
        match, _ = matches.play(match, *step)
        steps.append(step)
    seconds = time.process_time() - began
    return Played(key, options, len(levels), seed, tuple(steps), match.rounds, match.totals, match.places, seconds)


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
