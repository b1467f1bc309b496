"""What a table that belongs to a tournament owes it: its result, its deal."""

import hmac
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, exists, insert, select

from app.services.context import AppContext
from app.services.errors import Forbidden, Refused
from app.services.fairness.deals import place_of_stage
from app.services.table.events import CardsDealt, HintWanted, MatchFinished, SeatTaken, SeatWanted, SetupWanted
from app.services.tournaments.conditions import conditions_of
from app.services.tournaments.log import SECRET_DEAL, HeldTournament, deal_is_secret
from app.storage import models
from app.storage.db import as_of
from app.storage.writer import Transaction
from snug.engine.fairness import STAGE
from snug.engine.game import DEALER
from snug.tournament.events import TableFinished
from snug.words import gettext

SET_THERE = gettext("This table belongs to a tournament: its rules and seats are set there.")

ALL: Final = "all"
PLAYERS: Final = "players"
NOBODY: Final = "none"


class TournamentPlace(NamedTuple):
    """A table's tournament, stage and number; `is_secret` while others may play its deal; `watch`: who may look on."""

    slug: str
    name: str
    stage: int
    number: int
    is_secret: bool
    tournament_id: int
    watch: str
    is_annulled: bool


def tables_of(row: models.Tournament, *, annulled: bool = False) -> Select[models.Table]:
    """The tables of a tournament, in the order in which they are held; with those that were `annulled`."""
    place = models.TournamentTable
    linked = select(place.table_id).where(place.tournament_id == row.id)
    linked = linked if annulled else linked.where(place.annulled == 0)
    return select(models.Table).where(models.Table.id.in_(linked)).order_by(models.Table.id)


class SharedDeal(NamedTuple):
    """What all tables of a stage are dealt from."""

    deal: str
    stage: int
    tournament_id: int


def store_places(
    transaction: Transaction, tournament_id: int, stage: int, numbered: Mapping[int, int], deal: str
) -> None:
    """These are the tables of a stage from now on, by their numbers; the `deal` is empty where each has its own."""
    belongs = {"tournament_id": tournament_id, "stage": stage, "deal": deal}
    places = [{"table_id": table_id, "number": number, **belongs} for number, table_id in numbered.items()]
    transaction.connection.execute(insert(models.TournamentTable), places)
    shared = SharedDeal(deal, stage, tournament_id) if deal else None
    transaction.known |= {(SharedDeal, table_id): shared for table_id in numbered.values()}


def _shared_deal(transaction: Transaction, table_id: int) -> SharedDeal | None:
    key = SharedDeal, table_id
    if key not in transaction.known:
        mine = models.TournamentTable
        shared = select(mine.deal, mine.stage, mine.tournament_id).where(mine.table_id == table_id, mine.deal != "")
        place = transaction.connection.execute(shared).one_or_none()
        transaction.known[key] = SharedDeal(*place) if place else None
    found: SharedDeal | None = transaction.known[key]
    return found


def place_of(connection: Connection, table_id: int) -> TournamentPlace | None:
    """Where a table belongs; None for one of no tournament."""
    mine, whole = models.TournamentTable, models.Tournament
    of_place = mine.stage, mine.number, deal_is_secret(), whole.id, whole.conditions, mine.annulled != 0
    found = select(whole.slug, whole.name, *of_place).join(whole, whole.id == mine.tournament_id)
    place = connection.execute(found.where(mine.table_id == table_id)).one_or_none()
    if place is None:
        return None
    slug, name, stage, number, is_secret, tournament_id, conditions, is_annulled = place
    return TournamentPlace(slug, name, stage, number, is_secret, tournament_id, watch_of(conditions), is_annulled)


def watch_of(conditions: Mapping[str, Any]) -> str:
    """Who may look on at the tables of a tournament: all, players, or none."""
    return str(conditions.get("watch", ALL))


def takes_part(connection: Connection, tournament_id: int, player_id: int | None) -> bool:
    """Whether a player has entered a tournament, or organises it."""
    if player_id is None:
        return False
    entry, whole = models.TournamentEntry, models.Tournament
    entered = exists().where(entry.tournament_id == tournament_id, entry.player_id == player_id)
    organised = exists().where(whole.id == tournament_id, whole.organiser_id == player_id)
    return bool(connection.execute(select(entered | organised)).scalar_one())


