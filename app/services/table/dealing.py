"""What a table's cards are dealt from: the secret that was sealed before, the cuts of its seats, and nothing else."""

from app.services.fairness import deals
from app.services.table.events import CardsDealt
from app.services.table.held_table import FINISHED, GATHERING, PLAYING, HeldTable
from app.storage import models
from snug.engine import fairness
from snug.engine.chance import Chance, Due, Outcome
from snug.engine.game import DEALER


def seal_next(table: HeldTable) -> None:
    """What the next round will be dealt from is sealed as soon as there is a next one, and shown from then on."""
    row = table.row
    if row.commitment or row.status == PLAYING:
        return
    match, number = (0, 0) if row.status == GATHERING else (table.round.match_number, table.round.match.number)
    upcoming = (match + 1, 1) if row.status in (GATHERING, FINISHED) else (match, number + 1)
    table.set(commitment=_seal(table, *upcoming))


def _seal(table: HeldTable, match: int, number: int) -> str:
    place = deals.place_of_table(table.row.id)
    return deals.seal(table.context, table.transaction, place, f"{match}.{number}")


def cut(table: HeldTable, seat: models.Seat, text: str) -> None:
    """A player cuts the next deck; the last cut before the deal counts, and none changes nothing. Raises Refused."""
    if wanted := deals.clean_cut(text):
        seal_next(table)  # nobody cuts a deck that is not sealed
        table.change_seat(seat, cut=[wanted, table.context.now()])


def deal(table: HeldTable, due: Due) -> Outcome:
    """What the dealer does now."""
    live, context = table.round, table.context
    nth = sum(made.seat == DEALER for made in live.made)
    told = CardsDealt(table)
    context.handlers.tell(told)
    place, number = told.sealed or (deals.place_of_table(table.row.id), f"{live.match_number}.{live.match.number}")
    found = deals.sealed_here(table.transaction, place, number) if told.sealed or nth or table.row.commitment else None
    if found is None and nth == 0 and told.key is None:  # there was nobody before to show it to
        _seal(table, live.match_number, live.match.number)
        found = deals.sealed_here(table.transaction, place, number)
    if found is None or (nth and found.dealt_at is None):  # a round that began before deals were sealed
        return due.outcome(Chance(told.key or context.random.randbytes(deals.SECRET)))
    if nth == 0 and (told.sealed is None or found.dealt_at is None):
        cuts = _first(table, found, is_mine=told.sealed is None)
    else:
        cuts = deals.texts_of(found.cuts or ())
    key = fairness.round_key(found.secret, place, live.match_number, live.match.number, cuts)
    epoch = deals.epoch_of(table.transaction, live.round_id, nth)
    return fairness.outcome(due, fairness.move_key(key, epoch, nth))


def _first(table: HeldTable, found: models.Deal, *, is_mine: bool) -> list[str]:
    """The first cards of a round: the cuts that the seats have sent are used up. Gives those that count."""
    cuts = [seat.cut for seat in table.seats] if is_mine else []
    for seat in table.seats:
        table.change_seat(seat, cut=None)
    if is_mine:
        table.set(commitment=None)
    return deals.deal_from(table.context, table.transaction, found, cuts)
