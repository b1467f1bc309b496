"""A whole tournament between bots, played to its end. The same seed plays the same one."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from app.cli.makers.simulate import simulate
from snug.bots.levels import GENTLE, STEADY
from snug.games import GAMES
from snug.tournament import events as log
from snug.tournament import fold
from snug.tournament.checks import read_plan
from snug.tournament.plan import PaperGame, Plan, size_near
from snug.tournament.rounds.sizes import table_sizes
from snug.tournament.seating import seat_stage
from snug.tournament.state import EventRefused, Tournament

MOST_ON_PAPER: Final = 100


def plan_of(
    format: str,
    games: Sequence[str | PaperGame],
    stages: int,
    size: int,
    players: int,
    late: int,
    same: bool,
    **more: Any,
) -> Plan:
    """A plan of short matches: games in turn, tables near `size`, `more` of its fields. Raises BadSetup."""
    planned = []
    for number in range(stages):
        game = games[number % len(games)]
        rules = GAMES[game] if isinstance(game, str) else game
        options = rules.shortest.options if rules.shortest else {}
        sized = size_near(size, rules, format)
        planned.append({"game": msgspec.to_builtins(game), "options": options, "size": sized})
    return read_plan(
        {
            "format": format,
            "stages": planned,
            "players": players + late,
            "late_until": more.get("groups", {}).get("stages", stages) if late else 1,
            "same_deal": same,
            **more,
        }
    )


def tables_of(plan: Plan, players: int) -> int:
    """About how many tables will be played in all: for the progress bar."""
    return sum(len(table_sizes(stage, players, one=plan.format == "series")) for stage in plan.stages)


def play_tournament(plan: Plan, players: int, seed: str, drop_outs: int = 0, late: int = 0) -> Iterator[Tournament]:
    """Plays a tournament to its end; gives it after every table, and at last when it is over. Every other bot is
    steady, the rest are gentle. When too few are left, it ends early."""
    chance = random.Random(f"{seed}/people")
    stages = len(plan.stages)
    leaving = Counter(chance.randint(1, stages) for _ in range(drop_outs))
    last = plan.late_until
    coming = Counter(chance.randint(2, last) if last > 1 else 1 for _ in range(late))
    tournament = fold.begin(plan)
    for _ in range(players):
        tournament = _enter(tournament)
    while not tournament.over:
        number = len(tournament.stages) + 1
        for _ in range(coming[number]):
            tournament = _enter(tournament)
        deal = f"{seed}/deal/{number}" if plan.same_deal else ""
        try:
            tournament = fold.apply(tournament, seat_stage(tournament, seed, deal))
        except EventRefused as refusal:
            tournament = fold.apply(tournament, log.Ended(refusal.sentence))
            break
        left, tables = leaving[number], len(tournament.stages[-1].tables)
        for table in range(1, tables + 1):
            while left > 0 and chance.random() < left / (tables + 1 - table):
                left -= 1
                if staying := [entry.number for entry in tournament.active if entry.status == "in"]:
                    tournament = fold.apply(tournament, log.Withdrew(chance.choice(staying)))
            tournament = fold.apply(tournament, _finish(tournament, table, deal or f"{seed}/{number}/{table}"))
            yield tournament
        tournament = fold.apply(tournament, log.StageClosed())
    yield tournament


def _level(entry: int) -> str:
    return STEADY if entry % 2 else GENTLE


def _enter(tournament: Tournament) -> Tournament:
    entry = len(tournament.entries) + 1
    return fold.apply(tournament, log.Entered(entry, f"{_level(entry).capitalize()} {entry}"))


def _finish(tournament: Tournament, table: int, seed: str) -> log.TableFinished:
    stage = tournament.stages[-1]
    seats, plan = stage.tables[table - 1].seats, tournament.plan.stage(stage.number)
    rules, options = plan.rules, plan.options_for(len(seats))
    if isinstance(rules, PaperGame):
        chance = random.Random(seed)
        scores = tuple(float(chance.randint(0, MOST_ON_PAPER)) for _ in seats)
        return log.TableFinished(table, scores, rules.places(None, scores, (scores,)), "organiser")
    (played,) = simulate(rules, options, [_level(entry) for entry in seats], seed, 1)
    return log.TableFinished(table, played.totals, played.places)