def known_place(context: AppContext, connection: Connection, table: models.Table) -> TournamentPlace | None:
    """The same. Once there is nothing secret about a place it never changes: then it is kept."""
    place: TournamentPlace | None = context.places.get(table.slug)
    if place is None:
        place = place_of(connection, table.id)
        if place and not place.is_secret:
            context.places.keep(table.slug, place, as_of(connection))
    return place


def give_deal(event: CardsDealt) -> None:
    """At a tournament's table where every table gets the same deal, that is what the dealer's next move is made from.
    The nth dealing of a round is alike at all of them, whatever was played between. A stage that was set before deals
    were sealed is played to its end with a key."""
    table, live = event.table, event.table.round
    if table.has_no_place:
        return
    place = _shared_deal(table.transaction, table.row.id)
    if place is None or live.match_number > 1:
        return
    event.sealed = place_of_stage(place.tournament_id, place.stage), STAGE
    dealt = sum(made.seat == DEALER and made.stands for made in live.made)
    event.key = hmac.digest(place.deal.encode(), f"{live.match.number}:{dealt}".encode(), "sha256")


def note_result(event: MatchFinished) -> None:
    """If it is a tournament's table, and this its first match, the tournament's log has the result, once; the scheduler
    is asked to see whether that ends the stage."""
    context, transaction, live = event.table.context, event.table.transaction, event.table.round
    place = None if event.table.has_no_place else place_of(transaction.connection, event.table.row.id)
    if place is None or place.is_annulled or live.match_number > 1:
        return
    held = HeldTournament(context, transaction, place.slug)
    stage = held.now.stage
    if stage is None or stage.number != place.stage or stage.tables[place.number - 1].result:
        return
    held.append(TableFinished(place.number, tuple(live.match.totals), tuple(live.match.places)))
    held.store(**due_when_done(context, held))


def due_when_done(context: AppContext, held: HeldTournament) -> dict[str, float]:
    """The change of a tournament's row after a result: the scheduler is asked to see whether that ends the stage."""
    done = held.now.stage is not None and held.now.stage.finished and conditions_of(held.row).starts != "hand"
    return {"due_at": context.room_time()} if done else {}


def hand_entry(event: SeatTaken) -> None:
    """At a tournament's table the entry is this player's now, under its name. Raises Refused for who has entered."""
    table, transaction = event.table, event.table.transaction
    place = place_of(transaction.connection, table.row.id)
    if place is None:
        return
    if place.is_annulled:
        raise Refused("ANNULLED", "This table counts no more: its tournament goes on elsewhere.")
    held = HeldTournament(table.context, transaction, place.slug)
    number = held.now.stages[place.stage - 1].tables[place.number - 1].seats[event.number - 1]
    mine = select(models.TournamentEntry.number).filter_by(tournament_id=held.row.id, player_id=event.player_id)
    if transaction.connection.execute(mine).first():
        raise Refused("ENTERED_ALREADY", "You play in this tournament yourself.")
    held.change_entry(number, player_id=event.player_id, helps=False)
    held.store()
    table.change_seat(table.seat(event.number), name=held.now.name(number))


def refuse_to_wait(event: SeatWanted) -> None:
    """Raises Refused at a tournament's table."""
    if place_of(event.table.connection, event.table.row.id):
        raise Refused("IN_TOURNAMENT", "This table belongs to a tournament: its seats are given there.")


def refuse_to_hint(event: HintWanted) -> None:
    """Raises Refused at a tournament's table."""
    if not event.table.has_no_place and place_of(event.table.connection, event.table.row.id):
        raise Refused("NO_HINTS", "In a tournament there are no hints.")


def refuse_to_change(event: SetupWanted) -> None:
    """Raises Refused at a tournament's table."""
    if place_of(event.table.connection, event.table.row.id):
        raise Refused("IN_TOURNAMENT", SET_THERE)


def refuse_while_dealt_elsewhere(connection: Connection, table_id: int) -> None:
    """Raises Forbidden while other tables may still play the deal of this one: its record shows every card."""
    place = place_of(connection, table_id)
    if place and place.is_secret:
        raise Forbidden(SECRET_DEAL)
