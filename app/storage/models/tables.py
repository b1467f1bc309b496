"""Tables, seats, and what is said and done around them."""

from typing import Any, Final

from sqlalchemy import JSON, Float, ForeignKey, Index, Integer, String, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.storage.db import Base
from app.storage.models.columns import Id, Sealed

_HAS_DOOR: Final = "door IS NOT NULL"


class Table(Base):
    """A place to play. `slug` is the secret of the invite link, `code` is read aloud; `version` counts every change
    that a page could show, `changes` every change of the row and the seats, by which those who have read them know
    whether they still are so; at `due_at` (room time) the scheduler looks after the table. `options` are those of the
    game, `settings` how the table is kept (`services.table.settings`). `webhook` is an address that is told whose turn
    it is; `paused_at`, `paused_by` and `pauser_id` say since when and by whom the game is paused. `proposal` is the
    last proposal to take moves back (`services.play.takeback`). `links` counts the links of its chain, whose newest
    hash is `head` (`services.table.chain`). From `quarantined_at` on nothing is written to it any more, because of
    `quarantined_why` (`services.quarantine`). `commitment` is the one to what the next round is dealt from
    (`services.fairness`), `setup` what a host has changed since the last match began, or none did
    (`services.seats.agreement`). It may be opened in the name of a circle. Once its link was renewed, `door` is the
    code that the newest one has and that is read aloud (`services.players.bars`)."""

    __tablename__ = "tables"
    __table_args__ = (
        Index("ix_tables_door", "door", unique=True, sqlite_where=text(_HAS_DOOR), postgresql_where=text(_HAS_DOOR)),
    )

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    slug: Mapped[str] = mapped_column(String(32), unique=True)
    code: Mapped[str] = mapped_column(String(16), unique=True)
    game: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON, server_default="{}")
    host_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    status: Mapped[str] = mapped_column(String(12))
    webhook: Mapped[str | None] = mapped_column(String(500))
    paused_at: Mapped[float | None] = mapped_column(Float)
    paused_by: Mapped[str | None] = mapped_column(String(40))
    pauser_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    proposal: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    commitment: Mapped[str | None] = mapped_column(String(64))
    setup: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    version: Mapped[int] = mapped_column(Integer)
    changes: Mapped[int] = mapped_column(Integer, server_default="0")
    due_at: Mapped[float | None] = mapped_column(Float, index=True)
    created_at: Mapped[float] = mapped_column(Float)
    links: Mapped[int] = mapped_column(Integer, server_default="0")
    head: Mapped[str] = mapped_column(String(64), server_default="")
    quarantined_at: Mapped[float | None] = mapped_column(Float)
    quarantined_why: Mapped[str | None] = mapped_column(String(200))
    circle_id: Mapped[int | None] = mapped_column(ForeignKey("circles.id"), index=True)
    door: Mapped[str | None] = mapped_column(String(16))


class Seat(Base):
    """A chair: empty, a player's, or a bot's. `link_hash` is the hash of the personal seat link last given out;
    `orders` are the player's standing orders for the round, in the game's own terms; `hand_order` is how the player's
    hand lies (`services.play.hand_order`), `hints` what the player was advised in this round (`services.play.hints`).

    At `due_at` the room acts for a seat that is to act: a bot has thought long enough, a player's clock has run out.
    `asked` counts the player's requests for more time in this round; `stand_in` is why a bot plays on for the player:
    away, missing or left (older rooms: the bot's level). `here`, since `came_at`, and `seen_at` come from the polls,
    coarsely. `closed_to` is the last round whose cards are closed to the player, who took the seat over on a host's
    word alone. `cut` is what the player cut the next deck with, and when."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("table_id", "number"), UniqueConstraint("table_id", "player_id"))

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    number: Mapped[int] = mapped_column(Integer)
    player_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    bot: Mapped[str | None] = mapped_column(String(12))
    name: Mapped[str] = mapped_column(String(40))
    ready: Mapped[bool]
    link_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    due_at: Mapped[float | None] = mapped_column(Float)
    asked: Mapped[int] = mapped_column(Integer, server_default="0")
    stand_in: Mapped[str | None] = mapped_column(String(12))
    cohost: Mapped[bool] = mapped_column(server_default=false())
    here: Mapped[bool] = mapped_column(server_default=false(), index=True)
    seen_at: Mapped[float | None] = mapped_column(Float)
    came_at: Mapped[float | None] = mapped_column(Float)
    seated_at: Mapped[float | None] = mapped_column(Float)
    closed_to: Mapped[int | None] = mapped_column(Id)
    orders: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    hand_order: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    hints: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    cut: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))


class SeatTransfer(Base):
    """A link by which a seat of a game that is played changes hands, once: its player gives the seat away, or a host
    gives it to the same person on another device (`services.seats.seat_transfer`). Only the token's hash is kept; there
    is none while a host, of seat `asked_by`, only asks for the link."""

    __tablename__ = "seat_transfers"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True, autoincrement=False)
    token_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    kind: Mapped[str] = mapped_column(String(12))
    asked_by: Mapped[int | None] = mapped_column(Integer)
    until: Mapped[float] = mapped_column(Float)


class SeatLoss(Base):
    """Somebody who had a seat at a table until it changed hands: their device is told how."""

    __tablename__ = "seat_losses"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(12))


class WaitingGuest(Base):
    """A guest who came when the game had begun and waits for a seat; first come, first seated."""

    __tablename__ = "waiting_guests"
    __table_args__ = (UniqueConstraint("table_id", "player_id"),)

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    asked_at: Mapped[float] = mapped_column(Float)


class Message(Sealed, Base):
    """What somebody said at a table, or did to it (`services.table.activity`), never changed until the person is
    forgotten. `round_id` and `moves` say after which move it was; `seat` is None for an onlooker; `name` is the
    person's at that moment, `other` that of somebody else whom it concerned: `other_id`, or a bot. What stands in it is
    chained as its `seal`, made with `salt`, which goes when anything of the line does: when somebody is forgotten, and
    when the table remembers it no longer (`kind` is "gone" then)."""

    __tablename__ = "messages"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    seat: Mapped[int | None] = mapped_column(Integer)
    name: Mapped[str] = mapped_column(String(40))
    kind: Mapped[str] = mapped_column(String(12))
    text: Mapped[str] = mapped_column(String(200))
    other: Mapped[str | None] = mapped_column(String(40))
    other_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    round_id: Mapped[int | None] = mapped_column(ForeignKey("rounds.id"))
    moves: Mapped[int] = mapped_column(Integer)
    made_at: Mapped[float] = mapped_column(Float)


class Mute(Base):
    """Somebody who does not want to read what is said at a table."""

    __tablename__ = "mutes"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)


class Heartbeat(Base):
    """When the room was last known to run, in room time and (None: the same) by the wall clock: one row, from which the
    room goes on after an outage (`services.room_time`)."""

    __tablename__ = "heartbeat"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Float)
    wall: Mapped[float | None] = mapped_column(Float)
