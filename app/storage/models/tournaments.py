"""Tournaments and their logs."""

from typing import Any

from sqlalchemy import JSON, Float, ForeignKey, Integer, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app.storage.db import Base
from app.storage.models.columns import Id, Sealed


class Tournament(Base):
    """A tournament: what was stated before anybody signed up, and by whom. What happened is in its log. `code` is for
    reading aloud; `seed` decides the seatings; `conditions` say how its tables are set and when its stages start; at
    `due_at` the scheduler looks after it. `links` and `head` are its chain's. It may be opened in the name of a circle,
    and its tables with it."""

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    slug: Mapped[str] = mapped_column(String(32), unique=True)
    code: Mapped[str | None] = mapped_column(String(8), index=True, unique=True)
    name: Mapped[str] = mapped_column(String(60))
    organiser_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    conditions: Mapped[dict[str, Any]] = mapped_column(JSON)
    seed: Mapped[str] = mapped_column(String(64))
    version: Mapped[int] = mapped_column(Integer)
    due_at: Mapped[float | None] = mapped_column(Float, index=True)
    created_at: Mapped[float] = mapped_column(Float)
    links: Mapped[int] = mapped_column(Integer, server_default="0")
    head: Mapped[str] = mapped_column(String(64), server_default="")
    circle_id: Mapped[int | None] = mapped_column(ForeignKey("circles.id"), index=True)


class TournamentLine(Sealed, Base):
    """One line of a tournament's log, never changed but for the words of who is forgotten. `player_id` is whoever did
    it, None for the room. A chain as at tables: words are chained as their `seal`."""

    __tablename__ = "tournament_lines"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    event: Mapped[dict[str, Any]] = mapped_column(JSON)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    made_at: Mapped[float] = mapped_column(Float)


class TournamentEntry(Base):
    """Who stands behind an entry of a tournament: a player, who `helps` to organise, or a bot of this level."""

    __tablename__ = "tournament_entries"

    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    bot: Mapped[str | None] = mapped_column(String(12))
    helps: Mapped[bool] = mapped_column(server_default=false())


class TournamentTable(Base):
    """Which table of which stage a table is. `deal` is the secret that its first match is dealt from, where every
    table gets the same deal. One that was `annulled` is not 0 there: its rank among those that were in this place,
    below 0 if it had not been finished."""

    __tablename__ = "tournament_tables"
    __table_args__ = (UniqueConstraint("tournament_id", "stage", "number", "annulled"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True, autoincrement=False)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    stage: Mapped[int] = mapped_column(Integer)
    number: Mapped[int] = mapped_column(Integer)
    deal: Mapped[str] = mapped_column(String(64))
    annulled: Mapped[int] = mapped_column(Integer, server_default="0")
