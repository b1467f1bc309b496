"""Hints, where the host allows them: what a sharp player would do in a seat's place, from what that seat sees alone.

Only the seat that asked learns of it, even that it asked. What it was told stands in its log until the round is over;
the same question has the same answer, and whoever asks twice is shown it again. Never in tournaments."""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import msgspec

from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.play.board import seen_from
from app.services.quotas import take_hint
from app.services.table.events import HintWanted
from app.services.table.held_table import PLAYING, HeldTable
from app.services.table.open_table import open_table
from app.services.table.rounds import CurrentRound, Made
from app.services.table.settings import setup_of
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import live_at, settings_at
from app.storage import models
from app.storage.writer import Transaction
from snug.bots.reasons import advice_of
from snug.bots.search import Thought
from snug.engine.game import DEALER, Move, View
from snug.games import GAMES
from snug.words import Message, packed, unpacked


class HintMoment(NamedTuple):
    """A moment of a round: how many moves are stored, and when some were taken back last. These count still."""

    moves: int
    taken_back_at: int


class Question(msgspec.Struct, frozen=True):
    """What a seat wants to know at a moment of a round: what it sees, and the chance to think with."""

    game: str
    round_id: int
    at: HintMoment
    view: View
    seed: int


class Hint(msgspec.Struct, frozen=True):
    """What a seat was told at a moment of the round: a move, why, and the ids of what is tapped for it."""

    at: HintMoment
    move: Message
    why: Message
    taps: tuple[str, ...] = ()

    @property
    def moves(self) -> int:
        """After how many moves it was told."""
        return self.at.moves


class Hints(msgspec.Struct, frozen=True, kw_only=True):
    """The hints of a table that `allows` any: those that this seat was `given` in the round, and the `advice` about
    what it is asked now; whether this person `may_ask` now what to do, and has not been told yet."""

    allows: bool = False
    given: tuple[Hint, ...] = ()
    advice: Hint | None = None
    may_ask: bool = False


def hints_at(snapshot: TableSnapshot, my_seat: int | None) -> Hints:
    """The hints of a seat, and that an onlooker has none."""
    row, live, seat = snapshot.row, live_at(snapshot), snapshot.seat(my_seat)
    allows = snapshot.once(settings_at).hints and not snapshot.has_place and GAMES[row.game].has_imagination
    if live is None or seat is None:
        return Hints(allows=allows)
    given = hints_of(seat, live)
    advice = advice_in(given, live, seat.number) if row.status == PLAYING else None
    view = snapshot.once(seen_from, my_seat, my_seat).view if row.status == PLAYING else None
    is_asked = view is not None and bool(view.legal) and seat.stand_in is None
    return Hints(allows=allows, given=given, advice=advice, may_ask=allows and is_asked and not advice)


def ask(context: AppContext, transaction: Transaction, slug: str, player_id: int, household: str) -> Question | None:
    """A player wants a hint: what to think about, None where it was given already. Raises NotFound; Forbidden for who
    has no seat; Refused where there are no hints; Conflict where it is not this player's turn; TooOften."""
    with open_table(context, transaction, slug, by=player_id, seated=True, status=PLAYING, paused=False) as table:
        _refuse_unless_allowed(table)
        live, seat = table.round, table.me
        view = live.sight(seat.number)
        if not view.legal:
            raise Conflict("It is not your turn: ask again when it is.")
        given = hints_of(seat, live)
        if advice_in(given, live, seat.number):
            return None
        asked = _kept_of(seat, live).get("asked_at")
        if not (asked and _is_still(HintMoment(*asked), live, seat.number)):  # who asks again takes no more
            take_hint(context, transaction, player_id, household)
            table.change_seat(seat, quietly=True, hints=_kept(live, given))
        mine = max((number for number, made in enumerate(live.made, 1) if made.seat == seat.number), default=0)
        seed = (live.match_number << 40) + (live.match.number << 20) + mine  # the same while others choose as well
        return Question(table.row.game, live.round_id, _moment(live), view, seed)


def _refuse_unless_allowed(table: HeldTable) -> None:
    table.context.handlers.tell(HintWanted(table))
    if not setup_of(table.row).hints:
        raise Refused("NO_HINTS", "At this table there are no hints: the host can allow them before the next game.")
    if not table.round.match.game.has_imagination:
        raise Refused("NO_HINTS", "For this game there are no hints.")


def keep(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, question: Question, thought: Thought
) -> None:
    """Tells the player what came of thinking, unless the table has moved on meanwhile. No other page shows anything."""
    with open_table(context, transaction, slug, by=player_id, seated=True, only_plays=True) as table:
        live, seat = table.round, table.me
        is_mine = (question.round_id, question.view.seat) == (live.round_id, seat.number)
        if not (is_mine and _is_still(question.at, live, seat.number)):
            raise Conflict("The table has moved on meanwhile: ask again if it is your turn.")
        given = [hint for hint in hints_of(seat, live) if hint.at != question.at]
        advice = advice_of(question.game, question.view, thought, live.names)
        hint = Hint(question.at, advice.move, advice.why, advice.taps)
        table.change_seat(seat, quietly=True, hints=_kept(live, [*given, hint]))


def _moment(live: CurrentRound) -> HintMoment:
    return HintMoment(live.moves, live.taken_back_at)


def _is_still(at: HintMoment, live: CurrentRound, seat: int) -> bool:
    """Whether a seat is asked what it was asked then: others may have made secret choices since, as its own is."""
    return (
        seat in live.match.to_act
        and at.taken_back_at == live.taken_back_at
        and all(_is_secret(made, seat) for made in live.made[at.moves :])
    )


def _is_secret(made: Made, seat: int) -> bool:
    return made.seat not in (DEALER, seat) and cast(Move, made.move).seen_by(made.seat, seat) != made.move


def _kept(live: CurrentRound, hints: Sequence[Hint]) -> dict[str, Any]:
    """As the seat's row keeps them, with the moment at which it has asked last: now."""
    given = [
        {**hint.at._asdict(), "move": packed(hint.move), "why": packed(hint.why), "taps": list(hint.taps)}
        for hint in hints
    ]
    return {"round_id": live.round_id, "asked_at": list(_moment(live)), "given": given}


def _kept_of(seat: models.Seat, live: CurrentRound) -> dict[str, Any]:
    kept = seat.hints or {}
    return kept if kept.get("round_id") == live.round_id else {}


def hints_of(seat: models.Seat, live: CurrentRound) -> tuple[Hint, ...]:
    """What the seat was told in this round, oldest first."""
    given = _kept_of(seat, live).get("given", ())
    return tuple(
        Hint(
            HintMoment(one["moves"], one.get("taken_back_at", 0)),
            unpacked(one["move"]),
            unpacked(one["why"]),
            tuple(one.get("taps", ())),
        )
        for one in given
    )


def advice_in(hints: Sequence[Hint], live: CurrentRound, seat: int) -> Hint | None:
    """The one of a seat's hints that is about what it is asked now."""
    return next((hint for hint in hints if _is_still(hint.at, live, seat)), None)
