"""The standings while a stage is played, in hundreds of random tournaments: where they end, and what they promise."""

import random

import pytest

from app.services.tournaments.provisional_standings import SoFar, so_far
from snug.tournament import fold
from snug.tournament.acts.play_offs import owed
from snug.tournament.events import Entered, StageClosed, StageSeated, TableFinished
from snug.tournament.lines import StandingsRow
from snug.tournament.plan import Plan, StagePlan
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from tests.factories import GAME
from tests.tournament.random_tournaments import Organiser, result


def placed(lines: tuple[StandingsRow, ...]) -> dict[tuple[int, ...], int]:
    """The place of each competitor."""
    return {line.entries: line.place for line in lines}


def played(tournament: Tournament, *tables: tuple[int, tuple[float, ...]]) -> Tournament:
    """The tournament with these tables done; the most points win each."""
    for table, scores in tables:
        places = tuple(1 + sum(other > score for other in scores) for score in scores)
        tournament = fold.apply(tournament, TableFinished(table, scores, places))
    return tournament


def begun(*, same_deal: bool = False) -> Tournament:
    """Two tables of two."""
    stage = StagePlan("liverpool", {}, 3)
    plan = Plan(format="swiss", stages=(stage, stage), same_deal=same_deal, players=6)
    tournament = fold.begin(plan)
    for number, name in enumerate(("Ann", "Bob", "Cem", "Dot", "Eva", "Fay"), 1):
        tournament = fold.apply(tournament, Entered(number, name))
    return fold.apply(tournament, StageSeated(((1, 2, 3), (4, 5, 6)), (), "secret" if same_deal else ""))


def test_finished_tables_count_and_who_still_plays_has_nothing_yet() -> None:
    tournament = begun()
    assert so_far(tournament) is None
    board = so_far(played(tournament, (2, (9.0, 5.0, 1.0))))
    assert board
    shown = {line.name: (line.place, float(line.points)) for line in board.lines}
    assert shown == {name: (place, points) for name, place, points in [
        ("Dot", 1, 1.0), ("Eva", 2, 0.5), ("Fay", 3, 0.0), ("Ann", 3, 0.0), ("Bob", 3, 0.0), ("Cem", 3, 0.0)
    ]}  # fmt: skip
    spans = dict(zip((line.name for line in board.lines), board.spans, strict=True))
    assert spans["Dot"] == (1, 4)
    assert spans["Eva"] == (2, 5)
    assert spans["Ann"] == (1, 6)


def test_while_others_play_the_same_deal_nothing_is_told() -> None:
    tournament = played(begun(same_deal=True), (1, (9.0, 5.0, 1.0)))
    assert so_far(tournament) is None
    assert so_far(played(tournament, (2, (7.0, 2.0, 0.0))))


def test_a_game_won_by_raw_points_promises_no_places() -> None:
    stage = StagePlan(GAME, {}, 2)
    tournament = fold.begin(Plan(format="swiss", stages=(stage, stage), points="raw", players=4))
    for number in range(1, 5):
        tournament = fold.apply(tournament, Entered(number, f"P{number}"))
    tournament = fold.apply(tournament, StageSeated(((1, 2), (3, 4))))
    board = so_far(fold.apply(tournament, TableFinished(1, (3.0, 8.0), (1, 2))))
    assert board
    assert not board.spans


@pytest.mark.slow
@pytest.mark.thorough(one_in=10)
@pytest.mark.parametrize("batch", range(10))
def test_the_last_table_makes_them_final_and_every_promise_is_kept(batch: int) -> None:
    promised = 0
    for number in range(batch * 30, batch * 30 + 30):
        organiser = Organiser(number)
        for before, event, _after in organiser.moments():
            if not (isinstance(event, TableFinished) and before.stage):
                continue
            moments, tournament = [], before  # from here on nobody comes or goes
            chance = random.Random(number)
            low_wins = tournament.plan.stage(before.stage.number).low_wins
            for at, table in enumerate(before.stage.tables, 1):
                moments.append(so_far(tournament))
                if not table.result:
                    scores, places = result(chance, len(table.seats), low_wins)
                    done = TableFinished(at, scores, places, "paper" if table.on_paper else "screen")
                    tournament = fold.apply(tournament, done)
            if owed(tournament):  # what is level is not decided yet
                continue
            final = standings(fold.apply(tournament, StageClosed()))
            last = so_far(tournament)
            assert last
            assert last.lines == final
            assert not last.spans
            for board in filter(None, moments):
                promised += kept(board, final)
    assert promised > 100


def kept(board: SoFar, final: tuple[StandingsRow, ...]) -> int:
    """Everybody is in the standings, and ended where it was said; how often anything was said."""
    places = placed(final)
    assert set(placed(board.lines)) == set(places)
    for line, (best, worst) in zip(board.lines, board.spans, strict=False):
        assert best <= line.place <= worst
        assert best <= places[line.entries] <= worst, (line, best, worst, places[line.entries])
    return len(board.spans)
