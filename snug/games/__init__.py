"""The games: pure values and functions, each in a folder of its own. No web, database, clock or randomness.

A game is found by its folder here, or by an entry point of an installed package; see `snug.engine.game.Game`.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any, Final

from snug.engine.game import Game

GROUP: Final = "snug.games"


@cache
def _packages() -> dict[str, str]:
    """The package of every game by its key, in the order of the keys. Raises ValueError for a key that is taken."""
    found = {module.name: f"{__name__}.{module.name}" for module in iter_modules(__path__) if module.ispkg}
    for entry in entry_points(group=GROUP):
        if found.setdefault(entry.name, entry.value) != entry.value:
            raise ValueError(f"{entry.value}: there is a game {entry.name!r} already, in {found[entry.name]}")
    return dict(sorted(found.items()))


def package_of(key: str) -> str:
    """Where the game `key` is kept: the package with its bot and its templates. Raises KeyError."""
    return _packages()[key]


@cache
def _load(key: str) -> Game[Any]:
    package = package_of(key)
    try:
        game: Game[Any] = import_module(package).GAME
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "app":
            raise
        raise ImportError(f"{package} was written for an older Snug: {error.name} is now found in `snug`.") from error
    if game.key != key:
        raise ValueError(f"{package}: found as {key!r}, but its key is {game.key!r}")
    return game


class _Games(Mapping[str, Game[Any]]):
    """Every game by its key. Names are found at once, a game is loaded when it is first asked for."""

    def __getitem__(self, key: str) -> Game[Any]:
        return _load(key)

    def __iter__(self) -> Iterator[str]:
        return iter(_packages())

    def __len__(self) -> int:
        return len(_packages())

    def __contains__(self, key: object) -> bool:
        return key in _packages()


GAMES: Final[Mapping[str, Game[Any]]] = _Games()
