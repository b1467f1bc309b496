"""People, tables and games in a line each, made by the services themselves."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import pytest
from msgspec.structs import asdict
from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.house import change_house
from app.services.play import play
from app.services.players import players
from app.services.players.bars import tell_all
from app.services.queries.table_page import TablePage, load_table_page
from app.services.seats import create
from app.services.seats import seats as seats_service
from app.services.table import open_table
from app.services.table.clocks import ClockRules
from app.services.table.rounds import load_current
from app.services.table.settings import TableSetup, setup_of
from app.storage import models
from app.storage.db import Base, Database
from app.storage.rows import all_of, one_of
from app.storage.writer import Transaction
from snug.bots import levels as bots
from snug.engine.game import plain
from snug.engine.match import Match
from snug.games import GAMES

NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")
GAME = "lucky_paw"
SHORT: Mapping[str, Mapping[str, Any]] = {"follow_the_leader": {"one_below": True}, "lucky_paw": {"auto_pass": True}}
"""Rules with which a round is over soon, by game."""
INSTANT: Final = TableSetup(bot_pace="instant")
Rows = dict[str, list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Guest:
    """A person whom the room knows by the token in a cookie."""

    id: int
    name: str
    token: str


@dataclass(frozen=True)
class Turn:
    """What the table waits for: a seat, its player, every legal move as a form sends it, the page's version; and how
    the game stands."""

    seat: int
    player: int
    moves: tuple[dict[str, Any], ...]
    version: int
    match: Match


@dataclass(frozen=True)
class Party:
    """A table and who came: `guests[0]` opened it and sits on seat 1."""

    context: AppContext
    slug: str
    guests: tuple[Guest, ...]

    def write(self, service: Callable[..., Any], guest: Guest | int, *args: Any) -> Any:
        """Runs a service at this table for a guest, or for the guest of seat n."""
        who = self.guests[guest - 1] if isinstance(guest, int) else guest
        return self.context.write(service, self.slug, who.id, *args)

    def look(self, guest: Guest | None = None) -> TablePage:
        """The table as this person sees it."""
        with self.context.database.reading() as connection:
            return load_table_page(self.context, connection, self.slug, guest.id if guest else None)

    @property
    def version(self) -> int:
        """The table's version."""
        return self.row.version

    @property
    def row(self) -> models.Table:
        """The table as it is stored."""
        with self.context.database.reading() as connection:
            return one_of(connection, select(models.Table).where(models.Table.slug == self.slug))

    @property
    def setup(self) -> TableSetup:
        """How the table is kept."""
        return setup_of(self.row)

    def due_at(self) -> float | None:
        """When the scheduler is to look after the table."""
        return self.row.due_at

    @property
    def players(self) -> dict[int, int | None]:
        """Who sits where."""
        with self.context.database.reading() as connection:
            rows = connection.execute(select(models.Seat).where(models.Seat.table_id == self.row.id))
            return {row.number: row.player_id for row in rows}

    def moves(self) -> Sequence[models.Move]:
        """Every stored move of the table, oldest first, the dealer's included."""
        with self.context.database.reading() as connection:
            return all_of(
                connection,
                select(models.Move)
                .join(models.Round, models.Round.id == models.Move.round_id)
                .join(models.Match, models.Match.id == models.Round.match_id)
                .join(models.Table, models.Table.id == models.Match.table_id)
                .where(models.Table.slug == self.slug)
                .order_by(models.Match.number, models.Round.number, models.Move.number),
            )

    def turn(self) -> Turn | None:
        """Whose turn it is: the first person to act; None when only bots, or nobody, are to act."""
        with self.context.database.reading() as connection:
            table = connection.execute(select(models.Table).where(models.Table.slug == self.slug)).one()
            live = load_current(self.context.rounds, connection, table.id, table.game, table.version)
            if live is None or table.status != open_table.PLAYING:
                return None
            person = connection.execute(
                select(models.Seat.number, models.Seat.player_id)
                .where(
                    models.Seat.table_id == table.id,
                    models.Seat.number.in_(live.match.to_act),
                    models.Seat.player_id.is_not(None),
                )
                .order_by(models.Seat.number)
            ).first()
        if person is None:
            return None
        legal = live.match.game.legal(live.match.round, person.number)
        return Turn(person.number, person.player_id, tuple(plain(move) for move in legal), table.version, live.match)

    def move(self, choice: random.Random | int = 0) -> Turn:
        """Whoever is to act plays a legal move: the nth, or a random one."""
        turn = self.turn()
        assert turn, "only people can be made to move"
        index = choice % len(turn.moves) if isinstance(choice, int) else choice.randrange(len(turn.moves))
        assert self.context.write(play.play, self.slug, turn.player, turn.moves[index], turn.version)
        return turn

    def play_well(self, turn: Turn, dice: random.Random) -> None:
        """Whoever is to act plays as a good bot would."""
        game = turn.match.game
        move = bots.choose(game.key, "steady", game.view(turn.match.round, turn.seat), dice)
        assert self.context.write(play.play, self.slug, turn.player, json.loads(json.dumps(plain(move))), turn.version)

    def play_round(self, dice: random.Random) -> None:
        """People play well until the round is over, which takes a tenth of the moves that it takes at random."""
        while turn := self.turn():
            self.play_well(turn, dice)

    def pass_round(self) -> None:
        """Everybody passes until the round is over: the quickest way there."""
        while turn := self.turn():
            assert self.context.write(play.play, self.slug, turn.player, {"move": "pass"}, turn.version)

    def everybody_is_ready(self) -> None:
        """The scores have been seen: the next round is dealt."""
        for seat in range(1, len(self.guests) + 1):
            self.write(play.set_ready, seat)


