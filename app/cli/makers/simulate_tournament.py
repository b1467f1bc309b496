"""`snug simulate-tournament`: a whole tournament between bots, drop-outs and late entries included, undisturbed or with
all that goes wrong in an evening. The same seed plays the same tournament."""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

import msgspec
from msgspec.structs import replace

from app.cli.arguments import complain, print_json, progress, whole
from app.cli.makers.seatings import print_seatings
from app.cli.makers.simulate import simulate
from snug.bots.levels import GENTLE, STEADY
from snug.engine.game import BadSetup, plain
from snug.games import GAMES
from snug.tournament import fold, meetings
from snug.tournament.checks import read_plan
from snug.tournament.events import (
    AnyLogEvent,
    Corrected,
    Ended,
    Entered,
    Entrusted,
    Returned,
    StageClosed,
    StageSeated,
    TableFinished,
    Withdrew,
)
from snug.tournament.lines import StandingsRow
from snug.tournament.plan import MOST_PLAYERS, Format, PaperGame, Plan, size_near
from snug.tournament.points import shown
from snug.tournament.rounds.sizes import table_sizes
from snug.tournament.seating import achieved, seat_stage
from snug.tournament.standings import standings
from snug.tournament.state import EventRefused, Tournament
from snug.tournament.statement import statement

DETAILS: Final = (
    "Prints its rules, standings, ties, seatings, sit-outs and who met whom. The same seed gives the same one."
)
MARKS: Final = {"played": "", "bot": "b", "sat_out": "s", "missed": "m", "left": "l"}
TIMES: Final = {0: "not at all", 1: "once", 2: "twice"}
WIDEST_GRID: Final = 76


RESTARTS: Final = 10
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
    """A plan of short matches: the games in turn, tables of `size` or as near to it as a game allows; `more` of its
    fields. Raises BadSetup."""
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


def play_tournament(
    plan: Plan, players: int, seed: str, drop_outs: int = 0, late: int = 0, disturb: bool = False
) -> Iterator[Tournament]:
    """Plays a tournament to its end; gives it after every table, and at last when it is over. Every other bot is
    steady, the rest are gentle. When too few are left, it ends early. `disturb`: tables end in any order, results are
    wrong at first, the organiser hands over, leavers come back, and all is read again from the log."""
    chance = random.Random(f"{seed}/people")
    trouble = random.Random(f"{seed}/trouble")
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
            tournament = fold.apply(tournament, Ended(refusal.sentence))
            break
        left, tables = leaving[number], len(tournament.stages[-1].tables)
        order = [*range(1, tables + 1)]
        if disturb:
            trouble.shuffle(order)
        for done, table in enumerate(order):
            while left > 0 and chance.random() < left / (tables - done):
                tournament, left = _withdraw(tournament, chance), left - 1
            result = _finish(tournament, table, deal or f"{seed}/{number}/{table}")
            for event in _troubled(tournament, result, trouble) if disturb else (result,):
                tournament = fold.apply(tournament, event)
            if disturb and trouble.random() < RESTARTS / tables_of(plan, players):
                stored = msgspec.json.encode(tournament.log)
                tournament = fold.fold(plan, msgspec.json.decode(stored, type=tuple[AnyLogEvent, ...]))
            yield tournament
        tournament = fold.apply(tournament, StageClosed())
    yield tournament


def _troubled(tournament: Tournament, result: TableFinished, trouble: random.Random) -> Iterator[AnyLogEvent]:
    """A table's result, and what goes wrong beside it."""
    here, gone = ([entry.number for entry in tournament.entries if entry.status == status] for status in ("in", "left"))
    if here and trouble.random() < 0.1:
        yield Entrusted(trouble.choice(here), trouble.choice(("organiser", "helper", "none")))
    if trouble.random() < 0.2:
        yield replace(result, scores=result.scores[::-1], places=result.places[::-1])
        yield Corrected(result.table, result.scores, result.places, "written down the wrong way round")
    else:
        yield result
    if gone and trouble.random() < 0.02 and not tournament.plan.has_final:
        yield Returned(trouble.choice(gone))


def undisturbed(tournament: Tournament, seed: str) -> Tournament:
    """The same tournament between the same people with the same results, without trouble: right at once, table by
    table, under one organiser, and every stage seated anew. Who comes and goes does so when he did. Raises
    EventRefused."""
    plain = fold.begin(tournament.plan)
    for event in tournament.log:
        if isinstance(event, StageSeated):
            plain = fold.apply(plain, seat_stage(plain, seed, event.deal))
        elif isinstance(event, TableFinished):
            if result := tournament.stages[len(plain.stages) - 1].tables[event.table - 1].result:
                plain = fold.apply(plain, replace(event, scores=result.scores, places=result.places))
        elif not isinstance(event, Entrusted) and not isinstance(event, Corrected):
            plain = fold.apply(plain, event)
    return plain


