"""The laws of the card room: pure values and functions. No web, database, clock or randomness."""

from typing import Any, Final

from app.rules import follow_the_leader, life, liverpool, lives, lucky_paw
from app.rules.game import Game

GAMES: Final[dict[str, Game[Any]]] = {game.KEY: game for game in (lucky_paw, lives, life, liverpool, follow_the_leader)}