def welcome(context: AppContext, name: str) -> Guest:
    """A new guest."""
    player_id, token = context.write(players.welcome, name)
    return Guest(player_id, name, token)


def setup_with(pace: str = "instant", clock: ClockRules | str = "off", **more: Any) -> TableSetup:
    """How a table is kept where nothing else is said."""
    rules = clock if isinstance(clock, ClockRules) else ClockRules(clock)
    return TableSetup(**{"bot_pace": pace, **asdict(rules), **more})


def gather(
    context: AppContext,
    people: int,
    *,
    names: Sequence[str] = (),
    seats: int = 0,
    pace: str = "instant",
    watch: str = "open",
    clock: str = "off",
    undo: str = "off",
    **options: Any,
) -> Party:
    """A table with so many people on its first seats, not yet begun."""
    guests = tuple(welcome(context, name) for name in (names or NAMES)[:people])
    host = guests[0].id
    setup = setup_with(pace, clock, watchers=watch, undo=undo)
    slug = context.write(create.create_table, host, GAME, seats or people, options, setup)
    for seat, guest in enumerate(guests[1:], 2):
        context.write(seats_service.take_seat, slug, guest.id, seat, guest.name)
    return Party(context, slug, guests)


def begin(
    context: AppContext,
    people: int,
    *,
    bots: int = 0,
    level: str = "gentle",
    pace: str = "instant",
    watch: str = "open",
    **options: Any,
) -> Party:
    """A table in play, with so many people and then so many bots."""
    party = gather(context, people, seats=people + bots, pace=pace, watch=watch, **options)
    for seat in range(people + 1, people + bots + 1):
        party.write(seats_service.seat_bot, 1, seat, level)
    party.write(seats_service.start, 1)
    return party


def against_bots(context: AppContext, game: str, seats: int, rules: Mapping[str, Any], pace: str = "instant") -> Party:
    """A table of any game in play: one person, and good bots on all other seats. `rules` are options of the game, or
    the table's clock and undo."""
    guest = welcome(context, NAMES[0])
    kept = {name: rules[name] for name in ("clock", "undo") if name in rules}
    options = {name: rule for name, rule in rules.items() if name not in kept}
    slug = context.write(create.create_table, guest.id, game, seats, options, setup_with(pace, **kept))
    party = Party(context, slug, (guest,))
    party.write(seats_service.fill_seats, 1, "steady")
    party.write(seats_service.start, 1)
    return party


def full_table(context: AppContext, game: str, **rules: Any) -> Party:
    """A table of any game in play, with as many people as it seats."""
    guests = tuple(welcome(context, f"Friend {seat}") for seat in range(1, GAMES[game].seats[1] + 1))
    slug = context.write(create.create_table, guests[0].id, game, len(guests), {}, setup_with(**rules))
    party = Party(context, slug, guests)
    for seat, guest in enumerate(guests[1:], 2):
        party.write(seats_service.take_seat, seat, seat, guest.name)
    party.write(seats_service.start, 1)
    return party


def dump(database: Database) -> Rows:
    """Every row of the database, in a fixed order, but the room's pulse, which beats by itself, and its epochs, of
    which every restore begins another."""
    with database.reading() as connection:
        kept = {name: table for name, table in Base.metadata.tables.items() if name not in ("heartbeat", "epochs")}
        return {name: _rows(connection, table) for name, table in kept.items()}


def _rows(connection: Connection, table: Any) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in connection.execute(select(table))), key=repr)


@contextmanager
def nothing_changes(database: Database) -> Iterator[None]:
    """Every row is afterwards as it was before."""
    before = dump(database)
    yield
    assert dump(database) == before


def keepers_link(context: AppContext) -> str:
    """The token of a keeper's link, always the same, which works for an hour."""
    token = "the-token-of-the-keeper"

    def give(context: AppContext, transaction: Transaction) -> None:
        kept = players.hash_of(context, token)
        change_house(transaction, news="", link_hash=kept, link_until=context.now() + 3600)
        tell_all(context, transaction)

    context.write(give)
    return token


@contextmanager
def refused(
    context: AppContext, error: type[ServiceError], code: str | None = None
) -> Iterator[pytest.ExceptionInfo[ServiceError]]:
    """What is done here is refused like this, with a sentence that people can read, and changes nothing."""
    with nothing_changes(context.database), pytest.raises(error) as caught:
        yield caught
    assert type(caught.value) is error
    assert caught.value.sentence[0].isupper()
    if code:
        assert getattr(caught.value, "code", None) == code
