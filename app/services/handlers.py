"""Who does something of their own when something happens at a table: named once at start, called in this order."""

from app.services.circles.scores import keep_scores
from app.services.context import AppContext
from app.services.notifications import tables as table_notices
from app.services.play.results import store_results
from app.services.seats.waiting_list import seat_waiting_guests
from app.services.table.events import (
    CardsDealt,
    HintWanted,
    MatchFinished,
    RoundBegins,
    RoundFinished,
    SeatTaken,
    SeatWanted,
    SetupWanted,
    TableIsSet,
    TurnBegins,
)
from app.services.tournaments import tables as tournament_tables


def add_handlers(context: AppContext) -> AppContext:
    """The context, with everybody listening."""
    handlers = context.handlers
    handlers.on(CardsDealt, tournament_tables.give_deal)
    handlers.on(RoundBegins, lambda event: seat_waiting_guests(event.table))
    handlers.on(TurnBegins, table_notices.tell_turn)
    handlers.on(TableIsSet, table_notices.tell_table)
    handlers.on(RoundFinished, table_notices.tell_round)
    handlers.on(MatchFinished, store_results)
    handlers.on(MatchFinished, tournament_tables.note_result)
    handlers.on(MatchFinished, keep_scores)
    handlers.on(SeatTaken, tournament_tables.hand_entry)
    handlers.on(SeatWanted, tournament_tables.refuse_to_wait)
    handlers.on(HintWanted, tournament_tables.refuse_to_hint)
    handlers.on(SetupWanted, tournament_tables.refuse_to_change)
    return context
