"""Taking back as people meet it: one click, or a question to everybody at the table."""

from playwright.sync_api import expect

from tests.browser.accessibility import without_violations
from tests.browser.conftest import Pair
from tests.browser.table_talk import make_a_move


def test_a_vote_takes_the_last_move_back(pair: Pair) -> None:
    ann, bob = pair(undo="vote")
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    ann.locator("#take-back").click()
    expect(bob.locator("#undo-asked")).to_contain_text("Ann asks to take back their last move")
    for page in (ann, bob):
        without_violations(page)
    bob.locator("#undo-yes").click()
    expect(ann.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(bob.locator("#told")).to_contain_text("Ann took back, with everybody’s agreement")
