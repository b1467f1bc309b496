"""What cards are dealt from."""

import logging
import os
from random import SystemRandom

import pytest

from app.services.context import AppContext
from app.services.fairness import deals
from tests.factories import begin, gather
from tests.services.queries.test_proofs import sealed


def test_a_room_draws_its_secrets_from_the_operating_system(context: AppContext) -> None:
    fields = AppContext.__dataclass_fields__
    assert fields["random"].default_factory is SystemRandom


def test_workers_that_are_forked_at_once_never_draw_the_same(context: AppContext) -> None:
    """Nothing of what secrets are drawn from is in the memory that is copied."""
    chance = SystemRandom()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(b"".join(chance.randbytes(deals.SECRET) for _ in range(50_000)))
        os._exit(0)
    os.close(writing)
    mine = [chance.randbytes(deals.SECRET) for _ in range(50_000)]
    with os.fdopen(reading, "rb") as pipe:
        theirs = pipe.read()
    os.waitpid(child, 0)
    drawn = {*mine, *(theirs[at : at + deals.SECRET] for at in range(0, len(theirs), deals.SECRET))}
    assert len(drawn) == 100_000


def test_no_log_tells_a_secret(context: AppContext, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    gather(context, 2, rounds=2)
    begin(context, 3).pass_round()
    for deal in sealed(context).values():
        for told in (deal.secret.hex(), repr(deal.secret), str(int.from_bytes(deal.secret, "big"))):
            assert told not in caplog.text
