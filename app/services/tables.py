"""Tables before and between games: opening one, taking seats, the host's arrangements, the start."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import insert, select, update

from app import bots, models
from app.db import AnyRow
from app.rules import GAMES
from app.rules.game import BadSetup, read_options
from app.rules.wording import as_sentence
from app.services import watching
from app.services.clocks import PACES, ClockRules
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.hosts import heir_of, refuse_unless_hosting
from app.services.house import House
from app.services.latecomers import add_seats, seat_latecomers
from app.services.names import clean_name, marked_name
from app.services.play import FINISHED, GATHERING, begin_match, is_back, lock_table
from app.services.players import count_opened, prefer
from app.services.talk import check_mode
from app.services.undo import OFF, check_rule
from app.writer import Transaction

_NOBODY: dict[str, Any] = {
    "player_id": None,
    "bot": None,
    "name": "",
    "ready": False,
    "link_hash": None,
    "stand_in": None,
    "cohost": False,
    "here": False,
    "seen_at": None,
    "came_at": None,
    "seated_at": None,
}
_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # no look-alikes when read aloud
_CODE_LENGTH = 8
_NO_CLOCK = ClockRules()
_BOT_NAMES = ("Nora", "Fintan", "Maeve", "Cormac", "Bridie", "Oisín", "Dervla", "Malachy")


def open_table(
    house: House,
    transaction: Transaction,
    player_id: int,
    game_key: str,
    seats: int,
    options: Mapping[str, Any],
    bot_pace: str = "relaxed",
    watchers: str = watching.OPEN,
    talk: str = "free",
    watchers_talk: bool = False,
    clock: ClockRules = _NO_CLOCK,
    undo: str = OFF,
) -> str:
    """Opens a table with the player as host on seat 1, remembers its rules for the next one, and gives its slug.
    `options` may be form texts. Raises NotFound for an unknown game and Refused for rules that cannot be."""
    game = GAMES.get(game_key)
    if game is None:
        raise NotFound("There is no such game in this room.")
    try:
        checked = read_options(game, seats, options, strict=False)
    except BadSetup as error:
        raise Refused(as_sentence(error.sentence), error.code) from error
    if bot_pace not in PACES:
        raise Refused("Bots play at one of these paces: " + ", ".join(PACES) + ".", "BAD_PACE")
    check_mode(talk)
    check_rule(undo)
    watching.check_policy(watchers)
    connection = transaction.connection
    slug = secrets.token_urlsafe(16)
    stored = {name: value for name, value in msgspec.to_builtins(checked).items() if value is not None}
    table_id = connection.execute(
        insert(models.Table)
        .values(
            slug=slug,
            code=new_code(),
            game=game_key,
            options=stored,
            host_id=player_id,
            stage=GATHERING,
            watchers=watchers,
            bot_pace=bot_pace,
            talk=talk,
            watchers_talk=watchers_talk,
            **clock.columns,
            undo=undo,
            version=1,
            due_at=None,
            created_at=house.now(),
        )
        .returning(models.Table.id)
    ).scalar_one()
    empty = {"table_id": table_id, "player_id": None, "bot": None, "name": "", "ready": False, "link_hash": None}
    connection.execute(insert(models.Seat), [{**empty, "number": number} for number in range(1, seats + 1)])
    name = connection.execute(select(models.Player.name).where(models.Player.id == player_id)).scalar_one()
    _sit(house, transaction, table_id, 1, player_id, name)
    remembered = {"seats": seats, "options": stored, "bot_pace": bot_pace, "watchers": watchers, **clock.columns}
    remembered |= {"talk": talk, "watchers_talk": watchers_talk, "undo": undo}
    prefer(house, transaction, player_id, {f"rules:{game_key}": remembered})
    count_opened(transaction, player_id)
    return slug


def new_code() -> str:
    """A code to read aloud."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def _sit(house: House, transaction: Transaction, table_id: int, number: int, player_id: int, name: str) -> None:
    now = house.now()
    transaction.connection.execute(
        update(models.Seat)
        .where(models.Seat.table_id == table_id, models.Seat.number == number)
        .values(
            **_NOBODY
            | {"player_id": player_id, "name": name, "here": True, "seen_at": now, "came_at": now, "seated_at": now}
        )
    )


def _seats(transaction: Transaction, table: AnyRow) -> list[AnyRow]:
    return list(
        transaction.connection.execute(
            select(models.Seat).where(models.Seat.table_id == table.id).order_by(models.Seat.number)
        )
    )


