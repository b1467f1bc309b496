"""A table that is set up anew while people sit there, in browsers."""

import pytest
from playwright.sync_api import expect

from app.web.pages.render import HOSTED
from tests.browser.accessibility import without_violations
from tests.browser.conftest import PHONE, Friend, Pair


def test_who_sits_there_reads_what_the_host_changes_and_agrees(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    expect(bob.locator("#links")).to_contain_text("My room")  # nothing was loaded anew
    ann.locator("#to-setup").click()
    without_violations(ann)
    ann.locator("#field-rounds").select_option("1")
    ann.locator("#save").click()
    expect(bob.locator("#change")).to_contain_text("Rounds “One” instead of “Nine”")
    expect(ann.locator("#readers")).to_contain_text("Bob")
    without_violations(bob)
    ann.locator("#start").click()
    expect(ann.locator("#refusal")).to_contain_text("Bob")
    bob.locator("#agree").click()
    expect(bob.locator("#change")).to_have_count(0)
    expect(ann.locator("#change")).to_have_count(0)
    ann.locator("#start").click()
    for page in (ann, bob):
        expect(page.locator("#live.at-playing")).to_be_visible()
    without_violations(ann)
    ann.locator("#live").focus()
    for _ in range(12):  # panels that are always open are no stops on a laptop
        ann.keyboard.press("Tab")
        assert not ann.evaluate("document.activeElement.matches('#happened > summary, #scores > summary')")


@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("key", HOSTED)
def test_every_rule_that_is_chosen_can_be_read_on_a_phone(friend: Friend, key: str) -> None:
    page = friend(PHONE)
    page.goto(f"/new/{key}")
    page.locator("#rules-form > summary").click()
    cut_off = page.locator(".option > select").evaluate_all("""all => all.filter((one) => {
        const own = getComputedStyle(one), text = document.createElement("canvas").getContext("2d");
        text.font = own.font;
        const { width } = text.measureText(one.selectedOptions[0].text);
        return width + parseFloat(own.paddingLeft) + parseFloat(own.paddingRight) > one.clientWidth;
    }).map((one) => one.name)""")
    assert cut_off == []
