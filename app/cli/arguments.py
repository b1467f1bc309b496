"""What several commands read from their arguments, print and log."""

import argparse
import signal
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

Shown = TypeVar("Shown")
Given = TypeVar("Given")
Done = TypeVar("Done")

MISUSED: Final = 2


def whole(low: int, high: int = sys.maxsize) -> Callable[[str], int]:
    """Reads a whole number from `low` to `high`."""

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            limit = f"from {low} to {high}" if high < sys.maxsize else f"from {low} up"
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {limit}")
        return int(text)

    return read


def shared_out(work: Callable[[Given], Done], wanted: Iterable[Given], jobs: int, at_once: int = 1) -> Iterator[Done]:
    """What comes of it all, in order: of one job from here, else from so many processes, of which each is given some
    `at_once`. They are new ones rather than forks: the caller may have threads. They leave Ctrl-C to it."""
    if jobs == 1:
        yield from map(work, wanted)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.map(work, wanted, chunksize=at_once)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Table rules, one by one."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="a table rule, as in rounds=1; may be given several times",
    )


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"write name=value, as in rounds=1, not {text!r}")
    return name, value


def add_storage(parser: argparse.ArgumentParser) -> None:
    """Where the room keeps its games."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the database and the key (default: data)")
    parser.add_argument("--database", metavar="URL", help="database, if not the SQLite file in the data folder")


def add_address(parser: argparse.ArgumentParser) -> None:
    """Where the room is reached."""
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=whole(1, 65535), help="port to listen on (default: 8000)")


def add_room(parser: argparse.ArgumentParser) -> None:
    """Where the room is reached and where it keeps its games."""
    add_address(parser)
    add_storage(parser)


def add_record(parser: argparse.ArgumentParser) -> None:
    """Which record."""
    parser.add_argument("record", metavar="RECORD.json", help="the record; - reads standard input")


def read_record(path: str) -> bytes:
    """The content of a record, whatever it is. Raises OSError."""
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()


def print_json(answer: dict[str, Any]) -> None:
    """One line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")


def complain(problem: object, status: int = MISUSED) -> int:
    """Says what is wrong; gives the exit status."""
    print(problem, file=sys.stderr)
    return status


def print_table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: Collection[str], caption: str = ""
) -> None:
    """A table of which these columns keep to the `left`, the others to the right."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), caption=Text(caption), title_justify="left", caption_justify="left")
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def reason(error: Exception) -> str:
    """Why something did not work, in one line: in the database's own words where it was the database."""
    return " ".join(str(getattr(error, "orig", None) or error).split())


def progress(played: Iterable[Shown], total: int) -> Iterable[Shown]:
    """What is played, as it comes, with a progress bar where somebody watches."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(played, "Playing", total, console=console, transient=True, disable=not console.is_terminal)


def log_to_terminal() -> None:
    """What the room does is logged from now on, not only what goes wrong."""
    import logging

    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("app").setLevel(logging.INFO)