def _gathering(transaction: Transaction, slug: str) -> AnyRow:
    table = lock_table(transaction, slug)
    if table.stage != GATHERING:
        raise Conflict("The game has begun: seats stay as they are until it is over.")
    return table


def _hosted(transaction: Transaction, slug: str, player_id: int) -> AnyRow:
    table = _gathering(transaction, slug)
    refuse_unless_hosting(transaction, table, player_id)
    return table


def _changed(house: House, transaction: Transaction, table: AnyRow, **changes: object) -> None:
    house.touch(transaction, table.id, table.slug, table.version + 1, **changes)


def take_seat(house: House, transaction: Transaction, slug: str, player_id: int, number: int, name: str) -> None:
    """The player sits down, or moves to another empty seat. Raises Conflict when it has just been taken. Where the
    host has left and nobody was there to follow him, whoever sits down next is the host."""
    table = _gathering(transaction, slug)
    seats = _seats(transaction, table)
    wanted = next((seat for seat in seats if seat.number == number), None)
    if wanted is None:
        raise NotFound("There is no such seat.")
    if wanted.player_id == player_id:
        return
    if wanted.player_id or wanted.bot:
        raise Conflict("Somebody has just taken that seat. Please choose another.")
    mine = next((seat for seat in seats if seat.player_id == player_id), None)
    if mine:
        _swap(transaction, mine, wanted)
    else:
        taken = [seat.name for seat in seats if seat.name]
        _sit(house, transaction, table.id, number, player_id, marked_name(clean_name(name), taken))
    host_sits = any(seat.player_id == table.host_id for seat in seats)
    _changed(house, transaction, table, host_id=table.host_id if host_sits else player_id)


def _swap(transaction: Transaction, one: AnyRow, other: AnyRow) -> None:
    """Two seats exchange who sits there; emptied first, because nobody may sit twice even for a moment."""
    for seat, occupant in ((one, None), (other, None), (one, other), (other, one)):
        values = (
            {key: getattr(occupant, key) for key in _NOBODY} if occupant else {"player_id": None, "link_hash": None}
        )
        transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(**values))


def empty_seat(transaction: Transaction, seat: AnyRow) -> None:
    """Nobody sits there any more; the seat link dies with it."""
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(**_NOBODY))


def leave_seat(house: House, transaction: Transaction, slug: str, player_id: int) -> None:
    """The player stands up before the start. A host who leaves hands the role to the first co-host, else to
    whoever has been seated longest, if anybody."""
    table = _gathering(transaction, slug)
    seats = _seats(transaction, table)
    mine = next((seat for seat in seats if seat.player_id == player_id), None)
    if mine is None:
        return
    empty_seat(transaction, mine)
    heir = heir_of(seats, player_id) if table.host_id == player_id else None
    _changed(house, transaction, table, host_id=heir.player_id if heir else table.host_id)


def seat_bot(house: House, transaction: Transaction, slug: str, player_id: int, number: int, level: str) -> None:
    """The host puts a bot on an empty seat."""
    table = _hosted(transaction, slug, player_id)
    wanted = next((seat for seat in _seats(transaction, table) if seat.number == number), None)
    if wanted is None:
        raise NotFound("There is no such seat.")
    if wanted.player_id or wanted.bot:
        raise Conflict("That seat is taken.")
    _seat_bot(transaction, table, wanted, level)
    _changed(house, transaction, table)


def _seat_bot(transaction: Transaction, table: AnyRow, seat: AnyRow, level: str) -> None:
    name = bot_name(transaction, table, level)
    transaction.connection.execute(
        update(models.Seat).where(models.Seat.id == seat.id).values(bot=level, name=name, ready=True)
    )


def bot_name(transaction: Transaction, table: AnyRow, level: str) -> str:
    """A name that nobody at the table has, for a bot of this level. Raises Refused where there is no such level."""
    if level not in bots.LEVELS:
        raise Refused("Bots play at one of these levels: " + ", ".join(bots.LEVELS) + ".", "BAD_LEVEL")
    taken = [other.name for other in _seats(transaction, table) if other.name]
    names = (name for name in _BOT_NAMES if marked_name(name, taken) == name)
    return next(names, marked_name(_BOT_NAMES[0], taken))


