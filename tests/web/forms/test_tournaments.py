"""The form for a tournament: what it asks for and what is left out, and the form that a tournament would have."""

from typing import Any

import pytest

from app.services.errors import Refused
from app.services.table.settings import read_setup
from app.services.tournaments.conditions import Conditions, read_conditions
from app.web.forms.tournaments.fields import (
    ANOTHER,
    FIELDS,
    PRESETS,
    STEPS,
    USUAL,
    Filled,
    is_asked,
    preset_of,
    step_of,
)
from app.web.forms.tournaments.forecast import forecast_of
from app.web.forms.tournaments.read import BadField, check, conditions_of, field_of, form_of, plan_of
from snug.tournament.checks import read_plan
from snug.tournament.plan import PaperGame
from snug.words import Message

FORMATS = [value for value, _ in FIELDS["format"].choices]


def filled(**more: Any) -> dict[str, Any]:
    return {**USUAL, "name": "", **more}


@pytest.mark.parametrize("number", range(len(PRESETS)))
def test_a_preset_is_known_by_what_the_form_holds(number: int) -> None:
    values = {**USUAL, **PRESETS[number][2], "title": "Friday"}
    assert preset_of(values) == number


@pytest.mark.parametrize("changes", [changes for _, _, changes in PRESETS])
def test_every_ready_made_tournament_can_be_opened_and_read_back(changes: dict[str, Any]) -> None:
    values = filled(**changes, first="full", opens="20:00", closes="23:00", zone="Europe/London")
    values["first_count"] = "4"
    plan = read_plan(plan_of(values), strict=False)
    conditions = read_conditions(conditions_of(values), plan.players, 0)
    again = {**form_of("Card evening", plan, conditions), "name": ""}
    assert read_plan(plan_of(again), strict=False) == plan
    assert read_conditions(conditions_of(again), plan.players, 0) == conditions


DARTS = {"games": [ANOTHER], "another_name": " Darts ", "another_lowest_wins": True, "another_minutes": "12"}


@pytest.mark.parametrize("games", [[ANOTHER], ["lucky_paw", ANOTHER]])
@pytest.mark.parametrize("format", FORMATS)
def test_another_game_is_played_in_every_format(format: str, games: list[str]) -> None:
    values = filled(
        **{**DARTS, "games": games}, format=format, players="8", group_count="2", drop_out="frozen", same_deal=True
    )
    plan = read_plan(plan_of(values), strict=False)
    darts = plan.stage(len(games))
    assert darts.game == PaperGame("Darts", lowest_wins=True, minutes=12)
    assert (darts.size, plan.same_deal) == (2 if plan.has_halves else 4, False)
    again = form_of("Darts", plan, read_setup({}, Conditions))
    assert (again["games"], read_plan(plan_of({**again, "name": ""}), strict=False)) == (games, plan)


def test_what_only_screens_have_is_not_asked_for_a_game_on_paper() -> None:
    assert not any(is_asked(name, filled(**DARTS)) for name in ("clock", "paper", "grace", "watch", "same_deal"))
    mixed = filled(**{**DARTS, "games": ["lucky_paw", ANOTHER]})
    assert [is_asked(name, mixed) for name in ("clock", "same_deal")] == [True, False]
    chosen = (filled(), mixed, filled(paper=True))
    assert [Filled(values).offers("drop_out", "bot") for values in chosen] == [True, False, False]
    assert "clock" not in conditions_of(filled(**DARTS))


@pytest.mark.parametrize(
    ("field", "wrong", "said"),
    [
        ("another_name", " \u200b", "give the game a name"),
        ("another_name", "D" * 41, "in 40 characters"),
        ("another_minutes", "0", "from 1 to 240"),
        ("another_minutes", "soon", "from 1 to 240"),
    ],
)
def test_another_game_has_a_name_and_takes_some_minutes(field: str, wrong: str, said: str) -> None:
    with pytest.raises(BadField, match=said) as refusal:
        check(filled(**{**DARTS, field: wrong}), 1)
    assert (field_of(refusal.value), step_of(field)) == (field, 1)
    check(filled(**{field: wrong}), 1)  # nobody asks for it


@pytest.mark.parametrize("format", FORMATS)
def test_what_a_format_does_not_have_is_not_asked_for(format: str) -> None:
    values = filled(format=format, third_place=True, team_size="2", counts="last", group_count="2", players="8")
    plan = read_plan(plan_of(values), strict=False)
    best_go_on = format in ("knockout", "groups")
    knocks_out = best_go_on or format == "double_elimination"
    assert plan.third_place == best_go_on
    all_count = knocks_out or format == "round_robin"
    assert (plan.teams is None) == all_count
    assert plan.counts == ("all" if all_count else "last")
    assert (plan.groups is not None) == (format == "groups")


def test_stages_follow_from_the_format() -> None:
    games = ["life", "lives", "lucky_paw"]
    assert len(plan_of(filled(format="knockout"))["stages"]) == 1
    assert len(plan_of(filled(format="knockout", games=games))["stages"]) == 3
    assert len(plan_of(filled(format="groups", group_stages="2"))["stages"]) == 3
    assert len(plan_of(filled(stages="5"))["stages"]) == 5


def test_every_field_stands_on_a_step() -> None:
    assert {step_of(name) for name in USUAL} == set(range(1, len(STEPS) + 1))
    assert is_asked("players", filled())


