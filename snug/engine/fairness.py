"""Deals that can be proved: a secret that is sealed before the deal, everybody's cut, and what follows from both.

The seal is a hash of the secret. When the cards are dealt, the secret and the cuts make a key of the round, and that a
key of each dealer's move, from which `Chance` makes what happens. Once the secret is told, anybody can do it again.
How the hashes are made is a promise: `docs/fairness.md` states it, `docs/verify_deal.py` does it without this module.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from snug.engine.cards import parse_pile
from snug.engine.chance import Chance, ChooseDue, Draw, DrawDue, Due, Outcome, Shuffle, ShuffleDue
from snug.engine.game import convert, plain
from snug.words import gettext

STAGE: Final = "stage"  # the number of what is dealt from in every round of a tournament's stage


def packed(*parts: str | int | bytes) -> bytes:
    """The parts, each with its length before it, so that no other parts give the same bytes."""
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in raw)


def commitment_of(place: str, number: str, secret: bytes) -> str:
    """The commitment to a secret, for the round `number` ("1.2": round 2 of match 1) at a place."""
    return hashlib.sha256(packed("snug-commit-v1", place, number, secret)).hexdigest()


def lot_seal(stage: int, lot: str) -> str:
    """The commitment to the lot of a tournament's stage: it gives nothing away, and fits no other lot."""
    return hashlib.sha256(packed("snug-lot-v1", stage, lot)).hexdigest()


def lot_drawn(lot: str, entry: int) -> str:
    """What an entry draws from a lot: of those who are level the lowest goes first. Without one, as in older
    tournaments, that is whoever entered first."""
    return hashlib.sha256(packed(lot, entry)).hexdigest() if lot else f"{entry:09}"


def round_key(secret: bytes, place: str, match: int, number: int, cuts: Sequence[str]) -> bytes:
    """What a round is dealt from: the secret and the cut of every seat, empty for one that did not cut."""
    seats = [part for seat, cut in enumerate(cuts, 1) for part in (seat, cut)]
    return hmac.digest(secret, packed("snug-shuffle-v1", place, match, number, len(cuts), *seats), "sha256")


def move_key(key: bytes, epoch: str, nth: int) -> bytes:
    """What the `nth` dealer's move of a round (from 0, those taken back counted) is made from. `epoch` names the last
    time that the room was put back from a copy, so that a deal that was seen does not come again."""
    return hmac.digest(key, packed(epoch, nth), "sha256")


def outcome(due: Due, key: bytes) -> Outcome:
    """What the dealer does with this key. The cards are laid out by their notation before: which they are is enough to
    do it again, not how they lay."""
    if not isinstance(due, ChooseDue):
        due = msgspec.structs.replace(due, cards=tuple(sorted(due.cards)))
    return due.outcome(Chance(key))


class DealtMove(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A dealer's move of a round: the index of the record's `move`, or what was `taken_back`. `cards` are those that
    the dealer had before him where the move does not tell them, `jokers` of them replaced by jokers."""

    move: int | None = None
    taken_back: dict[str, Any] | None = None
    epoch: str = ""
    cards: list[str] = []
    jokers: int = 0


class RoundProof(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a round was dealt; without a `commitment` it was begun before deals were sealed. `cuts` and `cut_at` are
    those of the seats in order, none where a whole stage is dealt alike."""

    round: int
    place: str = ""
    number: str = ""
    commitment: str = ""
    committed_at: float = 0.0
    cuts: list[str] = []
    cut_at: list[float | None] = []
    dealt_at: float = 0.0
    secret: str = ""
    dealt: list[DealtMove] = []


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a record carries for a stranger to check it: the table, the number of its match, the rounds in order."""

    table: str
    match: int
    rounds: list[RoundProof]


def dealt_move(due: Due | None, done: Outcome, epoch: str, index: int | None) -> DealtMove:
    """A dealer's move as a proof writes it; `index` is None for one that was taken back."""
    told = {} if index is not None else plain(done)
    hidden = isinstance(due, DrawDue) or (isinstance(due, ShuffleDue) and due.jokers)
    cards = [str(card) for card in sorted(due.cards)] if hidden and not isinstance(due, ChooseDue) and due else []
    return DealtMove(index, told or None, epoch, cards, due.jokers if isinstance(due, ShuffleDue) else 0)


def fault_of(proof: Proof, nth: int, seats: int, dealt: Sequence[tuple[Due | None, Outcome | None]]) -> str:
    """What is wrong with round `nth` (from 0) of a proof, as a sentence; empty where everything is as it must be.
    `dealt` is what the rules asked of the dealer, move by move, and what he did."""
    one, number = proof.rounds[nth], nth + 1
    here = one.place == proof.table
    if one.round != number:
        return gettext("The round is missing.")
    if not one.commitment:
        return gettext("It was begun before deals were sealed.")
    if not one.secret:
        return gettext("Its secret has not been told.")
    if one.number != (f"{proof.match}.{number}" if here else STAGE):
        return gettext("It was sealed for another round.")
    try:
        secret = bytes.fromhex(one.secret)
    except ValueError:
        return gettext("Its secret is none.")
    if commitment_of(one.place, one.number, secret) != one.commitment:
        return gettext("The secret is not the one that was sealed.")
    if len(one.cuts) != (seats if here else 0) or len(one.cut_at) != len(one.cuts):
        return gettext("The cuts are not those of the seats.")
    times = [one.committed_at, *(at for at in one.cut_at if at is not None), one.dealt_at]
    if min(times) < one.committed_at or max(times) > one.dealt_at:
        return gettext("It was sealed too late.")
    key = round_key(secret, one.place, proof.match, number, one.cuts)
    if len(dealt) != len(one.dealt):
        return gettext("The dealer’s moves are not all there.")
    for at, ((due, done), written) in enumerate(zip(dealt, one.dealt, strict=True)):
        if due is None or outcome(due, move_key(key, written.epoch, at)) != done:
            return gettext("The cards do not follow from the secret and the cuts.")
    return ""


def due_of(written: DealtMove, done: Outcome, seats: int) -> Due:
    """What the dealer was to do, by what a proof says of it. Raises ValueError."""
    cards = parse_pile(written.cards)
    if isinstance(done, Shuffle):
        return ShuffleDue(cards or done.cards, written.jokers)
    return DrawDue(cards) if isinstance(done, Draw) else ChooseDue(seats)


def taken_back(written: DealtMove) -> Outcome:
    """The dealer's move that was taken back. Raises ValueError."""
    done: Outcome = convert(written.taken_back or {}, Outcome)
    return done
