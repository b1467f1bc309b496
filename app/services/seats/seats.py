"""Tables before and between games: taking seats, the host's arrangements, the start."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.play.matches import begin_match, begin_matches
from app.services.players.names import clean_name, marked_name
from app.services.players.players import end_seat_links
from app.services.seats.agreement import refuse_unread, seats_wanted
from app.services.seats.bot_profiles import level_in, name_for
from app.services.seats.hosts import heir_of, make_host
from app.services.seats.seat_loss import REMOVED, note_loss, refuse_removed
from app.services.seats.waiting_list import add_seats, seat_waiting_guests
from app.services.table import dealing
from app.services.table.activity import add_activity
from app.services.table.held_table import FINISHED, GATHERING, HeldTable
from app.services.table.open_table import open_new, open_table
from app.services.table.snapshot import TableSnapshot
from app.storage import models
from app.storage.writer import Transaction
from snug.bots.levels import STEADY
from snug.games import GAMES

NOBODY: dict[str, Any] = {
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
    "hand_order": None,
    "hints": None,
    "cut": None,
}


def sitting(context: AppContext, player_id: int, name: str) -> dict[str, Any]:
    """A seat on which a player sits from now on."""
    now = context.now()
    seen = {"here": True, "seen_at": now, "came_at": now, "seated_at": now}
    return NOBODY | {"player_id": player_id, "name": name, **seen}


def take_seat(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, name: str, cut: str = ""
) -> None:
    """The player sits down, or moves to another empty seat, and may `cut` the deck. Raises Conflict when it has just
    been taken, and Forbidden for whom a host has removed. Where the host has left and nobody was there to follow him,
    whoever sits down next is the host."""
    with open_table(context, transaction, slug, by=player_id, status=GATHERING) as table:
        wanted, mine = table.seat(number), table.seat_of(player_id)
        if wanted.player_id == player_id:
            dealing.cut(table, wanted, cut)
            return
        if wanted.player_id or wanted.bot:
            raise Conflict("Somebody has just taken that seat. Please choose another.")
        refuse_removed(table)
        if not table.seat_of(table.row.host_id):
            make_host(table, player_id)
        if mine:
            _swap(table, mine, wanted)
        else:
            taken = [seat.name for seat in table.seats if seat.name]
            chosen = marked_name(clean_name(name), taken)
            table.change_seat(wanted, **sitting(context, player_id, chosen) | {"ready": True})
        dealing.cut(table, table.seat(number), cut)


def _swap(table: HeldTable, one: models.Seat, other: models.Seat) -> None:
    """Two seats exchange who sits there; emptied first, because nobody may sit twice even for a moment."""
    for seat in (one, other):
        table.change_seat(seat, player_id=None, link_hash=None)
    for seat, occupant in ((one, other), (other, one)):
        table.change_seat(seat, **{key: getattr(occupant, key) for key in NOBODY})


def empty_seat(table: HeldTable, seat: models.Seat) -> None:
    """Nobody sits there any more; the seat link dies with it."""
    table.change_seat(seat, **NOBODY)


def leave_seat(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """The player stands up before the start; a host's role goes to whoever follows, if anybody (`heir_of`)."""
    with open_table(context, transaction, slug, by=player_id, status=GATHERING) as table:
        mine = table.seat_of(player_id)
        if mine is None:
            return
        empty_seat(table, mine)
        heir = heir_of(table.seats, player_id) if table.row.host_id == player_id else None
        if heir and heir.player_id is not None:
            make_host(table, heir.player_id)
            add_activity(table, heir.player_id, "became_host")


def seat_bot(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, level: str) -> None:
    """The host puts a bot on an empty seat."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=GATHERING) as table:
        wanted = table.seat(number)
        if wanted.player_id or wanted.bot:
            raise Conflict("That seat is taken.")
        _seat_bot(table, wanted, level)


def _seat_bot(table: HeldTable, seat: models.Seat, level: str) -> None:
    table.change_seat(seat, **bot_for(table, level), ready=True)


def bot_for(table: HeldTable, level: str) -> dict[str, Any]:
    """A bot that plays so well, and has a name that nobody at the table has. Raises Refused where none does."""
    level = level_in([GAMES[table.row.game]], level)
    return {"bot": level, "name": name_for(level, (seat.name for seat in table.seats if seat.name))}


def fill_seats(context: AppContext, transaction: Transaction, slug: str, player_id: int, level: str) -> None:
    """The host puts a bot on every empty seat."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=GATHERING) as table:
        _seat_bots(table, level)


