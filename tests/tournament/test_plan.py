"""What can be planned, and what is refused before anybody signs up."""

from typing import Any

import pytest

from snug.engine.game import BadSetup, plain
from snug.tournament.checks import read_plan
from snug.tournament.plan import Plan
from snug.tournament.statement import statement
from snug.words import reading
from tests.languages import LOUD

LUCKY = {"game": "lucky_paw"}
LIFE = {"game": "life"}
DARTS = {"game": {"name": "Darts", "lowest_wins": True}}
LOUD_DARTS = {"game": {"name": "DARTS", "lowest_wins": True}}  # what somebody typed is not translated
GROUPS = {"format": "groups", "groups": {"count": 4}, "players": 16}


def plan(**more: Any) -> Plan:
    return read_plan({"format": "rotating", "stages": [LUCKY], **more})


def test_a_plan_is_read_back_from_what_is_stored() -> None:
    planned = plan(
        stages=[{**LUCKY, "options": {"rounds": 2}, "size": 3, "fewest": 2, "most": 4}, LIFE],
        teams={"size": 2, "score": "best", "best": 2},
        sit_out={"rule": "fixed", "points": 0.5},
        late_until=2,
        drop_out="bot",
        ties=["countback"],
    )
    assert read_plan(plain(planned)) == planned
    assert (planned.stage(1).seats, planned.stage(2).seats) == ((2, 4), (2, 8))
    assert planned.stage(1).options_for(3).rounds == 2


def test_groups_are_played_before_a_knockout() -> None:
    planned = plan(**{**GROUPS, "groups": {"count": 4, "stages": 2}}, stages=[LUCKY] * 3, late_until=2)
    assert read_plan(plain(planned)) == planned
    numbers = range(1, 5)
    assert [planned.in_groups(number) for number in numbers] == [True, True, False, False]
    assert [planned.is_knockout(number) for number in numbers] == [False, False, True, True]


def test_a_plan_of_before_there_were_groups_is_read_as_it_was_meant() -> None:
    old = plain(plan(format="knockout"))
    for newer in ("groups", "counts", "third_place"):
        del old[newer]
    assert read_plan(old) == plan(format="knockout", counts="all", third_place=False)


def test_a_game_that_snug_does_not_know_is_a_name_and_who_wins() -> None:
    planned = plan(stages=[LUCKY, {**DARTS, "size": 3}], points="raw")
    assert read_plan(plain(planned)) == planned
    darts = planned.stage(2)
    assert (darts.rules.name, darts.seats, darts.low_wins, darts.options_for(3)) == ("Darts", (2, 8), True, None)
    assert darts.rules.places(None, (301.0, 0.0, 301.0), ()) == (2, 1, 2)
    assert ([stage.on_paper for stage in planned.stages], planned.on_paper) == ([False, True], True)
    assert not plan().on_paper


def test_forms_send_numbers_as_text() -> None:
    raw = {"format": "swiss", "stages": [{**LUCKY, "size": "3"}], "players": "12", "same_deal": "true"}
    planned = read_plan(raw, strict=False)
    assert (planned.stages[0].size, planned.players, planned.same_deal) == (3, 12, True)


@pytest.mark.parametrize("points", ["nan", "inf", "-inf"])
def test_forms_cannot_make_points_that_are_no_number(points: str) -> None:
    raw = {"format": "swiss", "stages": [LUCKY], "sit_out": {"rule": "fixed", "points": points}}
    with pytest.raises(BadSetup) as refusal:
        read_plan(raw, strict=False)
    assert refusal.value.code == "BAD_PLAN"


