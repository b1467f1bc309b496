"""The lines of a tournament's page: a seat, a table, a place in the standings."""

import msgspec

from snug.words import Message


class SeatLine(msgspec.Struct, frozen=True):
    """Somebody at a table: the score by now, or at the end, where it is told; whether the table waits for them; the
    number of the entry; whether they lead the game that is played, or have won it."""

    name: str
    score: str = ""
    acts: bool = False
    entry: int = 0
    leads: bool = False


class TableLine(msgspec.Struct, frozen=True):
    """A table of a stage: who sits there in order, how far it is; `slug` for those who may go there, `watches` if they
    would look on. `has_result` once its game is over, told or not; `on_paper`: it is played with real cards;
    `was_annulled`: a result of before could count after all."""

    number: int
    seats: tuple[SeatLine, ...]
    state: Message
    has_result: bool
    is_mine: bool
    slug: str | None
    watches: bool
    on_paper: bool = False
    was_annulled: bool = False


class Row(msgspec.Struct, frozen=True):
    """A line of the standings as it is read; a stage's points bear a mark where they were not played for. `span` has
    the best and the worst place that it can still come to be when the stage is closed, where that is known."""

    place: int
    name: str
    points: str
    stages: tuple[str, ...]
    adjusted: str
    why: tuple[Message, ...]
    is_me: bool
    shared: bool
    span: tuple[int, int] | None = None
    is_bot: bool = False
