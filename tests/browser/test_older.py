"""A phone of 2022 shows the table whole, and a round is played on it."""

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import PHONE, Friend
from tests.browser.older import make_older, older
from tests.browser.stage import faults_of, watch_a_round
from tests.servers import Served


@pytest.mark.dear(8, "a round on an old phone")
@pytest.mark.parametrize(
    "key", ["liverpool", *(pytest.param(key, marks=pytest.mark.thorough) for key in ("lives", "life"))]
)
def test_hand_and_actions_are_whole_in_a_browser_of_2022(key: str, friend: Friend, room: Served) -> None:
    page = friend(PHONE)
    broken: list[Error] = []
    page.on("pageerror", lambda error: broken.append(error))
    make_older(page)
    found = faults_of(watch_a_round(page, room, key, 4, (PHONE, (320, 568))))
    assert not broken
    # What stands beside a name may end early there: it is said in the log, too.
    assert not [line for line in found if "is cut" not in line]


def test_what_such_a_browser_drops() -> None:
    sheet = """
    @layer a { .x { --h: 20svh; height: 3cqw; color: red; } .y:has(b) { color: red; } .z:is(:has(b)) { color: red; } }
    @container (width > 2em) { .x { color: blue; } }
    @supports not selector(:has(a)) { .x { translate: 1em; top: 0; } }
    """
    assert "".join(older(sheet).split()) == (
        "@layera{.x{--h:var(--never);color:red;}.z:is(:has(b)){color:red;}}.x{top:0;}"
    )