def fill_seats(house: House, transaction: Transaction, slug: str, player_id: int, level: str) -> None:
    """The host puts a bot on every empty seat."""
    table = _hosted(transaction, slug, player_id)
    for seat in _seats(transaction, table):
        if not seat.name:
            _seat_bot(transaction, table, seat, level)
    _changed(house, transaction, table)


def clear_seat(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The host removes a player or a bot before the start; the player's seat link dies with it."""
    table = _hosted(transaction, slug, player_id)
    seat = next((seat for seat in _seats(transaction, table) if seat.number == number), None)
    if seat is None:
        raise NotFound("There is no such seat.")
    if seat.player_id == player_id:
        raise Refused("To leave your own seat, stand up.", "OWN_SEAT")
    if seat.player_id == table.host_id:
        raise Refused("Nobody removes the host.", "IS_HOST")
    empty_seat(transaction, seat)
    _changed(house, transaction, table)


def move_seat(house: House, transaction: Transaction, slug: str, player_id: int, number: int, to: int) -> None:
    """The host lets two seats change places."""
    table = _hosted(transaction, slug, player_id)
    seats = {seat.number: seat for seat in _seats(transaction, table)}
    if number not in seats or to not in seats:
        raise NotFound("There is no such seat.")
    if number != to:
        _swap(transaction, seats[number], seats[to])
        _changed(house, transaction, table)


def shuffle_seats(house: House, transaction: Transaction, slug: str, player_id: int) -> None:
    """The host seats everybody at random; each order is equally likely."""
    table = _hosted(transaction, slug, player_id)
    count = len(_seats(transaction, table))
    for last in range(count, 1, -1):
        seats = _seats(transaction, table)
        other = 1 + secrets.randbelow(last)
        if other != last:
            _swap(transaction, seats[last - 1], seats[other - 1])
    _changed(house, transaction, table)


def start(house: House, transaction: Transaction, slug: str, player_id: int) -> None:
    """The host closes the door and the first round is dealt. Raises Refused while a seat is empty."""
    table = _hosted(transaction, slug, player_id)
    seats = _seats(transaction, table)
    empty = [seat.number for seat in seats if not seat.name]
    if empty:
        raise Refused(f"Seat {empty[0]} is still empty: wait for a friend, or put a bot there.", "SEATS_EMPTY")
    _begin(house, transaction, table, seats)


def rematch(house: House, transaction: Transaction, slug: str, player_id: int) -> None:
    """Any player of a finished match starts the next one: same seats, same rules, and with guests who have waited."""
    table = lock_table(transaction, slug)
    seats = _seats(transaction, table)
    mine = next((seat for seat in seats if seat.player_id == player_id), None)
    if mine is None:
        raise Forbidden("You have no seat at this table.")
    if table.stage != FINISHED:
        raise Conflict("A game is being played at this table already.")
    is_back(transaction, table, mine.number)
    seat_latecomers(house, transaction, table)
    add_seats(house, transaction, table)
    _begin(house, transaction, table, _seats(transaction, table))


def set_table(
    house: House, transaction: Transaction, columns: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]
) -> int:
    """Sets a table whose seats are known, as a tournament does: `columns` are the game, its rules and how the table is
    kept, `seats` the player_id, bot and name of each. Gives its id; the match has still to begin."""
    made = {"slug": secrets.token_urlsafe(16), "code": new_code(), "version": 1, "created_at": house.now()}
    stored = insert(models.Table).values(**made, stage=GATHERING, **columns).returning(models.Table.id)
    table_id = int(transaction.connection.execute(stored).scalar_one())
    numbered = [{"table_id": table_id, "number": number, "ready": True, **seat} for number, seat in enumerate(seats, 1)]
    transaction.connection.execute(insert(models.Seat), numbered)
    return table_id


def begin_at(house: House, transaction: Transaction, table_id: int) -> None:
    """Begins the match at a table that was set; seat 1 counts as the host's, whoever that is."""
    table = transaction.connection.execute(select(models.Table).where(models.Table.id == table_id)).one()
    names = [seat.name for seat in _seats(transaction, table)]
    begin_match(house, transaction, table, names, 1, table.options)


def _begin(house: House, transaction: Transaction, table: AnyRow, seats: list[AnyRow]) -> None:
    host_seat = next((seat.number for seat in seats if seat.player_id == table.host_id), 1)
    begin_match(house, transaction, table, [seat.name for seat in seats], host_seat, table.options)
