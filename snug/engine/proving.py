"""Whether a record's deals are what was sealed before, by the rules of its game: what `docs/verify_deal.py` checks, and
that the dealer had before him what the rules say."""

import msgspec

from snug.engine import match as matches
from snug.engine.chance import Due, Outcome
from snug.engine.fairness import DealtMove, Proof, dealt_move, due_of, fault_of, taken_back
from snug.engine.game import DEALER, Move, RefusedMove
from snug.engine.record import MalformedRecord, Reading
from snug.words import gettext


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a round."""

    round: int
    sentence: str


def faults_of(reading: Reading) -> list[Fault]:
    """Everything that is wrong with the deals of a record; nothing, if they are honest. Raises MalformedRecord for a
    record without a proof, and for a proof that cannot be read."""
    if reading.record.proof is msgspec.UNSET:
        raise MalformedRecord("proof: this record has none: its deals were not sealed")
    try:
        proof = msgspec.convert(reading.record.proof, Proof)
    except ValueError as error:
        raise MalformedRecord(f"proof: {error}") from error
    asked = _asked(reading)
    found = []
    for nth, one in enumerate(proof.rounds):
        dealt = [_dealt(reading, asked, nth + 1, written) for written in one.dealt]
        if fault := fault_of(proof, nth, reading.record.seats, dealt):
            found.append(Fault(nth + 1, fault))
    covered = [
        (nth, move.move) for nth, one in enumerate(proof.rounds, 1) for move in one.dealt if move.move is not None
    ]
    if covered != [
        (asked[at][0] if at in asked else 0, at) for at, (seat, _) in enumerate(reading.steps) if seat == DEALER
    ]:
        found.append(Fault(0, gettext("Some moves of the dealer’s have no proof, or are not by the rules.")))
    return found


def _asked(reading: Reading) -> dict[int, tuple[int, Due]]:
    """What the rules asked of the dealer and in which round, by the index of the move, up to the first wrong one."""
    found: dict[int, tuple[int, Due]] = {}
    match = reading.start
    for index, (seat, move) in enumerate(reading.steps):
        if match.round_over and not match.over:
            match = matches.next_round(match)
        if seat == DEALER and match.due:
            found[index] = match.number, match.due
        try:
            match, _ = matches.play(match, seat, move)
        except RefusedMove:
            break
    return found


def _dealt(
    reading: Reading, asked: dict[int, tuple[int, Due]], number: int, written: DealtMove
) -> tuple[Due | None, Outcome | None]:
    """What the rules asked for and what the dealer did, in a move that a proof names. What was asked for in a move that
    was taken back is as the proof says: the record does not hold how the cards lay then."""
    try:
        if written.move is None:
            done = taken_back(written)
            return due_of(written, done, reading.record.seats), done
        of_round, due = asked.get(written.move, (0, None))
        _, move = reading.steps[written.move]
    except (LookupError, ValueError):
        return None, None
    if isinstance(move, Move) or of_round != number or written != dealt_move(due, move, written.epoch, written.move):
        return None, None
    return due, move
