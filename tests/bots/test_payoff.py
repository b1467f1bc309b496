"""What the end of a round is worth."""

import pytest

from snug.bots.payoff import Payoff
from snug.engine.game import read_options
from snug.games import GAMES
from tests.bots.toy import TOY, ToyOptions


def payoff(rounds: int = 1, number: int = 1, before: tuple[tuple[int, ...], ...] = ()) -> Payoff:
    return Payoff(TOY, ToyOptions(rounds), 2, number, before)


def test_margins_are_points_beyond_the_rivals() -> None:
    assert payoff().margins((7, 5)) == [2, -2]


def test_in_a_last_round_winning_is_nearly_everything() -> None:
    weighs = payoff()
    first, second = weighs.values((7, 5), weighs.margins((7, 5)))
    assert first > 0.85
    assert second < 0.15


def test_who_shares_the_first_place_has_half_of_it() -> None:
    weighs = payoff()
    assert weighs.values((5, 5), weighs.margins((5, 5))) == pytest.approx([0.5, 0.5])


def test_in_an_earlier_round_a_lead_is_worth_less_than_the_match() -> None:
    weighs, last = payoff(5), payoff()
    early, late = (it.values((7, 5), it.margins((7, 5)))[0] for it in (weighs, last))
    assert 0.5 < early < late


def test_the_rounds_before_count() -> None:
    behind = payoff(2, 2, ((0, 10),))
    assert behind.values((7, 5), behind.margins((7, 5)))[0] < 0.5


def test_where_the_fewest_win_fewer_are_better() -> None:
    game = next(game for game in GAMES.values() if game.lowest_wins)
    seats = game.seats[0]
    weighs = Payoff(game, read_options(game, seats, {}), seats, 1, ())
    margins = weighs.margins(tuple(range(seats)))
    assert margins[0] > 0 > margins[-1]
    values = weighs.values(tuple(range(seats)), margins)
    assert values == sorted(values, reverse=True)


def test_a_team_shares_what_it_wins() -> None:
    for game in GAMES.values():
        if "teams" in game.options.__struct_fields__:
            options = read_options(game, 4, {"teams": True})
            weighs = Payoff(game, options, 4, 1, ())
            margins = weighs.margins((3, 4, 5, 6))
            values = weighs.values((3, 4, 5, 6), margins)
            assert values[0] == values[2] != values[1] == values[3]


def test_where_totals_count_something_else_a_round_is_weighed_by_its_own_scores() -> None:
    game = next(game for game in GAMES.values() if game.score_unit)
    assert not game.lowest_wins
    assert game.low_scores
    weighs = Payoff(game, read_options(game, 4, {"rounds": 3}), 4, 1, ())
    margins = weighs.margins((0, 3, 6, 9))
    assert margins == [6, 2, -2, -6]
    values = weighs.values((0, 3, 6, 9), margins)
    assert values == sorted(values, reverse=True)
    assert values[0] > 0.4
