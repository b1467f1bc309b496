"""A seat changes hands while the game goes on: by a link that works once, or because a guest waits for one."""

import secrets

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from app import models
from app.db import AnyRow
from app.services.absence import follow
from app.services.clocks import seats_of
from app.services.contests import hand_entry, place_of
from app.services.departures import HANDED, REISSUED, bid_farewell, forget_guest, withdraw_link
from app.services.errors import Conflict, NotFound, Refused
from app.services.hosts import heir_of, hosting, refuse_unless_hosting
from app.services.house import House
from app.services.names import clean_name, marked_name
from app.services.news import OTHER, note
from app.services.play import GATHERING, PLAYING, SCORES, lock_table, seat_of_player
from app.services.players import hash_of
from app.writer import Transaction

DAY = 24 * 3600.0
_MOST_WAITING = 12


class Offer(msgspec.Struct, frozen=True):
    """What a link offers: the seat of `name`, to a friend (`kind` HANDED) or to the same person (REISSUED)."""

    slug: str
    game: str
    seat: int
    name: str
    kind: str
    player_id: int | None


def _seat(transaction: Transaction, table: AnyRow, number: int) -> AnyRow:
    seat = next((seat for seat in seats_of(transaction, table) if seat.number == number), None)
    if seat is None:
        raise NotFound("There is no such seat.")
    return seat


def _in_play(table: AnyRow) -> None:
    if table.stage not in (PLAYING, SCORES):
        raise Conflict("Seats are handed over while a game is being played.")


def _offer(house: House, transaction: Transaction, seat: AnyRow, kind: str) -> str:
    withdraw_link(transaction, seat)
    token = secrets.token_urlsafe(24)
    offer = {"seat_id": seat.id, "token_hash": hash_of(house, token), "kind": kind, "until": house.now() + DAY}
    transaction.connection.execute(insert(models.Claim).values(**offer))
    return token


def hand_over(house: House, transaction: Transaction, slug: str, player_id: int) -> str:
    """The token of a link with which a friend takes over the player's seat; one made before stops working. Raises
    Forbidden and Conflict."""
    table = lock_table(transaction, slug)
    seat = seat_of_player(transaction, table, player_id)
    _in_play(table)
    token = _offer(house, transaction, seat, HANDED)
    house.touch(transaction, table.id, table.slug, table.version + 1)
    return token


def reissue(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> str:
    """The token of a link with which a player goes on who has lost the device; a host makes it. The personal links
    given out before stop working at once. Raises Forbidden, NotFound, Conflict and Refused."""
    table = hosting(transaction, slug, player_id)
    seat = _seat(transaction, table, number)
    _in_play(table)
    if seat.player_id is None:
        raise Refused("A bot has that seat.", "NOT_A_PLAYER")
    if seat.player_id == player_id:
        raise Refused("Your own seat you take along by “Play on another device”.", "OWN_SEAT")
    if seat.player_id == table.host_id:
        raise Refused("The host’s seat stays with the host: somebody else must be the host first.", "IS_HOST")
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(link_hash=None))
    token = _offer(house, transaction, seat, REISSUED)
    note(house, transaction, table, player_id, f"made a new link to the seat of {OTHER}", seat)
    house.touch(transaction, table.id, table.slug, table.version + 1)
    return token


