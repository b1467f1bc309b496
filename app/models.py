"""What is stored: players, tables, seats, and the append-only moves of every round. Columns, no behaviour.

The moves are the truth; no state is stored beside them. Times are seconds since the epoch.
"""

from typing import Any

from sqlalchemy import JSON, BigInteger, Float, ForeignKey, Integer, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app.db import Base

_Id = BigInteger().with_variant(Integer, "sqlite")


class Player(Base):
    """A guest. `preferences` are the person's own: deck colours, the rules last used per game. `recovery_hash` is the
    hash of the recovery link last given out; `opened` counts the tables and tournaments that the guest has opened."""

    __tablename__ = "players"

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    preferences: Mapped[dict[str, Any]] = mapped_column(JSON)
    recovery_hash: Mapped[str | None] = mapped_column(String(64), index=True, unique=True)
    opened: Mapped[int] = mapped_column(Integer, server_default="0")
    created_at: Mapped[float] = mapped_column(Float)


class Device(Base):
    """A browser that is known as a player by the token in its cookie; only the token's hash is kept."""

    __tablename__ = "devices"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    created_at: Mapped[float] = mapped_column(Float)


class Request(Base):
    """A form that was done for a player, kept for a while, so that it is not done again (`services.once`): the `key` by
    which it is known when it comes again, and what it was answered with."""

    __tablename__ = "requests"

    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    answer: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    made_at: Mapped[float] = mapped_column(Float, index=True)


class Table(Base):
    """A place to play. `slug` is the secret of the invite link, `code` is read aloud; `version` counts every change
    that a page could show; at `due_at` the clockwork looks after the table. `watchers` is what onlookers may see
    (`services.watching`). `talk` is off, phrases or free, for onlookers too if `watchers_talk`; `webhook` is an address
    that is told whose turn it is. `clock`, `at_zero` and `hours` are the turn clock (`services.clocks`); `paused_at`,
    `paused_by` and `pauser_id` say since when and by whom the game is paused. `undo` is how moves are taken back,
    `proposal` the last proposal to do so (`services.undo`)."""

    __tablename__ = "tables"

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    slug: Mapped[str] = mapped_column(String(32), unique=True)
    code: Mapped[str] = mapped_column(String(16), unique=True)
    game: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    host_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    stage: Mapped[str] = mapped_column(String(12))
    watchers: Mapped[str] = mapped_column(String(12), server_default="open")
    bot_pace: Mapped[str] = mapped_column(String(12))
    talk: Mapped[str] = mapped_column(String(12), server_default="free")
    watchers_talk: Mapped[bool] = mapped_column(server_default=false())
    webhook: Mapped[str | None] = mapped_column(String(500))
    clock: Mapped[str] = mapped_column(String(12), server_default="off")
    at_zero: Mapped[str] = mapped_column(String(12), server_default="bot")
    hours: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    paused_at: Mapped[float | None] = mapped_column(Float)
    paused_by: Mapped[str | None] = mapped_column(String(40))
    pauser_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"))
    undo: Mapped[str] = mapped_column(String(12), server_default="off")
    proposal: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    version: Mapped[int] = mapped_column(Integer)
    due_at: Mapped[float | None] = mapped_column(Float, index=True)
    created_at: Mapped[float] = mapped_column(Float)