def _level(entry: int) -> str:
    return STEADY if entry % 2 else GENTLE


def _enter(tournament: Tournament) -> Tournament:
    entry = len(tournament.entries) + 1
    return fold.apply(tournament, Entered(entry, f"{_level(entry).capitalize()} {entry}"))


def _withdraw(tournament: Tournament, chance: random.Random) -> Tournament:
    staying = [entry.number for entry in tournament.active if entry.status == "in"]
    return fold.apply(tournament, Withdrew(chance.choice(staying))) if staying else tournament


def _finish(tournament: Tournament, table: int, seed: str) -> TableFinished:
    stage = tournament.stages[-1]
    seats, plan = stage.tables[table - 1].seats, tournament.plan.stage(stage.number)
    rules, options = plan.rules, plan.options_for(len(seats))
    if isinstance(rules, PaperGame):
        chance = random.Random(seed)
        scores = tuple(float(chance.randint(0, MOST_ON_PAPER)) for _ in seats)
        return TableFinished(table, scores, rules.places(None, scores, (scores,)), "organiser")
    (played,) = simulate(rules, options, [_level(entry) for entry in seats], seed, 1)
    return TableFinished(table, played.totals, played.places)


class Told(msgspec.Struct, frozen=True):
    """A tournament as it is printed: its rules, standings, seatings' achievements, sit-outs and meetings;
    why it ended, if that was early."""

    rules: tuple[str, ...]
    standings: tuple[dict[str, Any], ...]
    seating: tuple[str, ...]
    repeats: int
    repeats_bound: int
    sat_out: tuple[tuple[str, ...], ...]
    met: tuple[tuple[int, ...], ...]
    ended: str


def told(tournament: Tournament) -> Told:
    """What is to be said of a tournament in the end."""
    seatings = meetings.seatings(tournament)
    return Told(
        statement(tournament.plan),
        tuple(_line(line) for line in standings(tournament)),
        tuple(achieved(tournament, stage.number).sentence for stage in tournament.stages),
        meetings.repeats(meetings.count(seatings)),
        meetings.whole_bound(seatings),
        tuple(tuple(tournament.name(entry) for entry in stage.sitting_out) for stage in tournament.stages),
        meetings.grid(tournament),
        next((event.reason for event in tournament.log if isinstance(event, Ended)), ""),
    )


def _line(line: StandingsRow) -> dict[str, Any]:
    stages = [f"{shown(score.points)}{MARKS[score.kind]}" if score else "–" for score in line.stages]
    place = {"place": line.place, "shared": line.shared, "name": line.name}
    return {**place, "points": shown(line.points), "stages": stages, "why": line.why}


