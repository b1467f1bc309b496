"""Evenings at random: the standings are what the log comes to when it is reckoned by other means."""

from collections import Counter

import pytest

from snug.tournament import fold
from snug.tournament.events import Corrected
from snug.tournament.standings import standings
from tests.tournament.cups import CupEvening, CupReckoning
from tests.tournament.evenings import PLACES, Evening, Reckoning

_FEW, _MANY, _PARTS = 25, 1000, 10


def check(number: int, seen: Counter[str]) -> None:
    evening = Evening(number)
    for _ in evening.moments():
        pass
    after = evening.now
    if len(after.entries) > after.plan.players:  # there was a reserve list, which the reckoning does not know
        return
    assert not after.stage, number  # nobody waits for somebody who has left
    assert fold.fold(after.plan, after.log) == after
    lines = standings(after)
    assert {line.entries[0]: line.points for line in lines} == Reckoning(after.log).points(), number
    assert [line.place for line in lines] == [1 + sum(o.points > line.points for o in lines) for line in lines], number
    seen.update(type(event).__name__ for event in after.log)
    seen["late"] += sum(isinstance(event, Corrected) and bool(event.stage) for event in after.log)
    seen.update(("evenings", after.plan.format))


def check_cup(number: int, seen: Counter[str]) -> None:
    evening = CupEvening(number)
    for _ in evening.moments():
        pass
    after = evening.now
    if len(after.entries) > PLACES or not after.closed:
        return
    assert not after.stage, number
    assert fold.fold(after.plan, after.log) == after
    reckoned, lines = CupReckoning(after.plan, after.log), standings(after)
    ranks = reckoned.ranks()
    assert {line.entries[0]: line.points for line in lines} == reckoned.points(), number
    places = {entry: 1 + sum(other < rank for other in ranks.values()) for entry, rank in ranks.items()}
    assert {line.entries[0]: line.place for line in lines} == places, number
    seen.update(type(event).__name__ for event in after.log)
    seen.update({after.plan.format: 1, "gone on": reckoned.seated_as_reckoned, "cups": 1})


@pytest.mark.dear(1, "whole evenings")
def test_an_evening_comes_to_what_its_log_says() -> None:
    seen = Counter[str]()
    for number in range(_FEW):
        check(number, seen)
    wanted = {"Moved", "Annulled", "Reinstated", "Withdrew", "Returned", "Corrected", "late", "Entered", "Adjusted"}
    wanted |= {"rotating", "swiss", "round_robin"}
    assert not {it for it in wanted if not seen[it]}
    assert seen["evenings"] > _FEW // 2


@pytest.mark.dear(15, "a hundred evenings")
@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("part", range(_PARTS))
def test_a_thousand_evenings_do(part: int) -> None:
    seen = Counter[str]()
    for number in range(_FEW + part, _MANY, _PARTS):
        check(number, seen)
    assert seen["evenings"] > _MANY // _PARTS // 2


@pytest.mark.dear(3, "whole evenings")
def test_those_go_on_from_a_knockout_or_groups_who_do_by_the_log() -> None:
    seen = Counter[str]()
    for number in range(_FEW):
        check_cup(number, seen)
    wanted = {
        "knockout",
        "double_elimination",
        "groups",
        "gone on",
        "Annulled",
        "Withdrew",
        "Corrected",
        "Wished",
        "Adjusted",
    }
    assert not {it for it in wanted if not seen[it]}
    assert seen["cups"] > _FEW // 2


@pytest.mark.dear(15, "a hundred evenings")
@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("part", range(_PARTS))
def test_so_they_do_on_a_thousand_evenings(part: int) -> None:
    seen = Counter[str]()
    for number in range(_FEW + part, _MANY, _PARTS):
        check_cup(number, seen)
    assert seen["cups"] > _MANY // _PARTS // 2
    assert seen["Seeded"]
