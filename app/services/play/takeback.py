"""Taking back moves, by the rule of the table: never, freely while nothing hidden was shown, or by vote.

What is taken back stays stored, and the log tells of it; the round goes on as if it had not been played. A round
that is over stays over. Whoever takes back freely lets the next move stand, so that nobody plays for time. What
showed a hidden card goes back only if everybody agrees who was there, also those for whom a bot plays meanwhile: else a
host could send the others away, look, and take it back."""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from app.engine.game import read_move
from app.games import GAMES
from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.play.play import settle
from app.services.table.activity import add_activity
from app.services.table.clocks import seats_of
from app.services.table.open_table import MOVED_ON, PLAYING, is_back, lock_table, refuse_if_paused, seat_of_player
from app.services.table.permissions import hosting
from app.services.table.rounds import CurrentRound, load_current, replay, stands
from app.services.table.settings import MOVES_STAND
from app.storage import models
from app.storage.db import AnyRow
from app.storage.writer import Transaction

OFF, FREE, VOTE = MOVES_STAND, "free", "vote"
RULES: Final = {
    OFF: "Moves stand",
    FREE: "Free, until the next move or a card is shown",
    VOTE: "If everybody agrees",
}


class Undo(msgspec.Struct, frozen=True):
    """What one person may do about the move of seat `mover`. `by` is the seat that asks to take it back, None while
    nobody does; `waits` are those who have not answered yet."""

    mover: int
    may_ask: bool
    by: int | None = None
    waits: tuple[int, ...] = ()


class Proposal(msgspec.Struct, frozen=True):
    """As the table's row keeps it: it stands until the next move of the round. `shows` says whether the moves to take
    back showed a hidden card."""

    round_id: int
    moves: int
    by: int
    agreed: tuple[int, ...]
    shows: bool = True


def check_rule(rule: str) -> None:
    """Raises Refused for a way to take back moves that there is not."""
    if rule not in RULES:
        raise Refused("Moves are taken back in one of these ways: " + ", ".join(RULES) + ".", "BAD_UNDO")


def set_rule(context: AppContext, transaction: Transaction, slug: str, player_id: int, rule: str) -> None:
    """A host says how moves are taken back, but not while a round is being played."""
    table = hosting(transaction, slug, player_id)
    check_rule(rule)
    if table.stage == PLAYING:
        raise Conflict("The rule for taking moves back changes between rounds only.")
    if rule != table.undo:
        add_activity(context, transaction, table, player_id, "changed how moves are taken back")
        context.touch(transaction, table.id, table.slug, table.version + 1, undo=rule)


def take_back(context: AppContext, transaction: Transaction, slug: str, player_id: int, seen: int) -> None:
    """On a page of version `seen` the player takes back the last move, or proposes to. The same click sent twice
    counts once. Raises NotFound, Forbidden, Conflict and Refused, and then nothing is changed."""
    table, seat, live = _playing(context, transaction, slug, player_id)
    if _asked_before(transaction, table, live, seat.number, seen):
        return
    _refuse_if_stale(transaction, table, live, seen)
    tail = _tail(transaction.connection, table, live)
    if table.undo == FREE:
        _refuse_unless_free(transaction.connection, live, seat.number, tail)
        is_back(transaction, table, seat.number)
        _undo(context, transaction, table, live, seat.number, tail)
    elif table.undo == VOTE:
        if not tail:
            raise Refused("There is no move to take back.", "NOTHING_TO_TAKE_BACK")
        if _proposal(table, live):
            raise Conflict("Somebody has asked for that already: please answer.")
        is_back(transaction, table, seat.number)
        shows = _shows_any(tail)
        if shows:
            _refuse_unless_all_can_agree(seats_of(transaction, table), tail)
        proposal = Proposal(live.round_id, live.moves, seat.number, (seat.number,), shows)
        _put(context, transaction, table, live, tail, proposal)
    else:
        raise Refused("At this table moves stand.", "UNDO_OFF")


