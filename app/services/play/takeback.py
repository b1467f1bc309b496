"""Taking back moves, by the rule of the table: never, freely while nothing hidden was shown, or by vote.

What is taken back stays stored, and the log tells of it; the round goes on as if it had not been played. A round
that is over stays over. Whoever takes back freely lets the next move stand, so that nobody plays for time. What
showed a hidden card goes back only if everybody agrees who was there, also those for whom a bot plays meanwhile: else a
host could send the others away, look, and take it back."""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import msgspec
from sqlalchemy import insert, select

from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.quarantine import quarantine_on_error
from app.services.table import chain
from app.services.table.activity import add_activity
from app.services.table.held_table import PLAYING, HeldTable
from app.services.table.open_table import MOVED_ON, open_table
from app.services.table.rounds import CurrentRound, Made, replay
from app.services.table.settings import MOVES_STAND, changed, setup_of
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import live_at, settings_at
from app.storage import models
from app.storage.rows import one_of
from app.storage.writer import Transaction
from snug.engine.game import Move
from snug.games import GAMES

FREE, VOTE = "free", "vote"


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


class Tail(NamedTuple):
    """The last move that a person made and that stands, number `first`, with those that stand after it. `after_undo`
    says that something had been taken back just before."""

    first: int
    after_undo: bool
    moves: tuple[Made, ...]

    @property
    def mover(self) -> int:
        """The person's seat."""
        return self.moves[0].seat

    @property
    def shows_any(self) -> bool:
        """Whether anybody was shown a hidden card. Of moves made before that was stored, nobody knows."""
        return any(made.reveals is not False for made in self.moves)


def set_rule(context: AppContext, transaction: Transaction, slug: str, player_id: int, rule: str) -> None:
    """A host says how moves are taken back, but not while a round is being played."""
    with open_table(context, transaction, slug, by=player_id, host=True) as table:
        columns = changed(table.row, undo=rule)
        if table.row.status == PLAYING:
            raise Conflict(
                "The rule for taking moves back stands until this %(round)s is over.",
                round=GAMES[table.row.game].round_word,
            )
        if columns["settings"] != table.row.settings:
            add_activity(table, player_id, "set_takeback")
            table.set(**columns)


def take_back(context: AppContext, transaction: Transaction, slug: str, player_id: int, seen: int) -> None:
    """On a page of version `seen` the player takes back the last move, or proposes to. The same click sent twice
    counts once. Raises NotFound, Forbidden, Conflict and Refused, and then nothing is changed."""
    with open_table(context, transaction, slug, by=player_id, seated=True, status=PLAYING, paused=False) as table:
        if _asked_before(table, seen):
            return
        _refuse_if_stale(table, seen)
        live, seat = table.round, table.me.number
        tail = _tail(live)
        if setup_of(table.row).undo == FREE:
            tail = _refuse_unless_free(seat, tail)
            table.is_back(table.me)
            _undo(table, seat, tail)
        elif setup_of(table.row).undo == VOTE:
            if not tail:
                raise Refused("NOTHING_TO_TAKE_BACK", "There is no move to take back.")
            if _proposal(table.row, live):
                raise Conflict("Somebody has asked for that already: please answer.")
            table.is_back(table.me)
            if tail.shows_any:
                _refuse_unless_all_can_agree(table, tail)
            _put(table, tail, Proposal(live.round_id, live.moves, seat, (seat,), tail.shows_any))
        else:
            raise Refused("UNDO_OFF", "At this table moves stand.")


def answer(context: AppContext, transaction: Transaction, slug: str, player_id: int, seen: int, agrees: bool) -> None:
    """A player agrees to take the last move back, or refuses; who asked may withdraw by refusing. Raises NotFound,
    Forbidden and Conflict, and then nothing is changed."""
    with open_table(context, transaction, slug, by=player_id, seated=True, status=PLAYING, paused=False) as table:
        _refuse_if_stale(table, seen)
        proposal = _proposal(table.row, table.round)
        if proposal is None:
            raise Conflict("Nobody asks to take a move back any more.")
        table.is_back(table.me)
        if not agrees:
            table.set(proposal=None)
        elif table.me.number not in proposal.agreed:
            tail = _tail(table.round)
            assert tail, "what is asked about was played"
            if proposal.shows:
                _refuse_if_changed(table, tail)
            _put(table, tail, msgspec.structs.replace(proposal, agreed=(*proposal.agreed, table.me.number)))


def undo_at(snapshot: TableSnapshot, my_seat: int | None) -> Undo | None:
    """What a seat, or an onlooker, may take back or is asked about."""
    table, live = snapshot.row, live_at(snapshot)
    stands = snapshot.once(settings_at).undo == MOVES_STAND
    if live is None or stands or table.status != PLAYING or table.paused_at:
        return None
    tail = _tail(live)
    if not tail:
        return None
    if proposal := _proposal(table, live):
        return Undo(tail.mover, False, proposal.by, _waits(snapshot.seats, proposal))
    if my_seat is None:
        return None
    if setup_of(table).undo == FREE:
        try:
            _refuse_unless_free(my_seat, tail)
        except Refused:
            return None
    return Undo(tail.mover, True)


