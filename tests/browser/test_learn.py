"""Lessons on a phone: who taps what glows, and nothing else, has learned the game."""

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from app.services.seats import create, seats
from app.web.pages.render import HOSTED
from tests.browser.accessibility import without_violations
from tests.browser.conftest import PHONE, Friend
from tests.factories import INSTANT, Party, welcome
from tests.servers import Served


def _tap_what_is_lit(page: Page) -> None:
    step = int(page.locator("#live").get_attribute("data-version") or 0)
    ids = page.locator("[data-lit]").evaluate_all("all => all.map((one) => [one.tagName === 'INPUT', one.id])")
    for is_ticked, one in sorted(ids, reverse=True):  # a card that is ticked comes before the button
        page.locator(f'label[for="{one}"]' if is_ticked else f'[id="{one}"]').tap()
    expect(page.locator("#live")).to_have_attribute("data-version", str(step + 1))


def _finish(page: Page, key: str) -> None:
    page.goto(f"/learn/{key}")
    while page.locator("#live.lesson").count():
        _tap_what_is_lit(page)
    expect(page.locator("#play-now")).to_be_visible()


@pytest.mark.dear(12, "every step of every lesson")
def test_every_lesson_is_finished_by_tapping_what_glows(friend: Friend) -> None:
    page = friend(PHONE)
    for key in HOSTED:
        _finish(page, key)
        assert page.url.endswith(page.locator("#live").get_attribute("data-here") or "?")


@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("key", HOSTED)
def test_a_lesson_is_finished_without_scripts(friend: Friend, key: str) -> None:
    _finish(friend(PHONE, scripts=False), key)


@pytest.mark.parametrize("step", [3, 8])
def test_what_laying_is_good_for_is_said_to_its_end_beside_two_buttons(friend: Friend, step: int) -> None:
    page = friend(PHONE)
    page.goto(f"/learn/life/{step}")
    expect(page.locator("#lay-all-button")).to_be_visible()
    assert page.locator("#hint").evaluate("one => one.scrollHeight <= one.clientHeight + 1")


