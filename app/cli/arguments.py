"""What several commands read from their arguments, print and log."""

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

Shown = TypeVar("Shown")

MISUSED: Final = 2


def whole(low: int, high: int = sys.maxsize) -> Callable[[str], int]:
    """Reads a whole number from `low` to `high`."""

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            limit = f"from {low} to {high}" if high < sys.maxsize else f"from {low} up"
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number {limit}")
        return int(text)

    return read


def add_storage(parser: argparse.ArgumentParser) -> None:
    """Where the room keeps its games."""
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the database and the key (default: data)")
    parser.add_argument("--database", metavar="URL", help="database, if not the SQLite file in the data folder")


def add_address(parser: argparse.ArgumentParser) -> None:
    """Where the room is reached."""
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=whole(1, 65535), help="port to listen on (default: 8000)")


def print_json(answer: dict[str, Any]) -> None:
    """One line of JSON."""
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")


def complain(problem: object) -> int:
    """Says what is wrong with what was asked; gives the exit status."""
    print(problem, file=sys.stderr)
    return MISUSED


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
