"""Places in a match, and what tells equal totals apart."""

from snug.engine.places import TieBreak, added_up, deciders_of, places_of
from snug.words import Plural

WON = Plural("%(count)s deal won", "%(count)s deals won")


def test_who_is_equal_in_everything_shares_a_place() -> None:
    assert places_of((3, 7, 7, 1), lowest_wins=False) == (3, 1, 1, 4)
    assert places_of((3, 7, 7, 1), lowest_wins=True) == (2, 3, 3, 1)


def test_of_equal_totals_the_higher_number_is_ahead_unless_the_lowest_wins() -> None:
    assert places_of((5, 5, 3), False, TieBreak((1, 2, 9), WON)) == (2, 1, 3)
    assert places_of((5, 5, 3), False, TieBreak((1, 2, 9), WON, lowest_wins=True)) == (1, 2, 3)
    assert places_of((5, 5, 3), True, TieBreak((1, 2, 0), WON)) == (3, 2, 1)


def test_what_decided_is_told_of_those_whom_it_told_apart_alone() -> None:
    decided = deciders_of((5, 5, 3), (2, 1, 3), TieBreak((1, 2, 9), WON))
    assert [str(one) for one in decided] == ["1 deal won", "2 deals won", ""]
    assert deciders_of((5, 5), (1, 1), TieBreak((2, 2), WON)) == ("", "")
    assert deciders_of((5, 3), (1, 2), None) == ("", "")


def test_totals_are_added_up_from_the_first_round_on() -> None:
    assert added_up((), (1, 2)) == (1, 2)
    assert added_up((1, 2), (3, 4)) == (4, 6)
