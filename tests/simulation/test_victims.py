"""What killed rooms are held to can be failed."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.services.context import AppContext
from tests.conftest import on_sqlite
from tests.factories import begin
from tests.pages import Form
from tests.simulation.victims import Friends, check_stored


@on_sqlite
def test_a_move_that_is_lost_and_one_that_nobody_sent_are_seen(context: AppContext, database_url: str) -> None:
    party = begin(context, 2, rounds=2)
    table = f"/t/{party.slug}"
    sent = []
    for _ in range(3):
        turn = party.move()
        fields = {"seen": str(turn.version), **{name: str(value) for name, value in turn.moves[0].items()}}
        sent.append(Form("post", f"{table}/moves", tuple(fields.items())))

    def check(acknowledged: list[Form], unsure: Form | None = None) -> None:
        friends: Any = SimpleNamespace(table=table, acknowledged=acknowledged, unsure=unsure)
        check_stored(database_url, [cast(Friends, friends)])

    other = Form("post", f"{table}/moves", (("seen", "99"), ("move", "pass")))
    check(sent)
    check(sent[:2], unsure=sent[2])
    check(sent, unsure=other)
    for wrong in ([*sent, other], [*sent, sent[0]], sent[:2]):  # lost, acknowledged twice, done though nobody sent it
        with pytest.raises(AssertionError):
            check(wrong)
    with pytest.raises(AssertionError):
        check(sent[:2], unsure=other)
