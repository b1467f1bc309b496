"""Moves and what comes of them: frozen values, each told to a seat as far as it may know."""

from typing import Any

import msgspec

from snug.words import worded


class RefusedMove(ValueError):
    """A move that is not played. `code` is the refusal code of the rules page, `sentence` what the player reads."""

    def __init__(self, code: str, sentence: str, /, **params: Any) -> None:
        self.code, self.sentence = code, worded(sentence, params)
        super().__init__(self.sentence)


class InvalidMove(RefusedMove):
    """Not a move of this game at all: an unknown verb, a parameter missing or of the wrong type."""


class IllegalMove(RefusedMove):
    """A move of this game that its rules refuse now."""


class Move(msgspec.Struct, frozen=True, tag_field="move", forbid_unknown_fields=True):
    """What a seat does: a verb (the tag) and named parameters. The same names in records, forms and rules pages."""

    def seen_by(self, mover: int, seat: int | None) -> "Move | None":
        """The move of seat `mover` as one seat (None: a watcher) may know it; None if not even that it was made."""
        return self


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """What came of a move, for the log, the screen reader and animations. Public unless `seen_by` hides a part."""

    @property
    def name(self) -> str:
        """What kind of event it is: its tag, as in `card_played`. No event has a field of this name."""
        return str(self.__struct_config__.tag)

    @property
    def is_logged(self) -> bool:
        """Whether it is worth a line of the table's log."""
        return True

    def seen_by(self, seat: int | None) -> "Event":
        """The event as one seat (None: a watcher) may see it."""
        return self

    def concerns(self, seat: int) -> bool:
        """Whether whoever hears only what concerns this seat is told of it: what it did itself, and what nobody did."""
        return bool(getattr(self, "seat", seat) == seat)

    def befalls(self, seat: int) -> bool:
        """Whether it happened to this seat without its doing: when its turn comes, it is told the last such thing, and
        not what happened last."""
        return False

    @property
    def is_minor(self) -> bool:
        """Whether it may be left to the log where more happens than anybody can listen to: nothing on the table and
        nobody's chances have changed by it."""
        return False

    def told_after(self, earlier: "Event") -> "Event | None":
        """What one line of the log tells of this and what came right before it; None where each is news. Both are as
        the reader may see them."""
        return None


class Together(Event, frozen=True, tag="together"):
    """The same done by several `seats` in a row: one line of the log, never stored. `last` is what the last did."""

    last: Event
    seats: tuple[int, ...]

    def concerns(self, seat: int) -> bool:
        return seat in self.seats

    @property
    def is_minor(self) -> bool:
        return self.last.is_minor

    def told_after(self, earlier: Event) -> Event | None:
        """One seat more, at the head of the line."""
        pair = self.last.told_after(earlier)
        if isinstance(pair, Together) and pair.seats[0] not in self.seats:
            return Together(self.last, (pair.seats[0], *self.seats))
        return None
