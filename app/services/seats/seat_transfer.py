"""A seat changes hands while the game goes on: by a link that works once, or because a guest waits for one.

A host may not take a seat to see its cards: a new link to it needs the word of somebody else, and where nobody else is
there to give it, the cards stay closed until the next deal.
"""

import secrets
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, insert, select

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.players import players
from app.services.players.names import clean_name, marked_name
from app.services.players.players import count_opened, hash_of
from app.services.seats.hosts import heir_of, make_host
from app.services.seats.seat_loss import (
    AGREED,
    ALONE,
    ASKED,
    HANDED,
    REISSUED,
    TURNED_AWAY,
    forget_guest,
    note_loss,
    record_loss,
    refuse_removed,
    withdraw_link,
    word_counts,
)
from app.services.table.activity import add_activity
from app.services.table.clocks import AWAY
from app.services.table.events import SeatTaken, SeatWanted
from app.services.table.held_table import GATHERING, PLAYING, HeldTable
from app.services.table.open_table import IN_PLAY, open_table, refuse_unless_host
from app.storage import models
from app.storage.rows import all_of, find_one
from app.storage.writer import Transaction

DAY = 24 * 3600.0
_MOST_WAITING = 12


class Offer(msgspec.Struct, frozen=True):
    """What a link offers: the seat of `name`, to a friend (`kind` HANDED) or to the same person (REISSUED, or ALONE on
    the word of the host of seat `asked_by` alone)."""

    slug: str
    game: str
    seat: int
    name: str
    kind: str
    asked_by: int | None
    player_id: int | None


def _put(table: HeldTable, seat: models.Seat, kind: str, asked_by: int | None, token_hash: str | None = None) -> None:
    withdraw_link(table, seat)
    claim = {"seat_id": seat.id, "token_hash": token_hash, "kind": kind, "asked_by": asked_by}
    table.connection.execute(insert(models.SeatTransfer).values(**claim, until=table.context.now() + DAY))
    table.set()


def _offer(
    table: HeldTable, seat: models.Seat, kind: str, token: str | None = None, asked_by: int | None = None
) -> str:
    made = token or secrets.token_urlsafe(24)
    _put(table, seat, kind, asked_by, hash_of(table.context, made))
    return made


def _asked(table: HeldTable, seat: models.Seat) -> models.SeatTransfer | None:
    """What came of a host's asking for a link to this seat, if it stands: ASKED or AGREED."""
    link = models.SeatTransfer
    asked = select(link).filter_by(seat_id=seat.id).where(link.kind.in_((ASKED, AGREED)))
    return find_one(table.connection, asked.where(link.until > table.context.now()))


def hand_over(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, token: str | None = None
) -> str:
    """The token, a fresh one unless it is given, of a link with which a friend takes over the player's seat; one made
    before stops working. Raises Forbidden and Conflict."""
    with open_table(context, transaction, slug, by=player_id, seated=True, status=IN_PLAY) as table:
        made = _offer(table, table.me, HANDED, token)
    count_opened(context, transaction, player_id)
    return made


def reissue(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, token: str | None = None
) -> str | None:
    """The token, a fresh one unless it is given, of a link with which a player goes on who has lost the device; a host
    makes it. None as long as somebody else has still to agree: then it is asked for. Once it is made the personal links
    given out before stop working. Raises Forbidden, NotFound, Conflict and Refused."""
    with open_table(context, transaction, slug, by=player_id, host=True, status=IN_PLAY) as table:
        seat, mine = table.seat(number), table.seat_of(player_id)
        if seat.player_id is None:
            raise Refused("NOT_A_PLAYER", "A bot has that seat.")
        if seat.player_id == player_id:
            raise Refused("OWN_SEAT", "Your own seat you take along by “Play on another device”.")
        if seat.player_id == table.row.host_id:
            raise Refused("IS_HOST", "The host’s seat stays with the host: somebody else must be the host first.")
        if mine and mine.closed_to is not None:
            raise Refused(
                "ALONE", "You took your seat over on a host’s word alone: another host makes links for others."
            )
        number_of_mine = mine.number if mine else None
        asked = _asked(table, seat)
        agreed = asked is not None and asked.kind == AGREED
        made, live = None, table.round if table.has_begun else None
        counting = {one.number for one in table.seats if word_counts(one, live)}
        if not agreed and counting - {number_of_mine, number}:  # somebody else can give their word
            if asked:
                return None
            _put(table, seat, ASKED, number_of_mine)
            deed = "asked_link"
        else:
            table.change_seat(seat, link_hash=None)
            made = _offer(table, seat, REISSUED if agreed else ALONE, token, number_of_mine)
            deed = "made_link" if agreed else "made_link_alone"
        add_activity(table, player_id, deed, seat)
    return made


