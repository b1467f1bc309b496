"""The log of a tournament as it is stored, and what a table that belongs to one owes it: its result, its deal."""

import hmac
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, exists, func, insert, select, update
from sqlalchemy.orm import aliased

from app import models
from app.db import AnyRow
from app.rules.dealer import Chance
from app.rules.game import DEALER
from app.rules.tournament import organise
from app.rules.tournament import state as tournament_state
from app.rules.tournament.events import AnyHappening, TableFinished
from app.rules.tournament.plan import Plan
from app.rules.tournament.state import Tournament
from app.services.errors import Forbidden, NotFound, Refused
from app.services.house import House
from app.services.replays import LiveRound, stands
from app.wakeup import tell_others
from app.writer import Transaction

SECRET_DEAL = "Other tables still play the same deal. Replays and the record are here when all of them are done."
NO_TOURNAMENT = "There is no such tournament. Perhaps a letter of the link got lost?"


def find(connection: Connection, slug: str, *, lock: bool = False) -> AnyRow:
    """A tournament's row, held until the transaction ends if `lock`. Raises NotFound."""
    query = select(models.Tournament).where(models.Tournament.slug == slug)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound(NO_TOURNAMENT)
    return row


def organised(transaction: Transaction, slug: str, player_id: int) -> AnyRow:
    """A tournament's row, held, for its organiser or somebody who helps. Raises NotFound and Forbidden."""
    row = find(transaction.connection, slug, lock=True)
    check_organiser(transaction.connection, row, player_id)
    return row


def check_organiser(connection: Connection, row: AnyRow, player_id: int) -> None:
    """Raises Forbidden unless the player organises this tournament, or helps to."""
    if not organises(connection, row, player_id):
        raise Forbidden("Only the organiser of this tournament may do that.")


def organises(connection: Connection, row: AnyRow, player_id: int) -> bool:
    """Whether the player is the organiser of a tournament or helps."""
    entry = models.TournamentEntry
    helping = exists().where(entry.tournament_id == row.id, entry.player_id == player_id, entry.helps)
    return bool(row.organiser_id == player_id or connection.execute(select(helping)).scalar_one())


def folded(connection: Connection, row: AnyRow) -> Tournament:
    """The tournament that the stored log comes to."""
    lines = connection.execute(
        select(models.TournamentLine.event)
        .where(models.TournamentLine.tournament_id == row.id)
        .order_by(models.TournamentLine.number)
    ).scalars()
    events = (msgspec.convert(line, AnyHappening) for line in lines)
    return organise.fold(msgspec.convert(row.plan, Plan), events)


def append(
    house: House,
    transaction: Transaction,
    row: AnyRow,
    tournament: Tournament,
    event: AnyHappening,
    player_id: int | None = None,
) -> Tournament:
    """Writes one more line into the log of a tournament whose row is held; gives the tournament after it. Raises
    Refused, and then nothing is written."""
    try:
        after = organise.happen(tournament, event)
    except tournament_state.Refused as refusal:
        raise Refused(refusal.sentence, refusal.code) from refusal
    transaction.connection.execute(
        insert(models.TournamentLine).values(
            tournament_id=row.id,
            number=len(after.log),
            event=msgspec.to_builtins(event),
            player_id=player_id,
            made_at=house.now(),
        )
    )
    return after


def changed(house: House, transaction: Transaction, row: AnyRow, **changes: object) -> None:
    """Raises the version of a tournament, with other changes of its row, and wakes who waits for it."""
    held = select(models.Tournament.version).where(models.Tournament.id == row.id)
    version = transaction.connection.execute(held).scalar_one() + 1
    transaction.connection.execute(
        update(models.Tournament).where(models.Tournament.id == row.id).values(version=version, **changes)
    )
    tell_others(transaction, row.slug, version)
    transaction.after_commit(lambda: house.wakeups.announce(row.slug, version))


def deal_is_secret() -> ColumnElement[bool]:
    """The condition that every table of a TournamentTable's stage gets the same deal, and one has not finished its
    match: until then nobody sees more of the deal than the own game shows, whatever a host wishes."""
    mine, other = models.TournamentTable, aliased(models.TournamentTable)
    done = exists(models.Result.match_id).where(
        models.Result.match_id == models.Match.id, models.Match.table_id == other.table_id
    )
    playing = exists(other.table_id).where(
        other.tournament_id == mine.tournament_id, other.stage == mine.stage, ~done.correlate(other)
    )
    return (mine.deal != "") & playing.correlate(mine)


