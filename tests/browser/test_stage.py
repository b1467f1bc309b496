"""Nothing jumps: over a whole round, on every screen, the hand and the actions are in view and stay where they are."""

import pytest

from snug.games import GAMES
from tests.browser.conftest import Friend
from tests.browser.layout import Lettered, Size
from tests.browser.stage import faults_of, table_params, watch_a_round
from tests.servers import Served


@pytest.mark.dear(12, "a round at several sizes")
@pytest.mark.parametrize(("key", "seats", "sizes", "each_once"), [one for key in GAMES for one in table_params(key)])
def test_hand_and_actions_stay_in_view_and_in_their_place(
    key: str, seats: int, sizes: tuple[Size | Lettered, ...], each_once: bool, friend: Friend, room: Served
) -> None:
    assert not faults_of(watch_a_round(friend(), room, key, seats, sizes, each_once=each_once))
