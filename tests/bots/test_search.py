"""The search finds what is best where that can be worked out by hand, by the same dice always the same."""

import pickle
from random import Random
from typing import Any

import msgspec
import pytest

from snug.bots import search
from snug.bots.search import Dice, Thought, think
from snug.engine.game import Move, View
from snug.engine.thinking import Thinking
from tests.bots.toy import TOY, Dare, Decline, ToyOptions, ToyState, timid

THINKING = Thinking(positions=3000)


def thought(seed: int = 1, lid: int = 0, **thinking: Any) -> Thought:
    view = TOY.view(ToyState(ToyOptions(), lid=lid), 1)
    return think(TOY, view, timid, msgspec.structs.replace(THINKING, **thinking), Random(seed))


def test_it_leaves_habit_for_what_is_better() -> None:
    found = thought()
    assert (found.best, found.habit) == (Dare(), Decline())
    dared, declined = found.of(Dare()), found.of(Decline())
    assert dared
    assert declined
    assert dared.value > declined.value
    assert dared.points - declined.points == pytest.approx(2, abs=0.4)


def test_it_does_not_look_under_the_lid() -> None:
    assert thought(lid=0) == thought(lid=9)


def test_the_same_dice_give_the_same_thought() -> None:
    assert thought(5) == thought(5)
    assert thought(5) != thought(6)


def test_it_looks_at_as_many_positions_as_it_may() -> None:
    for positions in (40, 400):
        assert positions <= thought(positions=positions).positions < positions + 10


def test_every_move_is_tried_in_the_same_worlds() -> None:
    found = thought(positions=40)
    assert [it.tries for it in found.moves] == [found.moves[0].tries] * 2


def test_habit_stands_where_the_difference_may_be_luck() -> None:
    assert thought(positions=40, doubt=1000.0).best == Decline()


def test_one_world_convinces_nobody() -> None:
    for seed in range(10):
        found = thought(seed, positions=1)
        assert [it.tries for it in found.moves] == [1, 1]
        assert found.best == Decline()


def test_a_sharp_player_may_have_first_thoughts_of_his_own() -> None:
    assert thought(positions=40, doubt=1000.0, first=lambda _view, _chance: Dare()).best == Dare()


def test_one_move_takes_no_thought() -> None:
    found = thought(candidates=lambda view: view.legal[:1])
    assert (found.best, found.positions, len(found.moves)) == (Decline(), 0, 1)


def test_what_a_player_would_do_is_thought_of_even_where_the_game_does_not_name_it() -> None:
    assert thought(candidates=lambda view: view.legal[1:]).of(Decline())


def test_who_chooses_at_the_same_time_knows_nothing_of_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree has one node for the second seat, whatever the first has chosen."""
    kept: list[search._Search] = []

    class Kept(search._Search):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            kept.append(self)

    monkeypatch.setattr(search, "_Search", Kept)
    thought(plies=4)
    (searched,) = kept
    assert [actor for actor, _ in searched._tree] == [2]
    (node,) = searched._tree.values()
    assert set(node.tries) == {Dare(), Decline()}
    assert node.tries[Dare()] > node.tries[Decline()]  # the other finds out, too, that daring pays


def test_a_round_that_is_too_long_is_estimated() -> None:
    def estimate(_state: ToyState, _luck: Random) -> tuple[int, int]:
        return 1, 0

    found = thought(horizon=1, estimate=estimate)
    assert {it.points for it in found.moves} == {1.0}


def test_a_good_players_habit_counts_for_the_first_try_in_the_tree() -> None:
    node = search._Node()
    moves: list[Move] = [Decline(), Dare()]
    assert node.select(moves, Dare()) == Dare()
    for _ in range(20):
        node.learn(Dare(), 0.0)
    node.learn(Decline(), 1.0)
    assert node.select(moves, Dare()) == Decline()


def test_dice_are_fair() -> None:
    dice = Dice(Random(3))
    assert {dice.below(6) for _ in range(200)} == set(range(6))


def test_views_alone_are_thought_about() -> None:
    """A thought needs nothing that a seat does not have: a view that came through a pickle gives the same."""
    again: View = pickle.loads(pickle.dumps(TOY.view(ToyState(ToyOptions()), 1)))
    assert think(TOY, again, timid, THINKING, Random(1)) == thought()
