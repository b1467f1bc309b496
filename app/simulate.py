"""Seeded matches between bots, which see what their seat sees and nothing else. The same seed gives the same games."""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from app import bots
from app.rules import match as matches
from app.rules.dealer import chance_of
from app.rules.game import DEALER, Game, plain
from app.rules.match import Match
from app.rules.record import Record, Step, step_as_json

ALIASES: Final = {"random": "easy"}
LEVELS: Final = (*bots.LEVELS, *ALIASES)


class Played(msgspec.Struct, frozen=True):
    """A match played to its end, with all that it takes to play it again."""

    match: Match
    seed: str
    steps: tuple[Step, ...]
    seconds: float

    @property
    def moves(self) -> int:
        """How many moves the seats made; the dealer's are not counted."""
        return sum(seat != DEALER for seat, _ in self.steps)

    @property
    def seat_places(self) -> list[int]:
        """The place of each seat: its own or its team's."""
        match = self.match
        places = [0] * match.seats
        for seats, place in zip(match.rules.competitors(match.options, match.seats), match.places, strict=True):
            for seat in seats:
                places[seat - 1] = place
        return places

    @property
    def record(self) -> Record:
        """The match as the referee reads it, the dealer's moves included."""
        match = self.match
        moves = [step_as_json(step) for step in self.steps]
        return Record(match.rules.KEY, match.seats, plain(match.options), moves=moves, seed=self.seed)


def simulate(game: Game[Any], options: Any, levels: Sequence[str], seed: str, games: int) -> Iterator[Played]:
    """Plays `games` matches, one level a seat ("random" is "easy"); `options` as `read_options` gave them."""
    known = [ALIASES.get(level, level) for level in levels]
    return (_play(game, options, known, f"{seed}/{number}") for number in range(1, games + 1))


def _play(game: Game[Any], options: Any, levels: Sequence[str], seed: str) -> Played:
    began = time.perf_counter()
    match = matches.begin(game, options, len(levels))
    chances = [random.Random(f"{seed}/{seat}") for seat in range(1, len(levels) + 1)]
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
            seat = match.to_act[0]
            view = game.view(match.round, seat)
            step = seat, bots.choose(game.KEY, levels[seat - 1], view, chances[seat - 1])
        match, _ = matches.play(match, *step)
        steps.append(step)
    return Played(match, seed, tuple(steps), time.perf_counter() - began)


def write_record(played: Played, folder: Path, number: int) -> Path:
    """Keeps the match's record as `lucky_paw-00001.json` in the folder, which must be there."""
    path = folder / f"{played.match.rules.KEY}-{number:05}.json"
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
    """What came of many matches. `moves_per_second` is the speed of rules and bots together."""

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
        rounds += len(played.match.rounds)
        moves += played.moves
        seconds += played.seconds
        firsts = won if played.match.places.count(1) == 1 else shared
        for seat, place in enumerate(played.seat_places):
            scores[seat] += sum(row[seat] for row in played.match.rounds)
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
