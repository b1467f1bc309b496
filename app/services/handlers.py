"""Who does something of their own when something happens at a table: named once at start, called in this order."""

from app.services.circles.scores import keep_scores
from app.services.context import AppContext
from app.services.notifications import tables as table_notices
from app.services.play.results import store_results
from app.services.seats.waiting_list import seat_waiting_guests
from app.services.table import events
from app.services.tournaments import tables as tournament_tables


def add_handlers(context: AppContext) -> AppContext:
    """The context, with everybody listening."""
    handlers = context.handlers
    handlers.on(events.CardsDealt, tournament_tables.give_deal)
    handlers.on(events.RoundBegins, lambda event: seat_waiting_guests(event.table))
    handlers.on(events.TurnBegins, table_notices.tell_turn)
    handlers.on(events.TableIsSet, table_notices.tell_table)
    handlers.on(events.RoundFinished, table_notices.tell_round)
    handlers.on(events.MatchFinished, store_results)
    handlers.on(events.MatchFinished, tournament_tables.note_result)
    handlers.on(events.MatchFinished, keep_scores)
    handlers.on(events.SeatTaken, tournament_tables.hand_entry)
    handlers.on(events.SeatWanted, tournament_tables.refuse_to_wait)
    handlers.on(events.HintWanted, tournament_tables.refuse_to_hint)
    handlers.on(events.SetupWanted, tournament_tables.refuse_to_change)
    return context