class Seat(Base):
    """A chair: empty, a player's, or a bot's. `link_hash` is the hash of the personal seat link last given out;
    `orders` are the player's standing orders for the round, in the game's own terms.

    At `due_at` the room acts for a seat that is to act: a bot has thought long enough, a player's clock has run out.
    `asked` counts the player's requests for more time in this round; `stand_in` is the level of the bot that plays
    while the player is away. `here`, since `came_at`, and `seen_at` come from the polls, coarsely. `closed_to` is the
    last round whose cards are closed to the player, who took the seat over on a host's word alone."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("table_id", "number"), UniqueConstraint("table_id", "player_id"))

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
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
    closed_to: Mapped[int | None] = mapped_column(_Id)
    orders: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class Claim(Base):
    """A link by which a seat of a game that is played changes hands, once: its player gives the seat away, or a host
    gives it to the same person on another device (`services.handover`). Only the token's hash is kept; there is none
    while a host, of seat `asked_by`, only asks for the link."""

    __tablename__ = "claims"

    seat_id: Mapped[int] = mapped_column(ForeignKey("seats.id"), primary_key=True, autoincrement=False)
    token_hash: Mapped[str | None] = mapped_column(String(64), unique=True)
    kind: Mapped[str] = mapped_column(String(12))
    asked_by: Mapped[int | None] = mapped_column(Integer)
    until: Mapped[float] = mapped_column(Float)


class Farewell(Base):
    """Somebody who had a seat at a table until it changed hands: their device is told how."""

    __tablename__ = "farewells"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(12))


class Latecomer(Base):
    """A guest who came when the game had begun and waits for a seat; first come, first seated."""

    __tablename__ = "latecomers"
    __table_args__ = (UniqueConstraint("table_id", "player_id"),)

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"))
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    asked_at: Mapped[float] = mapped_column(Float)


class Match(Base):
    """Rounds to final places, with the rules that held; a rematch is the next match at the same table."""

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("table_id", "number"),)

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
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


class Result(Base):
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


class Round(Base):
    """One deal played to its score. `version` is the table's when it began; `scores`, one a seat, once it is over."""

    __tablename__ = "rounds"
    __table_args__ = (UniqueConstraint("match_id", "number"),)

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("matches.id"))
    number: Mapped[int] = mapped_column(Integer)
    dealer: Mapped[int | None] = mapped_column(Integer)
    version: Mapped[int] = mapped_column(Integer)
    scores: Mapped[list[float] | None] = mapped_column(JSON(none_as_null=True))


class Move(Base):
    """An accepted move, the dealer's (seat 0) included, never changed. `seen` is the table version on whose page it
    was made: one seat answers one page once. `version` is the table's after it."""

    __tablename__ = "moves"
    __table_args__ = (UniqueConstraint("round_id", "seat", "seen"),)

    round_id: Mapped[int] = mapped_column(ForeignKey("rounds.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    seat: Mapped[int] = mapped_column(Integer)
    move: Mapped[dict[str, Any]] = mapped_column(JSON)
    seen: Mapped[int | None] = mapped_column(Integer)
    version: Mapped[int] = mapped_column(Integer)
    made_at: Mapped[float] = mapped_column(Float)


class Takeback(Base):
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


class Message(Base):
    """What somebody said at a table, or did to it (`services.news`), never changed until the person is forgotten.
    `round_id` and `moves` say after which move it was; `seat` is None for an onlooker; `name` is the person's at that
    moment, `other` that of somebody else whom it concerned: `other_id`, or a bot."""

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


class Subscription(Base):
    """A browser that wants to hear when it is its player's turn: the address at its push service and the keys with
    which only that browser reads what is sent there."""

    __tablename__ = "subscriptions"

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
    endpoint: Mapped[str] = mapped_column(String(1000), unique=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    p256dh: Mapped[str] = mapped_column(String(100))
    auth: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[float] = mapped_column(Float)


class Pulse(Base):
    """When the room was last known to run: one row, by which clocks are given back what an outage took."""

    __tablename__ = "pulse"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Float)


class Tournament(Base):
    """A tournament: what was stated before anybody signed up, and by whom. What happened is in its log. `code` is for
    reading aloud; `seed` decides the seatings; `conditions` say how its tables are set and when its stages start; at
    `due_at` the clockwork looks after it."""

    __tablename__ = "tournaments"

    id: Mapped[int] = mapped_column(_Id, primary_key=True)
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


class TournamentLine(Base):
    """One line of a tournament's log, never changed but for the name of who is forgotten. `player_id` is whoever did
    it, None for the room."""

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
    table gets the same deal."""

    __tablename__ = "tournament_tables"
    __table_args__ = (UniqueConstraint("tournament_id", "stage", "number"),)

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True, autoincrement=False)
    tournament_id: Mapped[int] = mapped_column(ForeignKey("tournaments.id"))
    stage: Mapped[int] = mapped_column(Integer)
    number: Mapped[int] = mapped_column(Integer)
    deal: Mapped[str] = mapped_column(String(64))