def place_of(connection: Connection, table_id: int) -> AnyRow | None:
    """Which table of which stage a table is: tournament_id, slug, name, stage, number, deal and whether that
    `is_secret`; None for any other."""
    return connection.execute(
        select(
            models.TournamentTable,
            models.Tournament.slug,
            models.Tournament.name,
            deal_is_secret().label("is_secret"),
        )
        .join(models.Tournament, models.Tournament.id == models.TournamentTable.tournament_id)
        .where(models.TournamentTable.table_id == table_id)
    ).one_or_none()


def chance_at(transaction: Transaction, table: AnyRow, live: LiveRound) -> Chance | None:
    """What the dealer's next move is made from at a tournament's table where every table gets the same deal; None at
    any other. The nth dealing of a round is alike at all of them, whatever was played between."""
    place = place_of(transaction.connection, table.id)
    if place is None or not place.deal or live.match_number > 1:
        return None
    dealt = transaction.connection.execute(
        select(func.count())
        .select_from(models.Move)
        .where(models.Move.round_id == live.round_id, models.Move.seat == DEALER, stands())
    ).scalar_one()
    return Chance(hmac.digest(place.deal.encode(), f"{live.match.number}:{dealt}".encode(), "sha256"))


def note_result(house: House, transaction: Transaction, table: AnyRow, live: LiveRound) -> None:
    """The match at a table is over: if it is a tournament's table, and this its first match, the tournament's log has
    the result, once; the clockwork is asked to see whether that ends the stage."""
    place = place_of(transaction.connection, table.id)
    if place is None or live.match_number > 1:
        return
    row = find(transaction.connection, place.slug, lock=True)
    tournament = folded(transaction.connection, row)
    stage = tournament.stage
    if stage is None or stage.number != place.stage or stage.tables[place.number - 1].result:
        return
    result = TableFinished(place.number, tuple(live.match.totals), tuple(live.match.places))
    after = append(house, transaction, row, tournament, result)
    done = after.stage is not None and after.stage.finished and row.conditions["starts"] != "hand"
    changed(house, transaction, row, **({"due_at": house.now()} if done else {}))


def hand_entry(house: House, transaction: Transaction, table: AnyRow, seat: int, player_id: int) -> str | None:
    """At a tournament's table, the entry on this seat is the player's from now on; gives the name under which it
    plays, None at any other table. Raises Refused for somebody who has entered."""
    place = place_of(transaction.connection, table.id)
    if place is None:
        return None
    row = find(transaction.connection, place.slug, lock=True)
    tournament = folded(transaction.connection, row)
    number = tournament.stages[place.stage - 1].tables[place.number - 1].seats[seat - 1]
    entries = models.TournamentEntry.tournament_id == row.id
    mine = select(models.TournamentEntry.number).where(entries, models.TournamentEntry.player_id == player_id)
    if transaction.connection.execute(mine).first():
        raise Refused("You play in this tournament yourself.", "ENTERED_ALREADY")
    handed = update(models.TournamentEntry).where(entries, models.TournamentEntry.number == number)
    transaction.connection.execute(handed.values(player_id=player_id, helps=False))
    changed(house, transaction, row)
    return tournament.name(number)


def refuse_while_dealt_elsewhere(connection: Connection, table_id: int) -> None:
    """Raises Forbidden while other tables may still play the deal of this one: its record shows every card."""
    place = place_of(connection, table_id)
    if place and place.is_secret:
        raise Forbidden(SECRET_DEAL)


def shown_event(tournament: Tournament, at: int) -> dict[str, Any]:
    """A line of the log for everybody's eyes: the deal of a stage is told when the stage is closed."""
    event: dict[str, Any] = msgspec.to_builtins(tournament.log[at])
    if "deal" in event:
        number = sum("deal" in msgspec.to_builtins(line) for line in tournament.log[: at + 1])
        if not tournament.stages[number - 1].closed:
            del event["deal"]
    return event