def test_a_game_itself_says_whether_the_lowest_score_wins() -> None:
    games = {"lucky_paw": True, "lives": True, "liverpool": True, "life": False, "follow_the_leader": False}
    for game, low in games.items():
        planned = plan(stages=[{"game": game}], points="raw")
        assert (planned.stages[0].low_wins, planned.low_wins) == (low, low)
    assert not plan().low_wins


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ({"stages": []}, "BAD_PLAN", "stages"),
        ({"stages": [LUCKY] * 51}, "BAD_PLAN", "stages"),
        ({"format": "league"}, "BAD_PLAN", "league"),
        ({"players": 1}, "BAD_PLAN", "players"),
        ({"players": 257}, "BAD_PLAN", "players"),
        ({"colour": "red"}, "BAD_PLAN", "colour"),
        ({"stages": [{"game": "bridge"}]}, "NO_GAME", "'bridge'"),
        ({"stages": [LUCKY, {**LUCKY, "size": 7}]}, "BAD_SEATS", "Stage 2: Lucky Paw is for 2 to 6"),
        ({"stages": [{**LUCKY, "most": 7}]}, "BAD_SEATS", "at most 7"),
        ({"stages": [{**LUCKY, "fewest": 5}]}, "BAD_SEATS", "at least 5"),
        ({"stages": [{**LUCKY, "fewest": 4}], "players": 3}, "BAD_SEATS", "too few"),
        ({"stages": [{**LUCKY, "options": {"rounds": 10}}]}, "BAD_OPTION", "Stage 1, table of 2: Rounds: 1 to 9."),
        ({"stages": [{**LUCKY, "options": {"starting_player": 4}, "fewest": 3}]}, "BAD_OPTION", "table of 3"),
        (
            {"stages": [{**LUCKY, "options": {"teams": True}, "fewest": 4, "most": 4}]},
            "TABLE_TEAMS",
            "when people enter, not by a table's rules.",
        ),
        ({"stages": [LUCKY, LIFE], "points": "raw"}, "MIXED_SCALES", "fewest"),
        ({"stages": [{"game": {"name": ""}}]}, "BAD_PLAN", "name"),
        ({"stages": [{"game": {"name": "D" * 41}}]}, "BAD_PLAN", "name"),
        ({"stages": [{"game": {"name": "Darts", "minutes": 0}}]}, "BAD_PLAN", "minutes"),
        ({"stages": [{**DARTS, "size": 9}]}, "BAD_SEATS", "Stage 1: Darts is for 2 to 8"),
        ({"stages": [LUCKY, DARTS], "same_deal": True}, "PAPER_GAME", "tables share no deal"),
        ({"stages": [LUCKY, DARTS], "drop_out": "bot"}, "PAPER_GAME", "no bot plays"),
        ({"stages": [{**DARTS, "options": {"rounds": 2}}]}, "PAPER_GAME", "no options"),
        ({"stages": [LIFE, DARTS], "points": "raw"}, "MIXED_SCALES", "fewest"),
        ({"ties": ["wins", "wins"]}, "BAD_PLAN", "twice"),
        ({"late_until": 2}, "BAD_PLAN", "no stage 2"),
        ({"format": "series", "players": 13}, "SERIES_TOO_BIG", "one table"),
        ({"sit_out": {"rule": "worst"}}, "BAD_PLAN", "sits out"),
        ({"sit_out": {"rule": "fixed", "points": 1e9}}, "BAD_PLAN", "so many points."),
        ({"missed": {"rule": "own"}}, "BAD_PLAN", "late"),
        ({"missed": {"rule": "fixed"}, "points": "raw"}, "MISSED_PAYS", "absence"),
        ({"teams": {"size": 2, "score": "best", "best": 3}}, "BAD_PLAN", "no best 3"),
        ({"format": "knockout", "teams": {"size": 2}}, "KNOCKOUT_TEAMS", "half a team cannot go on."),
        ({"format": "knockout", "late_until": 2, "stages": [LUCKY] * 2}, "KNOCKOUT_LATE", "begun"),
        ({"format": "knockout", "advance": 4}, "NOBODY_GOES_OUT", "table of 4"),
        ({"third_place": True}, "NO_SEMI_FINAL", "Only a knockout has a final"),
        ({"counts": "first"}, "BAD_PLAN", "first"),
        ({"format": "groups"}, "NO_GROUPS", "Say how many groups"),
        ({"groups": {"count": 4}}, "NO_GROUPS", "nowhere else."),
        ({"format": "groups", "groups": {"count": 1}}, "BAD_PLAN", "count"),
        ({**GROUPS, "teams": {"size": 2}}, "KNOCKOUT_TEAMS", "half a team cannot go on."),
        ({**GROUPS, "groups": {"count": 4, "stages": 2}}, "BAD_PLAN", "2 stages are played in groups, and only 1"),
        ({**GROUPS, "late_until": 2, "stages": [LUCKY] * 2}, "KNOCKOUT_LATE", "when the groups have been played."),
        ({**GROUPS, "stages": [{"game": "liverpool"}], "players": 8}, "GROUPS_TOO_SMALL", "table of 3 in each"),
        ({**GROUPS, "groups": {"count": 4, "through": 4}}, "NOBODY_GOES_OUT", "a group of 4 sends nobody home."),
        ({**GROUPS, "advance": 4}, "NOBODY_GOES_OUT", "table of 4"),
    ],
)
def test_what_cannot_be_held_is_refused(more: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        plan(**more)
    assert refusal.value.code == code
    sentence = refusal.value.sentence
    assert words in sentence
    assert sentence[:1] == sentence[:1].upper()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "share of your opponents whom you beat"),
        ({}, "Nobody can enter once"),
        ({}, "tables won, then points against each other"),
        ({"ties": []}, "level on points shares the place"),
        ({"points": "raw"}, "the fewest win"),
        ({"points": "raw"}, "count as the worst of their field"),
        ({"points": "raw", "stages": [LIFE]}, "the most win"),
        ({"same_deal": True}, "in your seat at the other tables"),
        ({"points": "raw", "same_deal": True}, "the same deal"),
        ({"stages": [LUCKY, LIFE], "late_until": 2}, "Lucky Paw, Life."),
        ({"stages": [LUCKY, LIFE], "late_until": 2}, "until stage 2 begins; a missed stage is worth what the last"),
        ({"stages": [LOUD_DARTS, LUCKY]}, "Stage by stage: DARTS, Lucky Paw. DARTS is played on paper, and the lowest"),
        ({"stages": [{"game": {"name": "QUIZ"}}]}, "QUIZ is played on paper, and the highest score wins."),
        ({"sit_out": {"rule": "fixed", "points": 0.25}}, "worth 0.25 points"),
        ({"sit_out": {"rule": "own"}}, "mean of your own stages"),
        ({"drop_out": "reserve"}, "reserve list takes the chair"),
        ({"drop_out": "reserve"}, "A reserve gets what the last of that stage got for every stage missed."),
        ({"stages": [LUCKY] * 2}, "Everybody plays 2 stages, each in new company"),
        ({"format": "knockout"}, "the best 2 of each table go on"),
        ({"format": "knockout", "advance": 1}, "the best 1 of each table goes on"),
        ({"format": "knockout", "third_place": True}, "play a small final for the next places."),
        (GROUPS, "Everybody plays one stage inside a group, then the best of each group play a knockout."),
        (GROUPS, "The lot makes 4 groups of equal size, as far as can be; the best 2 of each go on,"),
        ({**GROUPS, "advance": 1}, "From then on the best 1 of each table goes on"),
        (GROUPS, "Whoever comes late joins the smallest group."),
        ({"stages": [LUCKY] * 2, "counts": "last"}, "alone decides: those who stand beside each other before it meet"),
        (
            {"stages": [LUCKY] * 2, "counts": "last", "format": "series", "players": 6},
            "the stages before it break ties.",
        ),
        ({"teams": {"size": 3}}, "Teams of 3 share a stage's points: their best member's"),
        ({"teams": {"size": 3, "score": "best", "best": 2}}, "their best 2 members'"),
    ],
)
def test_the_rules_are_stated_in_words(more: dict[str, Any], words: str) -> None:
    rules = statement(plan(**more))
    assert words in " ".join(rules)
    with reading(LOUD):
        assert [rule.as_read() for rule in rules] == [rule.upper() for rule in rules]
