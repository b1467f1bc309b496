"""The games: pure values and functions, each in a folder of its own. No web, database, clock or randomness."""

from typing import Any, Final

from app.engine.game import Game
from app.games import follow_the_leader, life, liverpool, lives, lucky_paw

GAMES: Final[dict[str, Game[Any]]] = {game.KEY: game for game in (lucky_paw, lives, life, liverpool, follow_the_leader)}
