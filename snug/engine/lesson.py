"""A lesson: a deal that was stacked, with a sentence for every step of it and all moves laid down."""

from collections.abc import Mapping
from typing import Any

import msgspec

from snug.engine.record import Record
from snug.words import Message

LEARNER = 1
"""The seat of whoever learns."""


class Step(msgspec.Struct, frozen=True):
    """What is said at a moment of the deal. After that come `moves`, as a record writes them: the learner's own, those
    of the others, the dealer's."""

    say: Message
    moves: tuple[Mapping[str, Any], ...]

    @property
    def wanted(self) -> Mapping[str, Any]:
        """The move that the learner is to make, without his seat."""
        move = next(move for move in self.moves if move["seat"] == LEARNER)
        return {name: value for name, value in move.items() if name != "seat"}


class Lesson(msgspec.Struct, frozen=True):
    """A deal from which people learn a game, without a word of its rules before. `partners` are the names of the
    others; the first of them is who speaks. `last` is said when all is played."""

    partners: tuple[Message, ...]
    position: Mapping[str, Any]
    steps: tuple[Step, ...]
    last: Message
    options: Mapping[str, Any] = {}

    def record(self, game: str) -> Record:
        """All of it as a record of the game."""
        moves = [dict(move) for step in self.steps for move in step.moves]
        return Record(game, 1 + len(self.partners), dict(self.options), dict(self.position), moves)
