"""The command `snug`. A command is a module beside this one, or in `makers/`; only the one that is asked for is loaded,
so that the referee starts at once."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from app.cli.arguments import complain, log_to_terminal

COMMANDS: Final = {
    "serve": "Open the card room",
    "demo": "Open a card room in which tables of every game and a tournament are under way",
    "dev": "Open the card room for developers",
    "upgrade": "Make the database, or bring it up to date",
    "verify": "Check everything that is stored",
    "room": "Say which tables there are, and who came",
    "backup": "Save the room, which may be running, in one file",
    "restore": "Put a backup in the place of the room",
    "doctor": "Look the room over: what is not safe yet, and what mends it",
    "referee": "Play a game record and say what came of it",
    "verify-deal": "Check whether the cards of a record were dealt as they were sealed before",
    "new-game": "Write a small game that runs, to make one's own of",
    "simulate": "Let bots play many matches",
    "ladder": "Let the levels of bots play each other, and rate them",
    "simulate-tournament": "Let bots play a whole tournament",
    "loadtest": "Play at tables of a room over HTTP, to see how fast it answers",
}
_MAKERS: Final = {"new-game", "simulate", "ladder", "simulate-tournament", "loadtest"}
_NOT_ON_WINDOWS: Final = {"fcntl", "resource"}  # a lock on a file, and how many may be open
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status. --help and wrong arguments leave by SystemExit, as argparse does."""
    words = sys.argv[1:] if argv is None else argv
    try:
        parser = _parser(next((word for word in words if word in COMMANDS), None))
    except ModuleNotFoundError as error:
        if error.name not in _NOT_ON_WINDOWS:
            raise
        return complain("snug: a room needs Linux or macOS. On Windows it runs in WSL, or in a container.")
    arguments = parser.parse_args(words)
    if arguments.verbose:
        log_to_terminal()
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough, as in `snug referee --each … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return status


def _parser(command: str | None) -> argparse.ArgumentParser:
    """What `snug` understands, with the arguments of this command. Its module has DETAILS, `add_arguments(parser)` and
    `run(arguments)`, which gives the exit status."""
    parser = argparse.ArgumentParser(prog="snug", description="Snug: a card room for friends.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    parser.add_argument("--verbose", action="store_true", help="log requests and moves to the terminal")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        if name == command:
            package = "app.cli.makers" if name in _MAKERS else "app.cli"
            module = import_module(f"{package}.{name.replace('-', '_')}")
            chosen = commands.add_parser(name, help=summary, description=f"{summary}. {module.DETAILS}")
            chosen.set_defaults(run=module.run)
            module.add_arguments(chosen)
        else:
            commands.add_parser(name, help=summary)
    return parser


class _Version(argparse.Action):
    """The version of what is installed, looked up when somebody asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> None:
        from importlib.metadata import version

        print("snug", version("snug"))
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
