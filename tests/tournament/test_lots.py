"""Who goes on where all are level: a lot that was sealed while nobody knew who would be."""

from collections import Counter

import msgspec
import pytest

from snug.engine.fairness import lot_drawn, lot_seal
from snug.tournament.events import AnyLogEvent, LotSealed, StageClosed, StageSeated
from snug.tournament.plan import Groups
from snug.tournament.state import Tournament
from tests.tournament.company import after, entered, finished, refused
from tests.tournament.test_groups import in_groups

_TABLES = ((1, 2, 3, 4), (5, 6, 7, 8))


def level(lot: str) -> Tournament:
    """A knockout whose first tables end with everybody level, and the lot sealed before."""
    seated = after(entered(8, 1, format="knockout", ties=()), StageSeated(_TABLES), LotSealed(lot_seal(1, lot)))
    return after(seated, *(finished(table, 5, 5, 5, 5) for table in (1, 2)))


def test_the_sealed_lot_decides_who_goes_on_and_is_told() -> None:
    gone_on = Counter[int]()
    for number in range(60):
        closed = after(level(f"lot {number}"), StageClosed(f"lot {number}"))
        through = closed.stages[0].through
        for cut, table in zip(closed.stages[0].cuts, _TABLES, strict=True):
            first, second, *_ = sorted(table, key=lambda entry: lot_drawn(f"lot {number}", entry))
            assert {first, second} <= through
            assert (cut.through, cut.sentence.endswith(f"the lot sends {closed.name(second)} on.")) == (second, True)
        gone_on.update(through)
    assert set(gone_on) == set(range(1, 9))
    assert min(gone_on.values()) > 15  # of 60, where 30 are fair; whoever entered first had all of them


@pytest.mark.parametrize("lot", ["", "another"])
def test_no_other_lot_closes_the_stage(lot: str) -> None:
    assert refused(level("mine"), StageClosed(lot)).code == "BAD_LOT"


def test_a_lot_is_sealed_before_any_table_is_finished_and_once() -> None:
    seal = LotSealed(lot_seal(1, "mine"))
    plain = after(entered(8, 1, format="knockout"), StageSeated(_TABLES))
    assert refused(after(plain, seal), seal).code == "BAD_LOT"
    assert refused(after(plain, finished(1, 1, 2, 3, 4)), seal).code == "BAD_LOT"
    assert refused(after(entered(4, 1, format="knockout"), StageSeated(((1, 2, 3, 4),))), seal).code == "BAD_LOT"
    assert refused(after(entered(8), StageSeated(_TABLES)), seal).code == "BAD_LOT"


@pytest.mark.parametrize("letters", [63, 65])
def test_a_seal_is_a_hash(letters: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"event": "lot_sealed", "seal": "a" * letters}, AnyLogEvent)


def test_without_a_seal_the_stage_is_closed_as_it_always_was() -> None:
    plain = after(entered(8, 1, format="knockout", ties=()), StageSeated(_TABLES))
    done = after(plain, *(finished(table, 5, 5, 5, 5) for table in (1, 2)))
    assert refused(done, StageClosed("mine")).code == "BAD_LOT"
    assert after(done, StageClosed()).stages[0].through == {1, 2, 5, 6}
    assert msgspec.to_builtins(StageClosed()) == {"event": "stage_closed"}
    assert msgspec.convert({"event": "stage_closed"}, AnyLogEvent) == StageClosed()


def test_a_lot_decides_behind_groups_too() -> None:
    winners = set[frozenset[int]]()
    for number in range(20):
        tournament = in_groups(8, Groups(2), ties=("countback",))
        lot = f"lot {number}"
        tournament = after(tournament, StageSeated(_TABLES, groups=_TABLES), LotSealed(lot_seal(1, lot)))
        tournament = after(tournament, finished(1, 5, 5, 5, 5), finished(2, 1, 2, 3, 4), StageClosed(lot))
        winners.add(tournament.stages[0].through)
        assert tournament.stages[0].through >= {5, 6}
    assert len(winners) > 3