def answer(context: AppContext, transaction: Transaction, slug: str, player_id: int, seen: int, agrees: bool) -> None:
    """A player agrees to take the last move back, or refuses; who asked may withdraw by refusing. Raises NotFound,
    Forbidden and Conflict, and then nothing is changed."""
    table, seat, live = _playing(context, transaction, slug, player_id)
    _refuse_if_stale(transaction, table, live, seen)
    proposal = _proposal(table, live)
    if proposal is None:
        raise Conflict("Nobody asks to take a move back any more.")
    is_back(transaction, table, seat.number)
    if not agrees:
        _keep(context, transaction, table, live, None)
    elif seat.number not in proposal.agreed:
        tail = _tail(transaction.connection, table, live)
        if proposal.shows:
            _refuse_if_changed(seats_of(transaction, table), tail)
        agreed = msgspec.structs.replace(proposal, agreed=(*proposal.agreed, seat.number))
        _put(context, transaction, table, live, tail, agreed)


def undo_of(
    connection: Connection, table: AnyRow, seats: Sequence[AnyRow], live: CurrentRound, my_seat: int | None
) -> Undo | None:
    """What this person may take back, or is asked about."""
    if table.undo == OFF or table.stage != PLAYING or table.paused_at:
        return None
    tail = _tail(connection, table, live)
    if not tail:
        return None
    if proposal := _proposal(table, live):
        return Undo(tail[0].seat, False, proposal.by, _waits(seats, proposal))
    if my_seat is None:
        return None
    if table.undo == FREE:
        try:
            _refuse_unless_free(connection, live, my_seat, tail)
        except Refused:
            return None
    return Undo(tail[0].seat, True)


def _playing(
    context: AppContext, transaction: Transaction, slug: str, player_id: int
) -> tuple[AnyRow, AnyRow, CurrentRound]:
    table = lock_table(transaction, slug)
    seat = seat_of_player(transaction, table, player_id)
    refuse_if_paused(table)
    live = load_current(context.rounds, transaction.connection, table.id, table.game, table.version, committed=False)
    if live is None or table.stage != PLAYING:
        raise Conflict(f"Moves are taken back while a {GAMES[table.game].round_word} is being played.")
    return table, seat, live


def _asked_before(transaction: Transaction, table: AnyRow, live: CurrentRound, seat: int, seen: int) -> bool:
    """Whether this seat has taken back on this very page, or its proposal waits for the others."""
    took = models.Takeback
    mine = select(took.version).where(took.round_id == live.round_id, took.seat == seat, took.version > seen).limit(1)
    proposal = _proposal(table, live)
    return transaction.connection.execute(mine).first() is not None or bool(proposal and proposal.by == seat)


def _refuse_if_stale(transaction: Transaction, table: AnyRow, live: CurrentRound, seen: int) -> None:
    """Raises Conflict when anything was played or taken back since the page of version `seen`."""
    for model in (models.Move, models.Takeback):
        newest = select(func.max(model.version)).where(model.round_id == live.round_id)
        if (transaction.connection.execute(newest).scalar_one() or 0) > seen:
            raise Conflict(MOVED_ON)
    if not live.began <= seen <= table.version:
        raise Conflict(MOVED_ON)


def _tail(connection: Connection, table: AnyRow, live: CurrentRound) -> Sequence[AnyRow]:
    """The last move that a person made and that stands, with what came after it; nothing if there is none,
    or if it is a secret that it was made."""
    mine = (models.Move.round_id == live.round_id, stands())
    last = select(func.max(models.Move.number)).where(*mine, models.Move.seen.is_not(None)).scalar_subquery()
    tail = connection.execute(
        select(models.Move).where(*mine, models.Move.number >= last).order_by(models.Move.number)
    ).all()
    known = not tail or read_move(GAMES[table.game], tail[0].move).seen_by(tail[0].seat, None)
    return tail if known else ()