def answer_link(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, agrees: bool
) -> None:
    """Somebody else at the table, or the player of the seat, agrees to the link that a host asks for, or refuses it.
    Agreeing twice changes nothing. Raises NotFound, Forbidden and Conflict."""
    with open_table(context, transaction, slug, by=player_id, seated=True) as table:
        mine, seat = table.me, table.seat(number)
        asked = _asked(table, seat)
        if asked is None:
            raise Conflict("Nobody asks for a new link to that seat any more.")
        if asked.asked_by == mine.number:
            raise Forbidden("You ask for this link: somebody else has to agree.")
        if mine.closed_to is not None:
            raise Forbidden("You took your seat over on a host’s word alone: somebody else has to agree.")
        came_late = mine.seated_at is not None and mine.seated_at > asked.until - DAY
        if seat.number != mine.number and (came_late or not word_counts(mine, table.round)):
            raise Forbidden(
                "You came after the cards were dealt or the link was asked for: somebody else has to agree."
            )
        if asked.kind == AGREED:
            if agrees:
                return
            raise Conflict("Somebody has agreed to that link already.")
        if agrees:
            _put(table, seat, AGREED, asked.asked_by)
        else:
            withdraw_link(table, seat)
        add_activity(table, player_id, "agreed_link" if agrees else "refused_link", seat)


def follow_seat_link(
    context: AppContext, transaction: Transaction, token: str, cookie: str | None = None
) -> tuple[str, str]:
    """Another device plays at the seat of a personal link, too, and the table is told: the table's slug and the
    cookie's token, which may be given. A device that does so already goes on. Raises NotFound."""
    found = players.seat_of_link(context, transaction.connection, token)
    with open_table(context, transaction, found.slug, by=found.player_id) as table:
        seated = players.find_seated(context, transaction.connection, cookie, found.slug) if cookie else None
        if cookie and seated and seated.id == found.player_id:
            return found.slug, cookie
        made = players.follow_seat_link(context, transaction, token, cookie)
        add_activity(table, found.player_id, "one_more_device")
    return made


