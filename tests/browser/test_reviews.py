"""The review of a match on a phone."""

import pytest

from tests.browser.accessibility import without_violations
from tests.browser.conftest import PHONE, Friend
from tests.browser.test_mine import become
from tests.servers import Served
from tests.services.test_reviews import ask, made, over


@pytest.mark.parametrize("teams", [False, True])
def test_the_sums_of_four_people_fit_on_a_phone(friend: Friend, room: Served, teams: bool) -> None:
    party, page = over(room.context, 4, teams=teams), friend(PHONE)
    become(page, party, 1)
    ask(party, 1)
    assert made(room.context)
    page.goto(f"/t/{party.slug}/matches/1/review")
    page.locator(".sums").evaluate("""one => {
        for (const cell of one.querySelectorAll("tbody td:nth-child(n + 4)")) cell.textContent = "−28.7";
        for (const cell of one.querySelectorAll("tbody bdi")) cell.textContent = "Newcomer & Somebody";
    }""")
    assert page.locator(".scroll:has(> .sums)").evaluate("one => one.scrollWidth <= one.clientWidth")
    page.locator("#review details").evaluate_all("all => all.forEach(one => { one.open = true })")
    without_violations(page)
