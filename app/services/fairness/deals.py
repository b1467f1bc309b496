"""Secrets that rounds are dealt from, sealed before (`engine.fairness`): for the dealer, and for a proof once the round
is over. They are never logged."""

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final, cast

from sqlalchemy import Connection, bindparam, insert, select, update

from app.services.context import AppContext
from app.services.errors import Refused
from app.storage import models
from app.storage.rows import all_of, find_one, with_values
from app.storage.writer import Transaction
from snug.engine.fairness import STAGE, commitment_of

LONGEST_CUT: Final = 32
SECRET: Final = 32  # bytes
LOT: Final = "lot"  # in place of a round's number: for those who are level at the end of a stage
_CUT: Final = re.compile(rf"[0-9A-Za-z]{{1,{LONGEST_CUT}}}")
_SEAL: Final = insert(models.Deal)
CHANGE_DEAL: Final = update(models.Deal).where(
    models.Deal.place == bindparam("this_place"), models.Deal.number == bindparam("this_number")
)
_EPOCHS: Final = select(models.Epoch).order_by(models.Epoch.number.desc())


def place_of_table(table_id: int) -> str:
    """What a table is called in proofs: not by its link, which is a secret."""
    return str(table_id)


def place_of_stage(tournament_id: int, stage: int) -> str:
    """What a stage of a tournament is called in proofs."""
    return f"{tournament_id}/{stage}"


def seal(context: AppContext, transaction: Transaction, place: str, number: str, secret: bytes | None = None) -> str:
    """Seals what round `number` of a place is dealt from, a new secret unless given; gives the public commitment."""
    secret = secret or context.random.randbytes(SECRET)
    commitment = commitment_of(place, number, secret)
    values: dict[str, object] = {"place": place, "number": number, "secret": secret, "commitment": commitment}
    values |= {"committed_at": context.now(), "cuts": None, "dealt_at": None}
    transaction.store(_SEAL, values)
    transaction.known[_SEAL, place, number] = SimpleNamespace(**values)
    return commitment


def sealed_here(transaction: Transaction, place: str, number: str) -> models.Deal | None:
    """What was sealed for a round, if anything was, be it in this transaction."""
    key = _SEAL, place, number
    if key not in transaction.known:
        transaction.known[key] = sealed(transaction.connection, place, number)
    return cast("models.Deal | None", transaction.known[key])


def sealed(connection: Connection, place: str, number: str) -> models.Deal | None:
    """What was sealed for a round, if anything was."""
    return find_one(connection, select(models.Deal).filter_by(place=place, number=number))


def sealed_stage(connection: Connection, tournament_id: int, stage: int) -> models.Deal | None:
    """What was sealed for every round of a tournament's stage, where all tables get the same deal."""
    return sealed(connection, place_of_stage(tournament_id, stage), STAGE)


def stage_seals(connection: Connection, tournament_id: int, stages: int) -> tuple[str, ...]:
    """The commitments for the stages of a tournament in which all tables get the same deal, in order."""
    places = [place_of_stage(tournament_id, stage) for stage in range(1, stages + 1)]
    sealed = select(models.Deal.place, models.Deal.commitment).filter_by(number=STAGE)
    found = {row.place: row.commitment for row in connection.execute(sealed.where(models.Deal.place.in_(places)))}
    return tuple(found[place] for place in places if place in found)


def deal_from(
    context: AppContext, transaction: Transaction, deal: models.Deal, cuts: Sequence[list[Any] | None]
) -> list[str]:
    """The first cards are dealt from this secret now, with these cuts (text and time) by seat; gives the texts."""
    now = max(context.now(), deal.committed_at)  # whatever the clock was set to: what came after is written as later
    used = [cut and [cut[0], min(max(cut[1], deal.committed_at), now)] for cut in cuts]
    this, dealt = {"this_place": deal.place, "this_number": deal.number}, {"cuts": used, "dealt_at": now}
    transaction.store(CHANGE_DEAL, {**this, **dealt})
    transaction.known[_SEAL, deal.place, deal.number] = with_values(deal, dealt)
    return texts_of(used)


def texts_of(cuts: Sequence[list[Any] | None]) -> list[str]:
    """What was cut with, by seat; empty for one that did not."""
    return [cut[0] if cut else "" for cut in cuts]


def epoch_of(transaction: Transaction, round_id: int, nth: int) -> str:
    """Which epoch the `nth` dealer's move of a round is of; empty in a room that was never put back from a copy."""
    if _EPOCHS not in transaction.known:
        transaction.known[_EPOCHS] = epochs(transaction.connection)
    return label_of(transaction.known[_EPOCHS], round_id, nth)


def label_of(epochs: Sequence[models.Epoch], round_id: int, nth: int) -> str:
    """The same with the epochs read, the newest first."""
    for epoch in epochs:
        since = epoch.dealt.get(str(round_id))
        if round_id > epoch.last_round or (since is not None and nth >= since):
            return epoch.label
    return ""


def epochs(connection: Connection) -> Sequence[models.Epoch]:
    """When the room was put back from a copy, the newest first."""
    return all_of(connection, _EPOCHS)


def clean_cut(text: str) -> str:
    """What somebody cuts the deck with; empty for who does not. Raises Refused."""
    cut = text.strip()
    if cut and not _CUT.fullmatch(cut):
        raise Refused("BAD_CUT", "Cut the deck with up to %(most)s letters and digits.", most=LONGEST_CUT)
    return cut
