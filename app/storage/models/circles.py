"""Circles of people who meet again."""

from typing import Any

from sqlalchemy import JSON, Float, ForeignKey, ForeignKeyConstraint, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from app.storage.db import Base
from app.storage.models.columns import Id


class Circle(Base):
    """A circle. `slug` is its address, which opens nothing by itself; its link has a token made of `links`, which
    counts how often the link was renewed. `rules` are the house rules by game, as a player's own are kept. The next
    evening, the `evening`th that was planned, `starts` at a wall time of the `zone` (None: none is planned) at a
    `place`; `changed_at` is when that was last said. At `due_at` (wall clock) those who come are to be reminded,
    `remind` hours before."""

    __tablename__ = "circles"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    slug: Mapped[str] = mapped_column(String(32), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    version: Mapped[int] = mapped_column(Integer)
    links: Mapped[int] = mapped_column(Integer)
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    evening: Mapped[int] = mapped_column(Integer)
    starts: Mapped[str | None] = mapped_column(String(16))
    zone: Mapped[str] = mapped_column(String(64))
    place: Mapped[str] = mapped_column(String(200))
    remind: Mapped[int | None] = mapped_column(Integer)
    due_at: Mapped[float | None] = mapped_column(Float, index=True)
    changed_at: Mapped[float] = mapped_column(Float)
    created_at: Mapped[float] = mapped_column(Float)


class CircleMember(Base):
    """Somebody who belongs to a circle, or has until `left_at`; no player once he is forgotten. `role` is host or
    member, `coming` what was answered to the `asked`th evening: yes, no or perhaps."""

    __tablename__ = "circle_members"

    circle_id: Mapped[int] = mapped_column(ForeignKey("circles.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    role: Mapped[str] = mapped_column(String(12))
    coming: Mapped[str | None] = mapped_column(String(12))
    asked: Mapped[int] = mapped_column(Integer)
    joined_at: Mapped[float] = mapped_column(Float)
    left_at: Mapped[float | None] = mapped_column(Float)


class CircleSeason(Base):
    """Some time of a circle that is counted by itself: from one day to another, both included."""

    __tablename__ = "circle_seasons"

    circle_id: Mapped[int] = mapped_column(ForeignKey("circles.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    begins: Mapped[str] = mapped_column(String(10))
    ends: Mapped[str] = mapped_column(String(10))


class CircleScore(Base):
    """A seat's result of a match that counts for a member of a circle: who held the seat at the end, and was one
    then. It stays the member's when the player is forgotten."""

    __tablename__ = "circle_scores"
    __table_args__ = (
        ForeignKeyConstraint(["circle_id", "member"], ["circle_members.circle_id", "circle_members.number"]),
    )

    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer, primary_key=True)
    circle_id: Mapped[int] = mapped_column(ForeignKey("circles.id"), index=True)
    member: Mapped[int] = mapped_column(Integer)
