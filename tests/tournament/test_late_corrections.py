"""A result of a closed stage is put right: what follows is computed anew, what has been seated stays."""

from collections.abc import Sequence

from snug.tournament import fold
from snug.tournament.events import Corrected, StageSeated, Withdrew
from snug.tournament.plan import Award
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from snug.words import as_read
from tests.tournament.company import after, entered, fixed, line, played, refused, worth


def put_right(tournament: Tournament, stage: int, scores: Sequence[float], table: int = 1) -> Tournament:
    places = tuple(1 + sum(other < score for other in scores) for score in scores)
    return after(tournament, Corrected(table, tuple(scores), places, "misread", stage))


def told(tournament: Tournament) -> list[str]:
    return [as_read(sentence) for sentence in tournament.effects[len(tournament.log)]]


def test_two_change_places_and_the_stage_that_is_seated_stays() -> None:
    tournament = entered(2, 3, fixed(2))
    tournament = played(tournament, [(1, 3), (2, 5)])
    tournament = after(tournament, StageSeated(((2, 1),)))
    right = put_right(tournament, 1, (5, 3))
    assert [row.name for row in standings(right)] == ["Ben", "Ann"]
    assert right.stage == tournament.stage
    assert told(right) == [
        "Ben and Ann change places.",
        "Stage 2 was already seated and stays as it is.",
    ]
    assert right.log[:-1] == tournament.log
    back = put_right(right, 1, (3, 5))  # another line undoes it
    assert standings(back) == standings(tournament)
    assert back.stages == tournament.stages


def test_it_is_as_if_it_had_ended_so() -> None:
    def held(score: float) -> Tournament:
        some = entered(5, 2, fixed(4), sit_out=Award("own"))
        some = played(some, [(1, score), (2, 2), (3, 3), (4, 4)], out=(5,))
        some = after(some, Withdrew(4))
        return played(some, [(5, 1), (1, 2), (2, 3), (3, 4)])

    wrong = held(9)
    assert wrong.over
    right = put_right(wrong, 1, (1, 2, 3, 4))
    assert right.stages == held(1).stages
    assert standings(right) == standings(held(1))
    assert worth(right, "Ann") > worth(wrong, "Ann")


def test_who_goes_on_is_decided_anew_until_the_next_stage_is_seated() -> None:
    knockout = {"format": "knockout", "advance": 1}
    semi = played(entered(4, 1, fixed(2), **knockout), [(1, 1), (2, 2)], [(3, 1), (4, 2)])
    right = put_right(semi, 1, (2, 1))
    assert {entry.name for entry in right.active} == {"Ben", "Cat"}
    assert "Ben goes on instead of Ann." in told(right)
    final = played(semi, [(1, 1), (3, 2)])
    late = put_right(final, 1, (2, 1))
    assert line(late, "Ann").place == 1
    assert late.stages[0].tables[0].places == (2, 1)
    assert late.stages[1] == final.stages[1]
    assert told(late)[-1] == "Stage 2 was already seated and stays as it is."


def test_whoever_went_on_and_left_since_keeps_who_went_on() -> None:
    semi = played(entered(4, 1, fixed(2), format="knockout", advance=1), [(1, 1), (2, 2)], [(3, 1), (4, 2)])
    gone = after(semi, Withdrew(1))
    assert put_right(gone, 1, (2, 1)).entry(2).status == "out"


def test_what_cannot_be_corrected_is_refused() -> None:
    tournament = played(entered(2, 2, fixed(2)), [(1, 1), (2, 2)])
    assert refused(tournament, Corrected(1, (1, 2), (1, 2), "misread", 2)).code == "NO_STAGE"
    assert refused(tournament, Corrected(2, (1, 2), (1, 2), "misread", 1)).code == "NO_TABLE"
    assert refused(tournament, Corrected(1, (1, 2, 3), (1, 2, 3), "misread", 1)).code == "BAD_RESULT"
    assert fold.fold(tournament.plan, tournament.log) == tournament
