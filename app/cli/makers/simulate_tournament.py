"""`snug simulate-tournament`: a whole tournament between bots, drop-outs and late entries included. The same seed
plays the same tournament."""

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, get_args

import msgspec

from app.cli.arguments import complain, print_json, print_table, progress, whole
from app.cli.makers.tournament_play import plan_of, play_tournament, tables_of
from snug.engine.game import BadSetup, plain
from snug.games import GAMES
from snug.tournament import meetings
from snug.tournament.events import Ended
from snug.tournament.lines import StandingsRow
from snug.tournament.plan import Format, PaperGame
from snug.tournament.points import shown
from snug.tournament.seating import achieved
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from snug.tournament.statement import statement

DETAILS: Final = (
    "Prints its rules, standings, ties, seatings, sit-outs and who met whom. The same seed gives the same one."
)
TIMES: Final = {0: "not at all", 1: "once", 2: "twice"}
WIDEST_GRID: Final = 76


class Told(msgspec.Struct, frozen=True):
    """A tournament as it is printed; `ended` says why, if that was early."""

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
        tuple(map(_line, standings(tournament))),
        tuple(achieved(tournament, stage.number).sentence for stage in tournament.stages),
        meetings.repeats(meetings.count(seatings)),
        meetings.whole_bound(seatings),
        tuple(tuple(tournament.name(entry) for entry in stage.sitting_out) for stage in tournament.stages),
        meetings.grid(tournament),
        next((event.reason for event in tournament.log if isinstance(event, Ended)), ""),
    )


def _line(line: StandingsRow) -> dict[str, Any]:
    place = {"place": line.place, "shared": line.shared, "name": line.name}
    return {**place, "points": shown(line.points), "stages": line.stage_figures(), "why": line.why}


def _print_told(told: Told, title: str) -> None:
    """Prints standings, ties, seatings, sit-outs and who met whom."""
    print(*told.rules, sep="\n")
    stages = range(1, 1 + max((len(line["stages"]) for line in told.standings), default=0))
    lines = (
        (f"{line['place']}{'=' * line['shared']}", line["name"], line["points"], *line["stages"])
        for line in told.standings
    )
    marks = "s sat out, m missed by entering late, l left, b played by a bot"
    print_table(title, ("Place", "Name", "Points", *map(str, stages)), lines, left=("Name",), caption=marks)
    if told.ended:
        print(f"Ended early: {told.ended}")
    _print_list("Ties", [f"{line['name']}: {line['why'][0]}" for line in told.standings if line["why"]])
    _print_list("Seating", told.seating)
    _print_list("Sit-outs", [f"Stage {n}: {', '.join(who) or 'nobody'}" for n, who in enumerate(told.sat_out, 1)])
    pairs = Counter(times for at, row in enumerate(told.met) for times in row[at + 1 :])
    met = [f"Pairs that met {TIMES.get(times, f'{times} times')}: {pairs[times]:,}" for times in sorted(pairs)]
    repeats = f"Repeats in all: {told.repeats}; proven to be unavoidable: {told.repeats_bound}"
    rows = ("".join(str(min(times, 9)) if times else "." for times in row) for row in told.met)
    grid = [f"{number:3} {row}" for number, row in enumerate(rows, 1)]
    _print_list("Meetings", [*met, repeats, *(grid if len(grid) <= WIDEST_GRID else ())])


def _print_list(heading: str, lines: Sequence[str]) -> None:
    print(f"\n{heading}", *(lines or ("None.",)), sep="\n  ")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Who plays what, and how."""
    parser.add_argument("--players", type=whole(2, 256), default=64, metavar="N", help="2 to 256 (default: 64)")
    parser.add_argument("--stages", type=whole(1, 50), default=6, metavar="N", help="how many stages (default: 6)")
    parser.add_argument("--format", choices=get_args(Format), default="rotating", help="(default: rotating)")
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
    parser.add_argument("--seed", default="0", metavar="TEXT", help="what all chance comes from (default: 0)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")


def run(arguments: argparse.Namespace) -> int:
    """Plays the tournament and prints what came of it."""
    a = arguments
    try:
        more = {"advance": a.advance, "third_place": a.third_place, "counts": "last" if a.last_counts else "all"}
        if a.format == "groups":
            more["groups"] = dict(zip(("count", "stages", "through"), a.groups, strict=True))
        games = [*(a.games or [])] + ([PaperGame(a.another, a.lowest_wins)] if a.another else [])
        plan = plan_of(a.format, games or list(GAMES), a.stages, a.table, a.players, a.late, a.same_deal, **more)
        *_, tournament = progress(
            play_tournament(plan, a.players, a.seed, a.drop_outs, a.late), tables_of(plan, a.players)
        )
    except (BadSetup, UnicodeError) as error:
        return complain(error)
    if a.json:
        print_json({"seed": a.seed, **plain(told(tournament))})
    else:
        title = f"{a.players + a.late} players, {len(tournament.stages)} stages, seed {a.seed}"
        _print_told(told(tournament), title)
    return 0
