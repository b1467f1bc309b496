"""Requests an hour, and patience with addresses that do not answer."""

from app.jobs.budget import Budget, Patience
from tests.conftest import Clock


def test_each_has_an_hourly_budget_and_so_has_the_room(clock: Clock) -> None:
    budget = Budget(each=3, everybody=7, now=clock)
    assert [budget.take("ann") for _ in range(4)] == [True, True, True, False]
    assert [budget.take("bob") for _ in range(4)] == [True, True, True, False]
    assert [budget.take("cem") for _ in range(2)] == [True, False], "the room's is spent"
    clock.advance(1200)
    assert [budget.take("ann") for _ in range(2)] == [True, False], "a third of an hour, a third of three"
    clock.advance(100 * 3600)
    assert [budget.take("ann") for _ in range(4)] == [True, True, True, False], "nothing is saved up"


def test_a_budget_remembers_the_latest_only(clock: Clock) -> None:
    budget = Budget(each=1, everybody=50_000, now=clock)
    assert all(budget.take(number) for number in range(20_000))
    assert len(budget._left) <= 10_000
    assert not budget.take(19_999)


def test_who_does_not_answer_is_left_alone_for_longer_and_longer(clock: Clock) -> None:
    patience, waited = Patience(clock), []
    for _ in range(7):
        assert patience.may_try("a")
        assert not patience.ends("a", well=False)
        before = clock()
        while not patience.may_try("a"):
            clock.advance(60)
        waited.append(clock() - before)
    assert waited == [60, 120, 240, 480, 960, 1920, 3840]
    assert patience.may_try("b")
    assert patience.ends("a", well=False)
    assert patience.may_try("a"), "whoever comes with this address again begins afresh"


def test_an_answer_makes_up_for_all_failures(clock: Clock) -> None:
    patience = Patience(clock)
    for _ in range(30):
        assert not patience.ends("a", well=False)
        assert not patience.ends("a", well=True)
        assert patience.may_try("a")