def test_a_mistake_is_told_at_its_field_and_step() -> None:
    with pytest.raises(BadField) as wrong:
        check(filled(players="many"), 2)
    assert field_of(wrong.value) == "players"
    check(filled(players="many"), 1)
    assert field_of(Refused("SERIES_TOO_BIG", "So many.")) == "players"
    assert field_of(Refused("SOMETHING", "Else.")) == ""


@pytest.mark.parametrize(
    ("name", "low", "high", "more"),
    [
        ("players", 2, 256, {}),
        ("size", 2, 8, {}),
        ("stages", 1, 20, {}),
        ("group_count", 2, 64, {"format": "groups"}),
        ("group_stages", 1, 10, {"format": "groups"}),
        ("group_through", 1, 8, {"format": "groups"}),
        ("advance", 1, 5, {"format": "knockout"}),
        ("team_size", 1, 8, {}),
        ("team_best", 1, 8, {"team_score": "best"}),
        ("late_until", 1, 20, {}),
    ],
)
def test_a_number_is_taken_within_its_bounds(name: str, low: int, high: int, more: dict[str, Any]) -> None:
    for number in (low, high):
        check(filled(**more, **{name: str(number)}), step_of(name))
    for number in (low - 1, high + 1):
        with pytest.raises(BadField) as wrong:
            check(filled(**more, **{name: str(number)}), step_of(name))
        assert field_of(wrong.value) == name


def test_a_number_that_is_not_called_for_is_not_minded() -> None:
    plan_of(filled(starts="done", wait="0", first="hand", first_count="0"))
    with pytest.raises(BadField):
        plan_of(filled(starts="time", wait="0"))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "16 people: 4 tables of 4, 3 stages, nobody sits out, about 15 minutes."),
        ({"players": "13"}, "13 people: 1 table of 5 and 2 tables of 4, 3 stages"),
        ({"format": "knockout"}, "16 people: 4 tables of 4, then 8, then a final of 4, 3 stages"),
        ({"format": "knockout", "players": "4"}, "4 people: one table, the final, 1 stage"),
        ({"format": "groups"}, "16 people: 4 tables of 4, then 8, then a final of 4, 4 stages"),
        ({"format": "double_elimination", "size": "4"}, "16 people: 8 tables of 2, then a final of 2, 8 stages"),
        ({"format": "double_elimination", "games": ["liverpool"]}, "A double elimination is played at tables of two."),
        ({"format": "series", "players": "8"}, "8 people: 1 table of 6, 3 stages, 2 sit out each stage"),
        ({"team_size": "3"}, "In teams of 3, 1 place stays empty."),
        ({"games": ["liverpool"]}, "about 6½ hours"),
        ({**DARTS, "drop_out": "frozen"}, "16 people: 4 tables of 4, 3 stages, nobody sits out, about 40 minutes."),
        ({"starts": "time", "wait": "20"}, "about 55 minutes"),
        ({"format": "round_robin", "players": "8", "size": "2"}, "8 people: 4 tables of 2, 7 stages, nobody sits out"),
        ({"format": "round_robin"}, "16 people: 4 tables of 4, 5 stages, nobody sits out"),
        ({"format": "round_robin", "players": "33"}, "At most 32 can meet everybody"),
        ({"games": []}, "Choose at least one game."),
        ({"players": "1"}, "Places: choose a number"),
        ({"format": "groups", "group_count": "16"}, "too few for a table"),
        ({"format": "series", "players": "6", "games": ["follow_the_leader"]}, "1 sits out each stage"),
    ],
)
def test_the_forecast_says_what_comes_of_it(more: dict[str, Any], said: str) -> None:
    assert said in " ".join(forecast_of(filled(**more)))


def test_organisers_choose_what_parts_who_is_level_what_is_missed_and_how_many_of_a_team_count() -> None:
    wish = {"ties": "countback", "missed": "field", "team_size": "4", "team_score": "best", "team_best": "3"}
    plan = read_plan(plan_of(filled(**wish)), strict=False)
    assert plan.ties == ("countback", "wins", "head_to_head", "strength")
    assert (plan.missed.rule, plan.teams and plan.teams.best) == ("field", 3)
    again = form_of("Card evening", plan, read_setup({}, Conditions))
    assert {name: again[name] for name in wish} == wish
    with pytest.raises(BadField) as wrong:
        check(filled(ties="by age"), 3)
    assert (wrong.value.field, "Whoever is level" in wrong.value.sentence) == ("ties", True)


def test_conditions_are_those_of_the_form() -> None:
    conditions = read_setup(conditions_of(filled()), Conditions)
    assert (conditions.starts, conditions.first, conditions.grace, conditions.bot_names) == ("done", "hand", 2, True)


def test_only_the_field_that_is_wrong_is_marked() -> None:
    form = Filled(filled(), {"players": Message("Too many."), "games": Message("Too few.")})
    assert form.marks("players") == ' aria-invalid="true" aria-describedby="wrong-players" autofocus'
    assert form.marks("games") == ' aria-invalid="true" aria-describedby="wrong-games"'
    assert form.marks("stages") == ""
    assert Filled(filled()).marks("players") == ""


@pytest.mark.parametrize(
    ("chosen", "until"), [({}, 2), ({"stages": "1"}, 1), ({"format": "knockout"}, 1), ({"late_until": "3"}, "3")]
)
def test_people_can_come_late_if_nothing_else_is_chosen(chosen: dict[str, str], until: object) -> None:
    assert plan_of({**USUAL, **chosen})["late_until"] == until