def _asked_before(table: HeldTable, seen: int) -> bool:
    """Whether this seat has taken back on this very page, or its proposal waits for the others."""
    live, seat, took = table.round, table.me.number, models.Takeback
    mine = select(took.version).where(took.round_id == live.round_id, took.seat == seat, took.version > seen).limit(1)
    proposal = _proposal(table.row, live)
    return table.connection.execute(mine).first() is not None or bool(proposal and proposal.by == seat)


def _refuse_if_stale(table: HeldTable, seen: int) -> None:
    """Raises Conflict when anything was played or taken back since the page of version `seen`."""
    live = table.round
    if max(live.taken_back_at, *(made.version for made in live.made[-1:]), 0) > seen:
        raise Conflict(MOVED_ON)
    if not live.began <= seen <= table.row.version:
        raise Conflict(MOVED_ON)


def _tail(live: CurrentRound) -> Tail | None:
    """The last move that a person made and that stands, with what came after it; None if there is none, or if it is a
    secret that it was made."""
    made = live.made
    first = next((n for n in range(len(made), 0, -1) if made[n - 1].stands and made[n - 1].seen is not None), 0)
    if not first or not cast(Move, made[first - 1].move).seen_by(made[first - 1].seat, None):
        return None
    after_undo = first > 1 and not made[first - 2].stands
    return Tail(first, after_undo, tuple(one for one in made[first - 1 :] if one.stands))


def _refuse_unless_free(seat: int, tail: Tail | None) -> Tail:
    if not tail or tail.mover != seat or tail.moves[-1].version != tail.moves[0].version:
        raise Refused("NOT_YOUR_MOVE", "Only your own move can be taken back, before anybody moves after it.")
    if tail.after_undo:
        raise Refused("ONCE_ONLY", "You took a move back just now: this one stands.")
    if tail.shows_any:
        raise Refused("CARD_SHOWN", "A hidden card has been shown since: that cannot be taken back.")
    return tail


def _refuse_unless_all_can_agree(table: HeldTable, tail: Tail) -> None:
    """Raises Refused while somebody cannot be asked about moves that showed a hidden card."""
    _refuse_if_changed(table, tail)
    away = next((seat.name for seat in table.seats if seat.player_id and seat.stand_in), None)
    if away:
        raise Refused(
            "CANNOT_BE_ASKED",
            "A hidden card has been shown since, and %(name)s is away and cannot be asked: that stays.",
            name=away,
        )


def _refuse_if_changed(table: HeldTable, tail: Tail) -> None:
    """Raises Refused when a seat has changed hands since these moves: who had it then cannot be asked."""
    first = models.Move.round_id == table.round.round_id, models.Move.number == tail.first
    made_at = table.connection.execute(select(models.Move.made_at).where(*first)).scalar_one()
    if any(seat.seated_at is not None and seat.seated_at > made_at for seat in table.seats):
        raise Refused(
            "CANNOT_BE_ASKED", "A hidden card has been shown since, and a seat has changed hands: that stays."
        )


def _proposal(table: models.Table, live: CurrentRound) -> Proposal | None:
    """The proposal that stands now."""
    if not table.proposal:
        return None
    proposal = msgspec.convert(table.proposal, Proposal)
    return proposal if (proposal.round_id, proposal.moves) == (live.round_id, live.moves) else None


def _waits(seats: Sequence[models.Seat], proposal: Proposal) -> tuple[int, ...]:
    """Who has yet to agree: people, but those for whom a bot plays only where a hidden card was shown."""
    people = (seat.number for seat in seats if seat.player_id and (proposal.shows or not seat.stand_in))
    return tuple(number for number in people if number not in proposal.agreed)


def _put(table: HeldTable, tail: Tail, proposal: Proposal) -> None:
    if _waits(table.seats, proposal):
        table.set(proposal=msgspec.to_builtins(proposal))
    else:
        _undo(table, proposal.by, tail)


def _undo(table: HeldTable, by: int, tail: Tail) -> None:
    connection, live = table.connection, table.round
    values: dict[str, Any] = {
        "round_id": live.round_id,
        "version": table.next_version,
        "seat": by,
        "first": tail.first,
        "last": live.moves,
        "agreed": setup_of(table.row).undo == VOTE,
        "made_at": table.context.now(),
    }
    event = chain.of_takeback(live.match_number, live.match.number, values)
    connection.execute(insert(models.Takeback).values(**values, **table.link(chain.TAKEBACK, event)))
    with quarantine_on_error(table.row.slug):
        stored = one_of(connection, select(models.Match).where(models.Match.id == live.match_id))
        left = replay(connection, table.row.game, stored)
    table.set(proposal=None)
    table.put_round(left)
    table.restart_clock(tail.mover)