def _refuse_unless_free(connection: Connection, live: CurrentRound, seat: int, tail: Sequence[AnyRow]) -> None:
    if not tail or tail[0].seat != seat or tail[-1].version != tail[0].version:
        raise Refused("Only your own move can be taken back, before anybody moves after it.", "NOT_YOUR_MOVE")
    again = select(models.Takeback.version).where(
        models.Takeback.round_id == live.round_id, models.Takeback.last == tail[0].number - 1
    )
    if connection.execute(again).first():
        raise Refused("You took a move back just now: this one stands.", "ONCE_ONLY")
    if _shows_any(tail):
        raise Refused("A hidden card has been shown since: that cannot be taken back.", "CARD_SHOWN")


def _refuse_unless_all_can_agree(seats: Sequence[AnyRow], tail: Sequence[AnyRow]) -> None:
    """Raises Refused while somebody cannot be asked about moves that showed a hidden card."""
    _refuse_if_changed(seats, tail)
    away = next((seat.name for seat in seats if seat.player_id and seat.stand_in), None)
    if away:
        sentence = f"A hidden card has been shown since, and {away} is away and cannot be asked: that stays."
        raise Refused(sentence, "CANNOT_BE_ASKED")


def _refuse_if_changed(seats: Sequence[AnyRow], tail: Sequence[AnyRow]) -> None:
    """Raises Refused when a seat has changed hands since these moves: who had it then cannot be asked."""
    if any(seat.seated_at is not None and seat.seated_at > tail[0].made_at for seat in seats):
        sentence = "A hidden card has been shown since, and a seat has changed hands: that stays."
        raise Refused(sentence, "CANNOT_BE_ASKED")


def _shows_any(tail: Sequence[AnyRow]) -> bool:
    """Whether the moves of a tail showed anybody a hidden card. Of those made before that was stored, nobody knows."""
    return any(row.reveals is not False for row in tail)


def _proposal(table: AnyRow, live: CurrentRound) -> Proposal | None:
    """The proposal that stands now."""
    if not table.proposal:
        return None
    proposal = msgspec.convert(table.proposal, Proposal)
    return proposal if (proposal.round_id, proposal.moves) == (live.round_id, live.moves) else None


def _waits(seats: Sequence[AnyRow], proposal: Proposal) -> tuple[int, ...]:
    """Who has yet to agree: people, but those for whom a bot plays only where a hidden card was shown."""
    people = (seat.number for seat in seats if seat.player_id and (proposal.shows or not seat.stand_in))
    return tuple(number for number in people if number not in proposal.agreed)


def _put(
    context: AppContext,
    transaction: Transaction,
    table: AnyRow,
    live: CurrentRound,
    tail: Sequence[AnyRow],
    proposal: Proposal,
) -> None:
    if _waits(seats_of(transaction, table), proposal):
        _keep(context, transaction, table, live, proposal)
    else:
        _undo(context, transaction, table, live, proposal.by, tail)


def _keep(
    context: AppContext, transaction: Transaction, table: AnyRow, live: CurrentRound, proposal: Proposal | None
) -> None:
    version = table.version + 1
    kept = msgspec.to_builtins(proposal) if proposal else None
    context.touch(transaction, table.id, table.slug, version, proposal=kept)
    transaction.after_commit(lambda: context.rounds.keep(table.id, version, live))


def _undo(
    context: AppContext, transaction: Transaction, table: AnyRow, live: CurrentRound, by: int, tail: Sequence[AnyRow]
) -> None:
    connection = transaction.connection
    connection.execute(update(models.Table).where(models.Table.id == table.id).values(proposal=None))
    connection.execute(
        insert(models.Takeback).values(
            round_id=live.round_id,
            version=table.version + 1,
            seat=by,
            first=tail[0].number,
            last=live.moves,
            agreed=table.undo == VOTE,
            made_at=context.now(),
        )
    )
    stored = connection.execute(select(models.Match).where(models.Match.id == live.match_id)).one()
    back = msgspec.structs.replace(replay(connection, table.game, stored), told=live.told)
    settle(context, transaction, table, back, moved=tail[0].seat)
