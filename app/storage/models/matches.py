"""Matches, rounds and the append-only moves of every round.

What happened is a link of the table's chain: a match that begins, a move, one taken back, a round's scores, a match's
results.
"""

from typing import Any

from sqlalchemy import JSON, Boolean, Float, ForeignKey, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.storage.db import Base
from app.storage.models.columns import Id, Linked


class Match(Linked, Base):
    """Rounds to final places, with the rules that held; a rematch is the next match at the same table."""

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    number: Mapped[int] = mapped_column(Integer)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    names: Mapped[list[str]] = mapped_column(JSON)
    host_seat: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[float] = mapped_column(Float)


class Sitter(Base):
    """Whose name a match bears at a seat: who sat there when it began, whatever has become of the seat since."""

    __tablename__ = "sitters"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)


class Result(Linked, Base):
    """What a finished match came to for a seat. It is of whoever held the seat at the end: a player, or
    a bot of this level. Seats of one `side` (from 1) played together and share its place and points."""

    __tablename__ = "results"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    side: Mapped[int] = mapped_column(Integer)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    bot: Mapped[str | None] = mapped_column(String(12))
    name: Mapped[str] = mapped_column(String(40))
    place: Mapped[int] = mapped_column(Integer)
    points: Mapped[float] = mapped_column(Float)
    finished_at: Mapped[float] = mapped_column(Float)


class Round(Linked, Base):
    """One deal played to its score. `version` is the table's when it began; `scores`, one a seat, once it is over."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("match_id", "number"),)

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    number: Mapped[int] = mapped_column(Integer)
    dealer: Mapped[int | None] = mapped_column(Integer)
    version: Mapped[int] = mapped_column(Integer)
    scores: Mapped[list[float] | None] = mapped_column(JSON(none_as_null=True))


class Move(Linked, Base):
    """An accepted move, the dealer's (seat 0) included, never changed. `seen` is the table version on whose page it
    was made: one seat answers one page once. `version` is the table's after it. `reveals`: it showed somebody a hidden
    card; None where that was not asked when it was made."""

    __tablename__ = "moves"
    __table_args__ = (UniqueConstraint("round_id", "seat", "seen"),)

    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer)
    move: Mapped[dict[str, Any]] = mapped_column(JSON)
    seen: Mapped[int | None] = mapped_column(Integer)
    version: Mapped[int] = mapped_column(Integer)
    made_at: Mapped[float] = mapped_column(Float)
    reveals: Mapped[bool | None] = mapped_column(Boolean)


class Takeback(Linked, Base):
    """Moves `first` to `last` of a round were taken back, `last` being the newest then: they stay stored, and the round
    goes on as if they had not been made. `seat` asked for it; `agreed` if the others had to agree. `version` is the
    table's after it."""

    __tablename__ = "takebacks"

    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), primary_key=True)
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer)
    first: Mapped[int] = mapped_column(Integer)
    last: Mapped[int] = mapped_column(Integer)
    agreed: Mapped[bool]
    made_at: Mapped[float] = mapped_column(Float)


class Review(Base):
    """What a sharp player thinks of every choice of a finished match: asked for once by who sat there, thought out
    choice by choice in the background. `state` is "waiting", "done" or "failed"; `done` of `total` choices are in the
    `result`, which names seats and nobody. A process that is at it says so again and again at `worked_at`."""

    __tablename__ = "reviews"

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    state: Mapped[str] = mapped_column(String(12), index=True)
    asked_at: Mapped[float] = mapped_column(Float)
    worked_at: Mapped[float | None] = mapped_column(Float)
    done: Mapped[int] = mapped_column(Integer)
    total: Mapped[int] = mapped_column(Integer)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    made_at: Mapped[float | None] = mapped_column(Float)
