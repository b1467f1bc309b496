"""How the rounds of a match were dealt, for everybody to check: what was sealed, who cut, and what followed from it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.errors import Forbidden, or_not_found
from app.services.fairness import deals
from app.services.queries.table_page import TablePage, load_table_page
from app.services.table.chain import chain_of
from app.services.table.rounds import step_of
from app.storage import models
from app.storage.rows import all_of, find_one, one_of
from snug.engine import match as matches
from snug.engine.chance import Due, Outcome
from snug.engine.fairness import DealtMove, Proof, RoundProof, dealt_move, fault_of
from snug.engine.game import DEALER, RefusedMove, convert, read_options
from snug.engine.match import Match
from snug.games import GAMES


class RoundDealt(msgspec.Struct, frozen=True):
    """A round for one pair of eyes. What the dealer did and the secret are told when it `is_over` and nobody plays its
    deal any more; until then `proof` has the commitment only. `fault` is what is wrong with it, empty for nothing."""

    number: int
    proof: RoundProof
    is_over: bool
    is_told: bool
    fault: str

    @property
    def epochs(self) -> int:
        """How often the room was put back from a copy while the round was played."""
        labels = [move.epoch for move in self.proof.dealt]
        return sum(one != other for one, other in pairwise(labels))


class MatchDealt(msgspec.Struct, frozen=True):
    """A match for one pair of eyes: its rounds, the newest first, and how many matches there are to choose from.
    `chain` is how many links the table's chain has and its head, once the record may be had: while hands are hidden, a
    head would let one try out what was done."""

    page: TablePage
    number: int
    matches: int
    names: tuple[str, ...]
    rounds: tuple[RoundDealt, ...]
    chain: tuple[int, str] | None = None


class _Done(NamedTuple):
    """A dealer's move as it is stored, and what the rules asked for; None where the stored moves are not by the rules.
    `at` is its place among the moves of the match that stand."""

    due: Due | None
    outcome: Outcome
    at: int | None


def load_match_dealt(
    context: AppContext, connection: Connection, slug: str, player_id: int | None, number: int = 0
) -> MatchDealt:
    """The table's match of this number, the last for 0. Raises NotFound, and Forbidden for who may not see it."""
    page = load_table_page(context, connection, slug, player_id)
    if not page.viewer.may_see:
        raise Forbidden("There is nothing to see at this table for onlookers just now.")
    stored = all_of(connection, select(models.Match).filter_by(table_id=page.table.id).order_by(models.Match.number))
    if not stored and not number:
        return MatchDealt(page, 1, 0, page.people.names, ())
    asked = next((match for match in stored if match.number == (number or len(stored))), None)
    wanted = or_not_found(asked, "No such match was played at this table.")
    is_told = not page.is_secret or wanted.number > 1
    found = _rounds(connection, page.table.id, page.game.key, wanted)
    rounds = []
    for row, proof, done in found:
        is_over = row.scores is not None
        if is_over and is_told:
            whole = Proof(deals.place_of_table(page.table.id), wanted.number, [one for _, one, _ in found])
            fault = fault_of(whole, row.number - 1, len(wanted.names), [(one.due, one.outcome) for one in done])
            rounds.append(RoundDealt(row.number, proof, is_over, True, fault))
        else:
            told = msgspec.structs.replace(proof, secret="", dealt=[])
            rounds.append(RoundDealt(row.number, told, is_over, False, ""))
    names = tuple(wanted.names)
    table = one_of(connection, select(models.Table).where(models.Table.id == page.table.id))
    chain = chain_of(table) if page.table.is_finished and not page.is_secret else None
    return MatchDealt(page, wanted.number, len(stored), names, tuple(reversed(rounds)), chain)


def proof_of(connection: Connection, table: models.Table, match: models.Match) -> Proof | None:
    """What the record of a finished match carries; None where nothing of it was sealed."""
    rounds = [proof for _, proof, _ in _rounds(connection, table.id, table.game, match)]
    if not any(one.commitment for one in rounds):
        return None
    return Proof(deals.place_of_table(table.id), match.number, rounds)


def _rounds(
    connection: Connection, table_id: int, game: str, stored: models.Match
) -> list[tuple[models.Round, RoundProof, list[_Done]]]:
    """Every round of a match with its whole proof, for nobody's eyes before its end, and what the dealer did."""
    rounds = all_of(connection, select(models.Round).filter_by(match_id=stored.id).order_by(models.Round.number))
    epochs = deals.epochs(connection)
    shared = _shared(connection, table_id) if stored.number == 1 else None
    found = []
    for row, done in zip(rounds, _dealt(connection, game, stored, rounds), strict=True):
        number = f"{stored.number}.{row.number}"
        sealed = shared or deals.sealed(connection, deals.place_of_table(table_id), number)
        moves = [
            dealt_move(one.due, one.outcome, deals.label_of(epochs, row.id, nth), one.at)
            for nth, one in enumerate(done)
        ]
        found.append((row, _proof(row.number, sealed, moves), done))
    return found


def _shared(connection: Connection, table_id: int) -> models.Deal | None:
    """What is dealt from at every table of a tournament's stage, where this one belongs to such a stage."""
    mine = models.TournamentTable
    place = find_one(connection, select(mine).where(mine.table_id == table_id, mine.deal != ""))
    return deals.sealed_stage(connection, place.tournament_id, place.stage) if place else None


def _proof(number: int, sealed: models.Deal | None, moves: list[DealtMove]) -> RoundProof:
    if sealed is None or sealed.dealt_at is None:
        return RoundProof(number)
    cuts = sealed.cuts or []
    return RoundProof(
        round=number,
        place=sealed.place,
        number=sealed.number,
        commitment=sealed.commitment,
        committed_at=sealed.committed_at,
        cuts=[cut[0] if cut else "" for cut in cuts],
        cut_at=[cut[1] if cut else None for cut in cuts],
        dealt_at=sealed.dealt_at,
        secret=sealed.secret.hex(),
        dealt=moves,
    )


def _dealt(
    connection: Connection, game: str, stored: models.Match, rounds: Sequence[models.Round]
) -> Iterable[list[_Done]]:
    """What the dealer did in each of these first rounds of a match, his moves that were taken back included."""
    ids = [row.id for row in rounds]
    moves, took = models.Move, models.Takeback
    made = all_of(connection, select(moves).where(moves.round_id.in_(ids)).order_by(moves.round_id, moves.number))
    taken = all_of(connection, select(took).where(took.round_id.in_(ids)).order_by(took.round_id, took.version))
    rules = GAMES[game]
    seats = len(stored.names)
    match: Match | None = matches.begin(rules, read_options(rules, seats, stored.options), seats, stored.host_seat)
    index = 0
    for row in rounds:
        if match and row.number > 1:
            match = matches.next_round(match)
        done: list[_Done] = []
        before: list[Match | None] = []
        undone = [one for one in taken if one.round_id == row.id]
        for move in (one for one in made if one.round_id == row.id):
            before.append(match)
            stands = not any(one.first <= move.number <= one.last for one in undone)
            if move.seat == DEALER:
                did: Outcome = convert(move.move, Outcome)
                done.append(_Done(match.due if match else None, did, index if stands else None))
            index += stands
            match = _played(match, move)
            for one in undone:
                if one.last == move.number:
                    match = before[one.first - 1]
        yield done


def _played(match: Match | None, move: models.Move) -> Match | None:
    """The match after a stored move; None from a move on that is not by the rules."""
    if match is None:
        return None
    try:
        return matches.play(match, *step_of(match.game, move.seat, move.move))[0]
    except (RefusedMove, ValueError):
        return None
