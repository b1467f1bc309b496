"""A card leaves the hand when it is touched, and lies where it goes until the room has answered; what is refused, or
not heard, lies in the hand again."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PHONE
from tests.browser.table_talk import make_a_move, version_of
from tests.browser.test_drag import _NOW, Sit, _can_do_both, sit
from tests.factories import Party

__all__ = ["sit"]
_COUNTED = """
window.flights = [];
document.addEventListener("snug:flight", (event) => window.flights.push(Object.values(event.detail).join(" ")));
"""
_PATIENT = """() => {
  window.wait = setTimeout;
  window.setTimeout = (act, time) => wait(act, time === 1200 ? 60000 : time);
}"""
_SENT, _AWAY = ".dragged.sent", ".away"
_LIES_IN = """([ghost, place]) => {
  const [one, around] = [ghost, place].map((each) => document.querySelector(each).getBoundingClientRect());
  const [x, y] = [one.left + one.width / 2, one.top + one.height / 2];
  return around.left <= x && x <= around.right && around.top <= y && y <= around.bottom;
}"""


class Held:
    """The moves of a page that the room has not heard yet."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route("**/moves*", lambda route: self.routes.append(route))

    def arrive(self) -> None:
        """Lets the first of them through."""
        while not self.routes:
            self.page.wait_for_timeout(50)
        self.routes.pop(0).continue_()


def _tap_card(page: Page) -> None:
    page.locator(_NOW).first.click(position={"x": 13, "y": 22})


def _lay(page: Page) -> None:
    if page.locator(_NOW).count():
        _tap_card(page)
    else:
        page.locator(".hand .pick").first.click(position={"x": 13, "y": 22})
        page.locator("#lay-button").click()


def _discard(page: Page) -> None:
    page.locator(".hand .pick").last.click(position={"x": 13, "y": 22})
    page.locator("#discard-button:enabled").click()


def _view(party: Party) -> Any:
    return party.look(party.guests[0]).board.view


def _may_lay(party: Party) -> bool:
    return bool(_view(party).may_lay and _view(party).playable)


def _may_discard(party: Party) -> bool:
    return bool(_view(party).phase == "PLAY")


_GAMES: dict[str, tuple[Callable[[Party], bool], Callable[[Page], object], str, int]] = {
    "lives": (_can_do_both, _tap_card, "#discard-pile", 2),
    "follow_the_leader": (_can_do_both, _tap_card, "#discard-pile", 2),
    "life": (_may_lay, _lay, ".board > .front", 3),
    "lucky_paw": (lambda party: bool(_view(party).plays), make_a_move, "#piles", 2),
    "liverpool": (_may_discard, _discard, "#discard-pile", 3),
}


@pytest.mark.parametrize("key", _GAMES)
def test_the_card_leaves_the_hand_at_once_and_lies_until_the_room_answers(key: str, sit: Sit) -> None:
    until, tap, place, people = _GAMES[key]
    _party, page = sit(key, until, people, PHONE)
    page.evaluate(f"() => {{ {_COUNTED} }}")
    before, held = version_of(page), Held(page)
    tap(page)
    expect(page.locator(_SENT)).to_have_count(1)
    expect(page.locator(_AWAY)).to_have_count(1)
    page.wait_for_function(_LIES_IN, arg=[_SENT, place])
    page.locator("#actions button:visible, .hand button.now").first.click(force=True, position={"x": 13, "y": 20})
    held.arrive()
    assert not held.routes, "while a move is under way, nothing else is sent"
    expect(page.locator(f'#live[data-version="{before}"]')).to_have_count(0)
    expect(page.locator(f"{_SENT}, {_AWAY}, [data-moving], [aria-disabled]")).to_have_count(0)
    expect(page.locator("#refusal")).to_have_count(0)


def test_a_discard_lies_a_moment_and_is_taken_back_by_a_tap(sit: Sit) -> None:
    until, tap, _place, people = _GAMES["liverpool"]
    party, page = sit("liverpool", until, people, PHONE)
    before, cards = version_of(page), page.locator(".held").count()
    page.evaluate(_PATIENT)
    tap(page)
    back = page.get_by_role("button", name="Take it back")
    expect(back).to_be_visible()
    page.wait_for_timeout(260)  # a second tap of a hasty finger takes nothing back
    back.click()
    expect(page.locator(f"{_SENT}, {_AWAY}, [data-moving], .regret")).to_have_count(0)
    expect(page.locator(".held")).to_have_count(cards)
    assert version_of(page) == before == str(party.version)
    page.evaluate("() => { window.setTimeout = wait; }")
    page.locator("#discard-button:enabled").click()
    expect(page.locator(f'#live[data-version="{before}"]')).to_have_count(0)
