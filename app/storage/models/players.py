"""Guests and their browsers."""

from typing import Any

from sqlalchemy import JSON, Float, ForeignKey, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from app.storage.db import Base
from app.storage.models.columns import Id


class Player(Base):
    """A guest. `preferences` are the person's own: looks, the rules last used per game. `recovery_hash` is the
    hash of the recovery link last given out, which works until `recovery_until`; `opened` counts the tables and
    tournaments that the guest has opened."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    preferences: Mapped[dict[str, Any]] = mapped_column(JSON)
    recovery_hash: Mapped[str | None] = mapped_column(String(64), index=True, unique=True)
    recovery_until: Mapped[float | None] = mapped_column(Float)
    opened: Mapped[int] = mapped_column(Integer, server_default="0")
    created_at: Mapped[float] = mapped_column(Float)


class Device(Base):
    """A browser that is known as a player by the token in its cookie; only the token's hash is kept. One that came by a
    seat link is known at the table `table_id` only, as long as the seat is that player's."""

    __tablename__ = "devices"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    table_id: Mapped[int | None] = mapped_column(Id, index=True)
    created_at: Mapped[float] = mapped_column(Float)


class Request(Base):
    """A form that was done for a player, kept for a while, so that it is not done again (`services.idempotent`): the
    `key` by which it is known when it comes again, and what it was answered with."""

    __tablename__ = "requests"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    answer: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    made_at: Mapped[float] = mapped_column(Float, index=True)


class Allowance(Base):
    """How much of a `kind` was taken in an `hour` by `who`: a guest, or a household's hash (`services.quotas`)."""

    __tablename__ = "allowances"

    kind: Mapped[str] = mapped_column(String(12), primary_key=True)
    who: Mapped[str] = mapped_column(String(64), primary_key=True)
    hour: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    taken: Mapped[int] = mapped_column(Integer)


class Subscription(Base):
    """A browser that wants to hear when it is its player's turn: the address at its push service and the keys with
    which only that browser reads what is sent there."""

    __tablename__ = "subscriptions"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    endpoint: Mapped[str] = mapped_column(String(1000), unique=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    p256dh: Mapped[str] = mapped_column(String(100))
    auth: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[float] = mapped_column(Float)