def keep_seat(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The link to a seat stops working, or is not asked for any more: so say its player, or a host."""
    with open_table(context, transaction, slug, by=player_id) as table:
        seat = table.seat(number)
        refuse_unless_host(table, owner=seat.player_id)
        if withdraw_link(table, seat):
            table.set()


def offer_of(context: AppContext, connection: Connection, token: str) -> Offer:
    """What a link offers. Raises NotFound for one that was used, withdrawn or forgotten for a day."""
    row = connection.execute(
        select(models.Table.slug, models.Table.game, models.Seat.number, models.Seat.name, models.SeatTransfer.kind)
        .add_columns(models.SeatTransfer.asked_by, models.Seat.player_id)
        .join(models.Seat, models.Seat.table_id == models.Table.id)
        .join(models.SeatTransfer, models.SeatTransfer.seat_id == models.Seat.id)
        .where(models.SeatTransfer.token_hash == hash_of(context, token), models.SeatTransfer.until > context.now())
    ).one_or_none()
    if row is None:
        raise NotFound("This link no longer works: it was used, it was taken back, or it is more than a day old.")
    return Offer(*row)


def claim(context: AppContext, transaction: Transaction, token: str, player_id: int, name: str) -> str:
    """The player takes over the seat that the link offers, with its cards, and the link stops working; gives the
    table's slug. A friend plays under `name`, the same person, and whoever takes over a tournament's entry, under the
    name the seat had. A host's role goes on to whoever follows him, else with the seat. Where a host's word alone made
    the link, the round's cards stay closed to whoever follows it, and a bot plays them. Raises NotFound, Refused and
    Forbidden."""
    offer = offer_of(context, transaction.connection, token)
    with open_table(context, transaction, offer.slug, by=player_id) as table:
        offer = offer_of(context, transaction.connection, token)
        seat, before = table.seat(offer.seat), table.seats
        if table.seat_of(player_id):
            raise Refused("SEATED_ALREADY", "You sit at this table already: the link is for somebody else.")
        refuse_removed(table)
        others = [one.name for one in before if one.number != offer.seat]
        called = marked_name(clean_name(name), others) if offer.kind == HANDED else seat.name
        _sit(table, seat, offer, player_id, called)
        forget_guest(table, player_id)
        record_loss(table, seat, HANDED if offer.kind == HANDED else REISSUED)
        if offer.kind == HANDED:
            add_activity(table, player_id, "took_over", seat, name=called)
        elif offer.kind == REISSUED:
            add_activity(table, player_id, "other_device")
        else:
            host = next((one for one in before if one.number == offer.asked_by), None)
            add_activity(table, player_id, "by_link_alone" if host else "by_a_hosts_link_alone", host)
        if seat.player_id == table.row.host_id:
            heir = heir_of(before, table.row.host_id)
            next_host = heir.player_id if heir and heir.player_id is not None else player_id
            make_host(table, next_host)
            add_activity(table, next_host, "became_host")
        table.restart_clock(offer.seat)
    return offer.slug


def _sit(table: HeldTable, seat: models.Seat, offer: Offer, player_id: int, name: str) -> None:
    """The seat is the player's from now on."""
    now, alone = table.context.now(), offer.kind == ALONE
    sits: dict[str, Any] = {"player_id": player_id, "name": name, "link_hash": None, "stand_in": None, "bot": None}
    seen: dict[str, Any] = {"here": True, "seen_at": now, "came_at": now, "seated_at": now}
    sits["cohost"] = offer.kind != HANDED and seat.cohost
    if offer.kind == HANDED:
        sits |= {"hand_order": None, "hints": None}
    if offer.kind != HANDED:
        sits["closed_to"] = table.round.round_id if alone and table.has_begun else None
    if alone:
        sits |= {"orders": None, "hand_order": None, "hints": None}
        sits["stand_in"] = AWAY if table.row.status == PLAYING else None
    table.change_seat(seat, **sits, **seen)
    table.context.handlers.tell(SeatTaken(table, seat.number, player_id))


def wait(context: AppContext, transaction: Transaction, slug: str, player_id: int, name: str) -> None:
    """A guest without a seat waits for one; twice is once. Raises NotFound, Conflict, Refused and Forbidden."""
    with open_table(context, transaction, slug, by=player_id) as table:
        if table.row.status == GATHERING:
            raise Conflict("The game has not begun: take a free seat.")
        context.handlers.tell(SeatWanted(table))
        if table.seat_of(player_id):
            raise Conflict("You have a seat at this table.")
        refuse_removed(table)
        waiting = all_of(table.connection, select(models.WaitingGuest).filter_by(table_id=table.row.id))
        if any(one.player_id == player_id for one in waiting):
            return
        if len(waiting) >= _MOST_WAITING:
            raise Refused("TOO_MANY_WAIT", "As many guests wait for a seat as this table can remember.")
        asks = {"table_id": table.row.id, "player_id": player_id, "name": clean_name(name), "asked_at": context.now()}
        table.connection.execute(insert(models.WaitingGuest).values(**asks))
        table.set()


def stop_waiting(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """A guest waits no longer: so says the guest, or a host, who turns the guest away. Raises Forbidden."""
    with open_table(context, transaction, slug, by=player_id) as table:
        mine = {"table_id": table.row.id, "id": number}
        guest = find_one(table.connection, select(models.WaitingGuest).filter_by(**mine))
        if guest is None:
            return
        if guest.player_id != player_id:
            refuse_unless_host(table)
            note_loss(table, guest.player_id, TURNED_AWAY)
        table.connection.execute(delete(models.WaitingGuest).filter_by(**mine))
        table.set()
