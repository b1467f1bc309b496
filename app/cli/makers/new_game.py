"""`snug new-game`: a small game of one's own, as a package that a room finds, with its tests."""

import argparse
import keyword
import re
from pathlib import Path
from typing import Final

from app.cli.arguments import complain
from app.paths import STARTER
from snug.games import GAMES

DETAILS: Final = (
    "It has one move, one option and hidden hands, pages, a lesson and tests: all of it is there to be changed."
)
_KEY: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LONGEST: Final = 40
_ELSEWHERE: Final = re.compile(r"\[([^\]]*)\]\(\.\./[^)]*\)")  # a link out of the folder, which leads nowhere elsewhere


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it is called, and where it goes."""
    parser.add_argument(
        "key", metavar="KEY", help="what records and addresses call it, as in old_maid; never to change"
    )
    parser.add_argument("--to", type=Path, metavar="DIR", help="folder to write it into (default: snug-KEY, here)")


def run(arguments: argparse.Namespace) -> int:
    """Writes it, and says what to do next."""
    key: str = arguments.key
    if not _KEY.fullmatch(key) or len(key) > _LONGEST or keyword.iskeyword(key):
        return complain(f"snug: {key!r} is no key: small letters and underscores, as in old_maid")
    if key in GAMES:
        return complain(f"snug: there is a game {key} already")
    folder: Path = arguments.to or Path(f"snug-{key.replace('_', '-')}")
    try:
        if folder.exists() and any(folder.iterdir()):
            return complain(f"snug: {folder} is not empty")
        write(key, folder)
    except OSError as error:
        return complain(f"snug: {error.filename}: {error.strerror}")
    print(f"{folder} is {_title(key)}. In the environment of a room:")
    print(f"  pip install -e '{folder}[test]'")
    print(f"  python -m pytest {folder}")
    print("and it stands in the lobby when the room is opened again. Its README says what is where,")
    print("its GUIDE what a game may say besides.")
    return 0


def write(key: str, folder: Path) -> None:
    """The game under this key, whose words are its name. Raises OSError."""
    names = {
        "first_game": key,
        "first-game": key.replace("_", "-"),
        "FirstGame": _title(key).replace(" ", ""),
        "First Game": _title(key),
    }
    written = re.compile("|".join(names))
    for source in sorted(STARTER.rglob("*")):
        within = source.relative_to(STARTER)
        if source.is_file() and not any(part.startswith((".", "__pycache__")) for part in within.parts):
            target = folder / written.sub(lambda found: names[found[0]], str(within))
            target.parent.mkdir(parents=True, exist_ok=True)
            text = _ELSEWHERE.sub(r"\1", source.read_text(encoding="utf-8"))
            target.write_text(written.sub(lambda found: names[found[0]], text), encoding="utf-8")


def _title(key: str) -> str:
    return " ".join(word.capitalize() for word in key.split("_"))