def _print_told(told: Told, title: str) -> None:
    """Prints standings, ties, seatings, sit-outs and who met whom."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, markup=False)
    for sentence in told.rules:
        console.print(sentence)
    marks = "s sat out, m missed by entering late, l left, b played by a bot"
    table = Table(title=Text(title), caption=Text(marks), title_justify="left", caption_justify="left")
    for heading in ("Place", "Name", "Points"):
        table.add_column(heading, justify="left" if heading == "Name" else "right", no_wrap=True)
    for number in range(1, 1 + max((len(line["stages"]) for line in told.standings), default=0)):
        table.add_column(str(number), justify="right", no_wrap=True)
    for line in told.standings:
        table.add_row(f"{line['place']}{'=' * line['shared']}", Text(line["name"]), line["points"], *line["stages"])
    console.print(table)
    if told.ended:
        console.print(f"Ended early: {told.ended}")
    _print_list("Ties", [f"{line['name']}: {line['why'][0]}" for line in told.standings if line["why"]])
    _print_list("Seating", told.seating)
    _print_list("Sit-outs", [f"Stage {n}: {', '.join(who) or 'nobody'}" for n, who in enumerate(told.sat_out, 1)])
    pairs = Counter(times for at, row in enumerate(told.met) for times in row[at + 1 :])
    met = [f"Pairs that met {TIMES.get(times, f'{times} times')}: {pairs[times]:,}" for times in sorted(pairs)]
    repeats = f"Repeats in all: {told.repeats}; proven to be unavoidable: {told.repeats_bound}"
    _print_list("Meetings", [*met, repeats, *(_grid(told) if len(told.met) <= WIDEST_GRID else ())])


def _grid(told: Told) -> list[str]:
    rows = ("".join(str(min(times, 9)) if times else "." for times in row) for row in told.met)
    return [f"{number:3} {row}" for number, row in enumerate(rows, 1)]


def _print_list(heading: str, lines: Sequence[str]) -> None:
    print(f"\n{heading}", *(lines or ("None.",)), sep="\n  ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who plays what, and how."""
    parser.add_argument("--players", type=whole(2, 256), default=64, metavar="N", help="2 to 256 (default: 64)")
    parser.add_argument("--stages", type=whole(1, 50), default=6, metavar="N", help="how many stages (default: 6)")
    parser.add_argument(
        "--format",
        choices=get_args(Format),
        default="rotating",
        help="series, rotating (the default), swiss, round_robin, knockout, double_elimination or groups",
    )
    parser.add_argument(
        "--groups",
        nargs=3,
        type=whole(1, 128),
        default=(8, 3, 2),
        metavar="N",
        help="how many groups, the stages inside them, and how many of each go on (default: 8 3 2)",
    )
    parser.add_argument(
        "--advance", type=whole(1, 7), default=2, metavar="N", help="so many of a knockout's table go on (default: 2)"
    )
    parser.add_argument("--third-place", action="store_true", help="a small final beside that of a knockout")
    parser.add_argument("--last-counts", action="store_true", help="the last stage alone decides")
    parser.add_argument(
        "--games", nargs="+", choices=GAMES, metavar="GAME", help="played in turn (default: all, or --another alone)"
    )
    parser.add_argument(
        "--another", metavar="NAME", help="a game that Snug does not know, played after the others; scores are drawn"
    )
    parser.add_argument("--lowest-wins", action="store_true", help="the lowest score wins that game")
    parser.add_argument("--table", type=whole(2, 8), default=4, metavar="N", help="players at a table (default: 4)")
    parser.add_argument("--same-deal", action="store_true", help="the same cards at every table of a stage")
    parser.add_argument("--drop-outs", type=whole(0, 256), default=0, metavar="N", help="so many leave on the way")
    parser.add_argument("--late", type=whole(0, 256), default=0, metavar="N", help="so many more come late")
    parser.add_argument(
        "--disturb",
        action="store_true",
        help="with corrections, hand-overs and restarts, some leaving, late or back; then compares an undisturbed run",
    )
    parser.add_argument(
        "--seatings", action="store_true", help="play nothing; print how often people meet again, and with which wishes"
    )
    parser.add_argument("--seed", default="0", metavar="TEXT", help="what all chance comes from (default: 0)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")


def run(arguments: argparse.Namespace) -> int:
    """Plays the tournament and prints what came of it. Ends with 1 if trouble has changed the standings."""
    a = arguments
    if a.seatings:
        return print_seatings(a.seed, a.json)
    players, drop_outs, late = a.players, a.drop_outs, a.late
    if a.disturb:
        drop_outs = drop_outs or players // 16
        late = late or (players // 16 if a.format in ("rotating", "swiss", "groups") else 0)
        players = min(players, MOST_PLAYERS - late)
    try:
        more = {"advance": a.advance, "third_place": a.third_place, "counts": "last" if a.last_counts else "all"}
        if a.format == "groups":
            more["groups"] = dict(zip(("count", "stages", "through"), a.groups, strict=True))
        games = [*(a.games or [])] + ([PaperGame(a.another, a.lowest_wins)] if a.another else [])
        plan = plan_of(a.format, games or list(GAMES), a.stages, a.table, players, late, a.same_deal, **more)
        *_, tournament = progress(
            play_tournament(plan, players, a.seed, drop_outs, late, a.disturb), tables_of(plan, players)
        )
    except (BadSetup, UnicodeError) as error:
        return complain(error)
    told_in_the_end = told(tournament)
    same = not a.disturb or told(undisturbed(tournament, a.seed)) == told_in_the_end
    if a.json:
        print_json({"seed": a.seed, **plain(told_in_the_end), **({"undisturbed": same} if a.disturb else {})})
    else:
        _print_told(told_in_the_end, f"{players + late} players, {len(tournament.stages)} stages, seed {a.seed}")
        if a.disturb:
            _print_list(
                "Trouble", [*_troubles(tournament), f"Undisturbed, all were {'the same' if same else 'OTHER'}."]
            )
    return 0 if same else 1


def _troubles(tournament: Tournament) -> list[str]:
    kinds = {
        "Withdrew": "left",
        "Returned": "came back",
        "Corrected": "results were corrected",
        "Entrusted": "times somebody else organised or helped",
    }
    counts = Counter(type(event).__name__ for event in tournament.log)
    late = sum(bool(entry.missed) for entry in tournament.entries)
    return [f"{counts[kind]} {words}" for kind, words in kinds.items()] + [f"{late} came late"]
