"""The command `snug`. What a command needs beyond the rules is imported when it runs: the referee starts at once."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

import msgspec

from app.engine.game import BadSetup, plain, read_options
from app.engine.record import as_json, parse, replay
from app.games import GAMES
from app.tournament.plan import Format

if TYPE_CHECKING:
    from app.cli.simulate import Played, Summary

Shown = TypeVar("Shown")

REFUSED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status. --help and wrong arguments leave by SystemExit, as argparse does."""
    arguments = _parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough, as in `snug referee --each … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="snug", description="Snug: a card room for friends.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_serve(commands)
    _add_upgrade(commands)
    _add_referee(commands)
    _add_simulate(commands)
    _add_simulate_tournament(commands)
    return parser


class _Version(argparse.Action):
    """The version of what is installed, looked up when somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> None:
        from importlib.metadata import version

        print("snug", version("snug"))
        parser.exit()


def _add(commands: Any, run: Any, name: str, summary: str, details: str = "") -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=f"{summary}. {details}")
    parser.set_defaults(run=run)
    return parser


def _add_storage(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the database and the key (default: data)")
    parser.add_argument("--database", metavar="URL", help="database, if not the SQLite file in the data folder")


def _add_serve(commands: Any) -> None:
    parser = _add(commands, _serve, "serve", "Open the card room", "Makes or upgrades its database first.")
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=_whole(1, 65535), help="port to listen on (default: 8000)")
    _add_storage(parser)


def _serve(arguments: argparse.Namespace) -> int:
    from app.cli.serve import serve

    return serve(arguments.host, arguments.port, arguments.data, arguments.database)


def _add_upgrade(commands: Any) -> None:
    _add_storage(_add(commands, _upgrade, "upgrade", "Make the database, or bring it up to date"))


def _upgrade(arguments: argparse.Namespace) -> int:
    from app.cli.serve import upgrade

    return upgrade(arguments.data, arguments.database)


def _add_referee(commands: Any) -> None:
    parser = _add(
        commands,
        _referee,
        "referee",
        "Play a game record and say what came of it",
        "Prints a JSON object: position, legal moves, scores. Exit status 0: every move was accepted; "
        "1: one was refused; 2: the record cannot be read.",
    )
    parser.add_argument("record", metavar="RECORD.json", help="the record; - reads standard input")
    parser.add_argument("--each", action="store_true", help="print such an object after every move, one a line")
    parser.add_argument("--as-seat", metavar="N|watcher", help="show what this seat, or a watcher, may see")


def _referee(arguments: argparse.Namespace) -> int:
    path = arguments.record
    try:
        reading = parse(sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes())
        seen_by = _eye(arguments.as_seat, reading.record.seats)
    except OSError as error:
        return _complain(f"{path}: {error.strerror}")
    except ValueError as error:  # a malformed record, or no such seat
        return _complain(error)
    reports = replay(reading)
    report = next(reports)
    for following in reports:
        if arguments.each:
            _print_json(as_json(report, seen_by))
        report = following
    _print_json(as_json(report, seen_by))
    return REFUSED if report.refused else 0


def _eye(text: str | None, seats: int) -> int | str | None:
    """Who looks, as `as_json` wants it. Raises ValueError."""
    if text is None:
        return "referee"
    if text == "watcher":
        return None
    if text not in map(str, range(1, seats + 1)):
        raise ValueError(f"--as-seat: {text} is neither a seat from 1 to {seats} nor watcher")
    return int(text)


def _add_simulate(commands: Any) -> None:
    parser = _add(
        commands,
        _simulate,
        "simulate",
        "Let bots play many matches",
        "Prints how they fared and how fast they were. The same seed gives the same games.",
    )
    parser.add_argument("--game", required=True, choices=GAMES, metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--games", type=_whole(1), default=100, metavar="N", help="how many matches (default: 100)")
    parser.add_argument(
        "--seats", required=True, nargs="+", metavar="LEVEL", help="a bot's level for every seat: easy, good or random"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="a table rule, as in rounds=1; may be given several times",
    )
    parser.add_argument("--seed", default="0", metavar="TEXT", help="what all chance comes from (default: 0)")
    parser.add_argument("--record-dir", type=Path, metavar="DIR", help="keep the record of every match in this folder")
    parser.add_argument("--jobs", type=_whole(1), default=1, metavar="N", help="share the matches out to N processes")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _simulate(arguments: argparse.Namespace) -> int:
    from app.cli.simulate import LEVELS, simulate, summarise

    game, levels, folder = GAMES[arguments.game], arguments.seats, arguments.record_dir
    for level in levels:
        if level not in LEVELS:
            return _complain(f"--seats: {level} is not a level; there are {', '.join(LEVELS)}")
    try:
        options = read_options(game, len(levels), dict(arguments.option), strict=False)
        played = simulate(game, options, levels, arguments.seed, arguments.games, arguments.jobs)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            played = _kept(played, folder)
        summary = summarise(levels, _shown(played, arguments.games))
    except OSError as error:
        return _complain(f"{error.filename or folder}: {error.strerror}")
    except (BadSetup, UnicodeError) as error:
        return _complain(error)
    if arguments.json:
        about = {"game": arguments.game, "options": plain(options), "seed": arguments.seed}
        _print_json({**about, **plain(summary)})
    else:
        _print_table(game.NAME, arguments.seed, summary)
    return 0


def _kept(played: "Iterable[Played]", folder: Path) -> "Iterator[Played]":
    from app.cli.simulate import write_record

    for number, match in enumerate(played, 1):
        write_record(match, folder, number)
        yield match


def _shown(played: Iterable[Shown], total: int) -> Iterable[Shown]:
    """What is played, as it comes, with a progress bar where somebody watches."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(played, "Playing", total, console=console, transient=True, disable=not console.is_terminal)


def _print_table(name: str, seed: str, summary: "Summary") -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    title = f"{name}: {summary.matches:,} matches, {summary.rounds:,} rounds, seed {seed}"
    speed = f"{summary.moves:,} moves in {summary.seconds:,.2f} s: {summary.moves_per_second:,.0f} moves a second"
    table = Table(title=Text(title), caption=Text(speed), title_justify="left", caption_justify="left")
    for heading in ("Seat", "Level", "Score a round", "Won", "Shared", "Mean place"):
        table.add_column(heading, justify="left" if heading == "Level" else "right")
    for it in summary.seats:
        shares = f"{it.won:.1%}", f"{it.shared:.1%}"
        table.add_row(str(it.seat), it.level, f"{it.score:.2f}", *shares, f"{it.place:.2f}")
    Console().print(table)


def _add_simulate_tournament(commands: Any) -> None:
    parser = _add(
        commands,
        _simulate_tournament,
        "simulate-tournament",
        "Let bots play a whole tournament",
        "Prints its rules, standings, ties, seatings, sit-outs and who met whom. The same seed gives the same one.",
    )
    parser.add_argument("--players", type=_whole(2, 256), default=64, metavar="N", help="2 to 256 (default: 64)")
    parser.add_argument("--stages", type=_whole(1, 50), default=6, metavar="N", help="how many stages (default: 6)")
    parser.add_argument(
        "--format",
        choices=get_args(Format),
        default="rotating",
        help="series, rotating (the default), swiss or knockout",
    )
    parser.add_argument(
        "--games", nargs="+", choices=GAMES, default=list(GAMES), metavar="GAME", help="played in turn (default: all)"
    )
    parser.add_argument("--table", type=_whole(2, 8), default=4, metavar="N", help="players at a table (default: 4)")
    parser.add_argument("--same-deal", action="store_true", help="the same cards at every table of a stage")
    parser.add_argument("--drop-outs", type=_whole(0, 256), default=0, metavar="N", help="so many leave on the way")
    parser.add_argument("--late", type=_whole(0, 256), default=0, metavar="N", help="so many more come late")
    parser.add_argument("--seed", default="0", metavar="TEXT", help="what all chance comes from (default: 0)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")


def _simulate_tournament(arguments: argparse.Namespace) -> int:
    from app.cli.simulate_tournament import plan_of, play_tournament, print_told, tables_of, told

    a = arguments
    try:
        plan = plan_of(a.format, a.games, a.stages, a.table, a.players, a.late, a.same_deal)
        *_, tournament = _shown(
            play_tournament(plan, a.players, a.seed, a.drop_outs, a.late), tables_of(plan, a.players)
        )
    except (BadSetup, UnicodeError) as error:
        return _complain(error)
    told_in_the_end = told(tournament)
    if a.json:
        _print_json({"seed": a.seed, **plain(told_in_the_end)})
    else:
        print_told(told_in_the_end, f"{a.players} players, {len(tournament.stages)} stages, seed {a.seed}")
    return 0


def _print_json(answer: dict[str, Any]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")


def _complain(problem: object) -> int:
    print(problem, file=sys.stderr)
    return MISUSED


def _whole(low: int, high: int = sys.maxsize) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            limit = f"from {low} to {high}" if high < sys.maxsize else f"from {low} up"
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {limit}")
        return int(text)

    return read


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"write name=value, as in rounds=1, not {text!r}")
    return name, value


if __name__ == "__main__":
    sys.exit(main())
