"""What a plan comes to with so many people."""

import pytest

from snug.tournament.forecast import forecast
from snug.tournament.plan import Groups, Plan, StagePlan, Teams
from tests.tournament.company import fixed, stage


def sizes(plan: Plan, people: int) -> list[tuple[int, ...]]:
    return [stage.sizes for stage in forecast(plan, people).stages]


def test_sixteen_make_four_tables_of_four_at_each_stage() -> None:
    plan = Plan(format="rotating", stages=(stage(),) * 3, players=16)
    assert sizes(plan, 16) == [(4, 4, 4, 4)] * 3
    assert [stage.out for stage in forecast(plan, 16).stages] == [0, 0, 0]


def test_with_tables_of_one_size_somebody_sits_out() -> None:
    plan = Plan(format="swiss", stages=(fixed(),) * 2, players=16)
    assert [(stage.sizes, stage.out) for stage in forecast(plan, 13).stages] == [((4, 4, 4), 1)] * 2
    assert forecast(plan, 3).stages == ()


def test_a_knockout_goes_on_to_its_final() -> None:
    plan = Plan(format="knockout", stages=(stage(),), players=16)
    assert sizes(plan, 16) == [(4, 4, 4, 4), (4, 4), (4,)]


def test_who_sits_out_a_knockouts_stage_goes_on() -> None:
    plan = Plan(format="knockout", stages=(fixed(2),), players=5, advance=1)
    assert [(sum(stage.sizes), stage.out) for stage in forecast(plan, 5).stages] == [(4, 1), (2, 1), (2, 0)]


def test_the_best_of_the_groups_play_a_knockout() -> None:
    plan = Plan(format="groups", stages=(stage(),) * 3, players=16, groups=Groups(4, 2, 2))
    assert sizes(plan, 16) == [(4, 4, 4, 4), (4, 4, 4, 4), (4, 4), (4,)]


def test_a_series_has_one_table_and_teams_are_full() -> None:
    assert sizes(Plan(format="series", stages=(stage(),), players=6), 6) == [(6,)]
    teams = Plan(format="rotating", stages=(stage(),), players=16, teams=Teams(3))
    assert forecast(teams, 16).people == 15


@pytest.mark.parametrize(("rounds", "minutes"), [(2, 4), (6, 12)])
def test_more_rounds_take_longer(rounds: int, minutes: float) -> None:
    plan = Plan(format="series", stages=(StagePlan("lucky_paw", {"rounds": rounds}),) * 2, players=6)
    assert forecast(plan, 4).minutes == 2 * minutes
