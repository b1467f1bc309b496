"""What a game is: a subclass of `Game` and the values it works with.

Seats are numbered from 1, clockwise; seat 0 is the dealer. States, moves, events and views are frozen values.
"""

from snug.engine.game.game import (
    DEALER,
    ONE_DEAL,
    ONE_ROUND,
    BadSetup,
    Game,
    Options,
    Preset,
    RoundState,
    convert,
    option,
    plain,
)
from snug.engine.game.moves import Event, IllegalMove, InvalidMove, Move, RefusedMove, Together
from snug.engine.game.reading import read_move, read_options
from snug.engine.game.view import View
from snug.engine.places import Scores, TieBreak

__all__ = [
    "DEALER",
    "ONE_DEAL",
    "ONE_ROUND",
    "BadSetup",
    "Event",
    "Game",
    "IllegalMove",
    "InvalidMove",
    "Move",
    "Options",
    "Preset",
    "RefusedMove",
    "RoundState",
    "Scores",
    "TieBreak",
    "Together",
    "View",
    "convert",
    "option",
    "plain",
    "read_move",
    "read_options",
]
