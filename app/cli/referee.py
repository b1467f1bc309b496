"""`snug referee`: plays a game record."""

import argparse
from typing import Final

from app.cli.arguments import add_record, complain, print_json, read_record
from snug.engine.record import as_json, parse, replay

DETAILS: Final = (
    "Prints a JSON object: position, legal moves, scores. Exit status 0: every move was accepted; "
    "1: one was refused; 2: the record cannot be read."
)
REFUSED: Final = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which record, and who looks."""
    add_record(parser)
    parser.add_argument("--each", action="store_true", help="print such an object after every move, one a line")
    parser.add_argument("--as-seat", metavar="N|watcher", help="show what this seat, or a watcher, may see")


def run(arguments: argparse.Namespace) -> int:
    """Plays the record and prints what came of it."""
    path = arguments.record
    try:
        reading = parse(read_record(path))
        seen_by = _viewer(arguments.as_seat, reading.record.seats)
    except OSError as error:
        return complain(f"{path}: {error.strerror}")
    except ValueError as error:  # a malformed record, or no such seat
        return complain(error)
    reports = replay(reading)
    report = next(reports)
    for following in reports:
        if arguments.each:
            print_json(as_json(report, seen_by))
        report = following
    print_json(as_json(report, seen_by))
    return REFUSED if report.refused else 0


def _viewer(text: str | None, seats: int) -> int | str | None:
    """Who looks, as `as_json` wants it. Raises ValueError."""
    if text is None:
        return "referee"
    if text == "watcher":
        return None
    if text not in map(str, range(1, seats + 1)):
        raise ValueError(f"--as-seat: {text} is neither a seat from 1 to {seats} nor watcher")
    return int(text)