def keep_seat(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The link to a seat stops working: so say its player, or a host."""
    table = lock_table(transaction, slug)
    seat = _seat(transaction, table, number)
    if seat.player_id != player_id:
        refuse_unless_hosting(transaction, table, player_id)
    if withdraw_link(transaction, seat):
        house.touch(transaction, table.id, table.slug, table.version + 1)


def offer_of(house: House, connection: Connection, token: str) -> Offer:
    """What a link offers. Raises NotFound for one that was used, withdrawn or forgotten for a day."""
    row = connection.execute(
        select(models.Table.slug, models.Table.game, models.Seat.number, models.Seat.name, models.Claim.kind)
        .add_columns(models.Seat.player_id)
        .join(models.Seat, models.Seat.table_id == models.Table.id)
        .join(models.Claim, models.Claim.seat_id == models.Seat.id)
        .where(models.Claim.token_hash == hash_of(house, token), models.Claim.until > house.now())
    ).one_or_none()
    if row is None:
        raise NotFound("This link no longer works: it was used, it was taken back, or it is more than a day old.")
    return Offer(*row)


def claim(house: House, transaction: Transaction, token: str, player_id: int, name: str) -> str:
    """The player takes over the seat that the link offers, with its cards, and the link stops working; gives the
    table's slug. A friend plays under `name`, the same person, and whoever takes over a tournament's entry, under the
    name the seat had. A host's role goes on to whoever follows him, else with the seat. Raises NotFound and Refused."""
    offer = offer_of(house, transaction.connection, token)
    table = lock_table(transaction, offer.slug)
    offer = offer_of(house, transaction.connection, token)
    seats = seats_of(transaction, table)
    seat = next(one for one in seats if one.number == offer.seat)
    if any(one.player_id == player_id for one in seats):
        raise Refused("You sit at this table already: the link is for somebody else.", "SEATED_ALREADY")
    taken = [one.name for one in seats if one.number != offer.seat]
    entered = hand_entry(house, transaction, table, seat.number, player_id)
    own = entered or (seat.name if offer.kind == REISSUED else marked_name(clean_name(name), taken))
    now = house.now()
    sits = {"player_id": player_id, "name": own, "link_hash": None, "stand_in": None, "bot": None, "cohost": False}
    seen = {"here": True, "seen_at": now, "came_at": now, "seated_at": now}
    if offer.kind == REISSUED:
        sits["cohost"] = seat.cohost
    transaction.connection.execute(update(models.Seat).where(models.Seat.id == seat.id).values(**sits, **seen))
    forget_guest(transaction, table, player_id)
    bid_farewell(transaction, table, seat, offer.kind)
    if offer.kind == HANDED:
        called = marked_name(clean_name(name), taken)
        note(house, transaction, table, player_id, f"took over the seat of {OTHER}", seat, name=called)
    else:
        note(house, transaction, table, player_id, "came back on another device")
    if seat.player_id == table.host_id:
        heir = heir_of(seats, table.host_id)
        host_id = heir.player_id if heir else player_id
        transaction.connection.execute(update(models.Table).where(models.Table.id == table.id).values(host_id=host_id))
    follow(house, transaction, lock_table(transaction, offer.slug), offer.seat)
    return offer.slug


def wait(house: House, transaction: Transaction, slug: str, player_id: int, name: str) -> None:
    """A guest without a seat waits for one. Raises NotFound, Conflict and Refused; asking twice changes nothing."""
    table = lock_table(transaction, slug)
    if table.stage == GATHERING:
        raise Conflict("The game has not begun: take a free seat.")
    if place_of(transaction.connection, table.id):
        raise Refused("This table belongs to a tournament: its seats are given there.", "IN_TOURNAMENT")
    if any(seat.player_id == player_id for seat in seats_of(transaction, table)):
        raise Conflict("You have a seat at this table.")
    connection = transaction.connection
    waiting = connection.execute(select(models.Latecomer).where(models.Latecomer.table_id == table.id)).all()
    if any(one.player_id == player_id for one in waiting):
        return
    if len(waiting) >= _MOST_WAITING:
        raise Refused("As many guests wait for a seat as this table can remember.", "TOO_MANY_WAIT")
    asks = {"table_id": table.id, "player_id": player_id, "name": clean_name(name), "asked_at": house.now()}
    connection.execute(insert(models.Latecomer).values(**asks))
    house.touch(transaction, table.id, table.slug, table.version + 1)


def stop_waiting(house: House, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """A guest waits no longer: so says the guest, or a host. Raises Forbidden."""
    table = lock_table(transaction, slug)
    mine = (models.Latecomer.table_id == table.id, models.Latecomer.id == number)
    guest = transaction.connection.execute(select(models.Latecomer).where(*mine)).one_or_none()
    if guest is None:
        return
    if guest.player_id != player_id:
        refuse_unless_hosting(transaction, table, player_id)
    transaction.connection.execute(delete(models.Latecomer).where(*mine))
    house.touch(transaction, table.id, table.slug, table.version + 1)