def test_a_tap_on_anything_else_is_answered_and_points_at_what_is_lit(friend: Friend) -> None:
    page = friend(PHONE)
    page.goto("/learn/lives")
    page.locator("#draw-button").tap()
    expect(page.locator("#again")).to_have_text("Not that one just yet.")
    page.locator("#play-KH").tap()
    expect(page.locator("#again")).to_contain_text("does not go on")
    expect(page.locator("#line")).to_contain_text("Tap what glows.")
    expect(page.locator("#play-4C")).to_have_class(re.compile("shaken"))
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    for theme in ("dark", "light"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        without_violations(page)
    page.locator("#play-4C").tap()
    expect(page.locator("#said")).to_contain_text("Hearts are in play now", ignore_case=True)
    page.reload()
    expect(page.locator("#live")).to_have_attribute("data-version", "2")
    page.locator("#back").tap()
    expect(page.locator("#live")).to_have_attribute("data-version", "1")


def test_a_tap_that_does_not_reach_the_room_is_answered_too_and_changes_nothing_of_what_is_said(friend: Friend) -> None:
    page = friend(PHONE)
    page.goto("/learn/liverpool/2")
    said = page.locator("#said").inner_text()
    page.locator("#board").tap(position={"x": 350, "y": 24})
    expect(page.locator('label[for="pick-KD"]')).to_have_class(re.compile("shaken"))
    assert page.locator("#said").inner_text() == said
    for _ in range(2):
        page.locator('label[for="pick-8H"]').tap(position={"x": 8, "y": 40})
        expect(page.locator("#again")).to_have_text("Not that one just yet.")
        expect(page.locator("#pick-8H")).not_to_be_checked()
        expect(page.locator("#line")).to_contain_text("Tap what glows.")
    _tap_what_is_lit(page)
    expect(page.locator("#again")).to_have_count(0)


@pytest.mark.parametrize(("colors", "mark"), [("none", "boxShadow"), ("active", "outlineStyle")])
def test_nothing_glows_but_what_is_lit(friend: Friend, colors: Literal["none", "active"], mark: str) -> None:
    page = friend(PHONE)
    page.emulate_media(forced_colors=colors, reduced_motion="reduce")
    page.goto("/learn/lucky_paw/6")
    page.locator('label[for="pick-2"]').tap()
    glows = f"""all => all.filter((one) => getComputedStyle(one.querySelector(".face")).{mark} !== "none")
        .map((one) => one.id || one.htmlFor)"""
    assert page.locator(".felt .lay:has(.face)").evaluate_all(glows) == ["pick-2", "onto-4"]


def test_the_second_of_two_that_glow_comes_into_view_once_the_first_is_tapped(friend: Friend) -> None:
    page = friend(PHONE)
    page.goto("/learn/liverpool/7")
    page.locator('label[for="win-9H-1"]').tap()
    expect(page.locator("#win-1-to-3-here")).to_be_in_viewport(ratio=0.999)


def _sit(page: Page, room: Served, game: str, **options: Any) -> Party:
    """Alice, whose page this is, and Bob at a table in play."""
    guests = welcome(room.context, "Alice"), welcome(room.context, "Bob")
    slug = room.context.write(create.create_table, guests[0].id, game, 2, options, INSTANT)
    party = Party(room.context, slug, guests)
    party.write(seats.take_seat, 2, 2, "Bob")
    party.write(seats.start, 1)
    page.context.add_cookies([{"name": "snug", "value": guests[0].token, "url": room.url}])
    page.goto(f"/t/{slug}")
    return party


def test_the_rules_of_this_table_lie_over_it(friend: Friend, room: Served) -> None:
    page = friend()
    _sit(page, room, "lives", must_play=True, first_dealer=2)
    sheet = page.locator("#rules-sheet")
    page.locator("#rules-link").focus()
    page.keyboard.press("Enter")
    expect(sheet.locator("h1")).to_have_text("Irish Lives at this table")
    expect(sheet.locator(".changed").first).to_contain_text("Must Play")
    for theme in ("dark", "light"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        without_violations(page)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.locator("#rules-link")).to_be_focused()
    expect(page.locator('#live[data-my-turn="true"]')).to_be_visible()
    page.locator("#draw-button, [form=play]").first.evaluate("""button => {
        const form = document.getElementById(button.getAttribute("form"));
        form.elements.namedItem("move").value = "keep";
        button.click();
    }""")
    page.locator("#refusal a").click()
    expect(sheet.locator(".pointed")).to_be_in_viewport()
    sheet.locator("form button").click()
    expect(sheet).to_be_hidden()


def test_the_first_table_of_a_game_says_a_few_words_once_and_in_nobody_s_way(friend: Friend, room: Served) -> None:
    page = friend(PHONE)
    _sit(page, room, "life")
    callout = page.locator(".callout")
    expect(callout).to_contain_text("count double for you")
    for theme in ("dark", "light"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        without_violations(page)
    where = page.locator("#mine").bounding_box()
    covered = page.evaluate("""() => {
        const { left, right, top, bottom } = document.querySelector(".callout").getBoundingClientRect();
        return [...document.querySelectorAll("#mine, #actions, #live :is(a, button, summary)")].filter((one) => {
            const its = one.getBoundingClientRect();
            const meets = its.left < right && left < its.right && its.top < bottom && top < its.bottom;
            return meets && one.checkVisibility();
        }).map((one) => one.id);
    }""")
    assert not covered
    callout.locator("button").tap()
    expect(callout).to_be_hidden()
    assert page.locator("#mine").bounding_box() == where
    page.reload()
    page.locator("#choose-H").tap()
    expect(page.locator("#my-suit")).to_be_visible()
    expect(callout).to_be_hidden()
    assert page.evaluate("localStorage.getItem('coached-life')") == "0"


def test_a_number_that_is_tapped_says_what_it_means(friend: Friend, room: Served) -> None:
    page = friend(PHONE)
    page.add_init_script("localStorage.setItem('coached-lives', 'yes')")
    _sit(page, room, "lives")
    callout = page.locator(".callout")
    for number, meaning in (("#draw-pile .under", "can still be picked up"), ("#player-2 .left", "in this hand")):
        page.locator(number).tap()
        expect(callout).to_contain_text(meaning)
    callout.locator("button").tap()
    expect(callout).to_be_hidden()


def test_back_puts_away_what_lies_over_the_table_one_after_the_other(friend: Friend, room: Served) -> None:
    page = friend(PHONE)
    party = _sit(page, room, "lives")
    about, rules = page.locator("#about[open]"), page.locator("#rules-sheet[open]")
    page.locator("#about > summary").tap()
    page.locator("#about a[href*='/rules']").last.tap()
    expect(rules).to_be_visible()
    page.go_back()
    expect(rules).to_have_count(0)
    expect(about).to_be_visible()
    page.go_back()
    expect(about).to_have_count(0)
    page.locator("#scores > summary").tap()
    expect(page.locator("#scores[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#scores[open]")).to_have_count(0)
    page.wait_for_function("history.state === null")
    assert page.url.endswith(f"/t/{party.slug}")