def _seat_bots(table: HeldTable, level: str) -> None:
    for seat in table.seats:
        if not seat.name:
            _seat_bot(table, seat, level)


def clear_seat(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The host removes a player, whose seat link dies and who stays out, or a bot, before the start."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=GATHERING) as table:
        seat = table.seat(number)
        if seat.player_id == player_id:
            raise Refused("OWN_SEAT", "To leave your own seat, stand up.")
        if seat.player_id == table.row.host_id:
            raise Refused("IS_HOST", "Nobody removes the host.")
        if seat.player_id is not None:
            note_loss(table, seat.player_id, REMOVED, number)
        empty_seat(table, seat)


def move_seat(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, to: int) -> None:
    """The host lets two seats change places."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=GATHERING) as table:
        one, other = table.seat(number), table.seat(to)
        if number != to:
            _swap(table, one, other)


def shuffle_seats(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """The host seats everybody at random; each order is equally likely."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=GATHERING) as table:
        for last in range(len(table.seats), 1, -1):
            other = 1 + context.random.randrange(last)
            if other != last:
                _swap(table, table.seat(last), table.seat(other))
        table.set()


def resize(table: HeldTable, wanted: int) -> None:
    """Puts chairs to the table or takes some away: those that are free first, then those of bots. Raises Refused where
    people sit on more than there would be."""
    while len(table.seats) < wanted:
        table.add_seat()
    while len(table.seats) > wanted:
        spare = [seat for seat in table.seats if not seat.player_id]
        if not spare:
            raise Refused(
                "SEATS_TAKEN", "There cannot be fewer seats than people: %(count)s sit here.", count=len(table.seats)
            )
        gone = max(spare, key=lambda seat: (not seat.name, seat.number))
        empty_seat(table, gone)
        for before, after in pairwise(range(gone.number, len(table.seats) + 1)):
            _swap(table, table.seat(before), table.seat(after))
        table.drop_seat()


def start(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, cut: str = "", seen: int | None = None
) -> None:
    """The host closes the door, on a page of version `seen`, may `cut` the deck, and the first round is dealt. Raises
    Refused while a seat is empty, Conflict while a change is being read. Nothing where it has begun."""
    with open_table(context, transaction, slug, by=player_id, host=True) as table:
        if table.row.status != GATHERING:
            return
        empty = [seat.number for seat in table.seats if not seat.name]
        if empty:
            raise Refused(
                "SEATS_EMPTY", "Seat %(number)s is still empty: wait for a friend, or put a bot there.", number=empty[0]
            )
        refuse_unread(table, seen)
        if mine := table.seat_of(player_id):
            dealing.cut(table, mine, cut)
        _begin(table)


def rematch(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, cut: str = "", seen: int | None = None
) -> None:
    """Any player of a finished match starts the next one, on a page of version `seen`, and may `cut` the deck: same
    seats and rules but for what a host has changed, and with guests who have waited. Raises Conflict while a change is
    being read. Nothing where it has begun."""
    with open_table(context, transaction, slug, by=player_id, seated=True) as table:
        if table.row.status != FINISHED:
            return
        refuse_unread(table, seen)
        table.is_back(table.me)
        end_seat_links(context, transaction.connection, table.row.id)
        dealing.cut(table, table.me, cut)
        if any(seat.player_id not in (None, player_id) for seat in table.seats):
            add_activity(table, player_id, "again")
        resize(table, seats_wanted(table.row, len(table.seats)))
        _seat_bots(table, STEADY)
        seat_waiting_guests(table)
        add_seats(table)
        _begin(table)


def begin_at(context: AppContext, transaction: Transaction, tables: Sequence[TableSnapshot]) -> None:
    """Begins the matches at tables set here, to which everybody is called; seat 1 counts as the host's."""
    with open_new(context, transaction, tables) as opened:
        for table in opened:
            table.calls_everybody = True
        begin_matches(transaction.connection, opened, 1)


def _begin(table: HeldTable) -> None:
    host = table.seat_of(table.row.host_id)
    table.set(setup=None)
    begin_match(table, host.number if host else 1)
