"""The turn clock as people meet it: it counts, gives more time, lets bots play on, stands while the game is paused."""

import re

from playwright.sync_api import Page, expect

from app.services.play import play
from tests.browser.accessibility import without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend, Pair
from tests.browser.table_talk import is_my_turn, make_a_move, open_table, sit_down, version_of
from tests.factories import Party
from tests.servers import Served


def seconds_on(page: Page, place: str) -> int:
    """What a clock shows."""
    minutes, seconds = (page.locator(f"{place} [role=timer]").text_content() or "").split(":")
    return 60 * int(minutes) + int(seconds)


def arrange(page: Page, *steps: str) -> None:
    """Opens "This table" and clicks one thing after the other there."""
    if not page.locator("#about[open]").count():
        page.locator("#about > summary").click()
    for step in steps:
        page.locator(step).click()


def test_a_clock_counts_for_everybody_to_see_and_gives_more_time(pair: Pair) -> None:
    ann, bob = pair(clock="brisk")
    first = seconds_on(ann, ".mine")
    assert 20 <= first <= 30
    expect(bob.locator("#time-1")).to_contain_text("Ann")
    expect(ann.locator(".mine [role=timer]")).not_to_have_text(f"0:{first:02}")
    for page in (ann, bob):
        without_violations(page)
    before = seconds_on(ann, ".mine")
    ann.locator("#more-time").click()
    expect(ann.locator("#more-time")).to_contain_text("2 times left")
    assert seconds_on(ann, ".mine") > before + 10
    expect(bob.locator("#time-1 [role=timer]")).to_have_text(re.compile(r"0:[345]\d"))
    make_a_move(ann)
    expect(bob.locator(".mine [role=timer]")).to_be_visible()
    without_violations(bob)


def test_the_host_lets_a_bot_play_until_the_player_is_back(pair: Pair) -> None:
    ann, bob = pair(pace="brisk")
    arrange(ann, "#more-2 > summary", "#away-2-ask > summary")
    expect(ann.locator("#away-2-ask")).to_contain_text("A bot plays on until Bob is back")
    arrange(ann, "#away-2-ask-yes")
    expect(ann.locator("#away-2")).to_contain_text("away: a bot plays")
    expect(bob.locator("#im-back")).to_be_visible()
    without_violations(bob)
    version = int(version_of(ann))
    make_a_move(ann)
    expect(ann.locator(f'#live[data-version="{version + 2}"][data-my-turn="true"]')).to_be_visible()  # Ann, Bob’s bot
    bob.locator("#im-back").click()
    expect(bob.locator("#im-back")).to_have_count(0)
    expect(ann.locator("#away-2")).to_have_count(0)
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    seen = version_of(bob)
    arrange(ann, "#skip-2 > summary", "#skip-2-yes")
    expect(bob.locator(f'#live[data-version="{seen}"]')).to_have_count(0)


def test_a_pause_stops_everything_and_says_whose_it_is(pair: Pair) -> None:
    ann, bob = pair(clock="brisk")
    arrange(ann, "#pause")
    for page in (ann, bob):
        expect(page.locator("#clock")).to_contain_text("Ann paused the game")
        expect(page).to_have_title(re.compile("^Paused"))
        assert not is_my_turn(page)
        assert not page.locator("[data-countdown]").count()
        without_violations(page)
    assert not ann.locator("button.now, .pick").count()
    assert not bob.locator("#resume").count()
    shown = seconds_on(ann, ".mine")
    ann.wait_for_timeout(1_500)
    assert seconds_on(ann, ".mine") == shown
    ann.locator("#resume").click()
    expect(ann.locator('#live[data-my-turn="true"]')).to_be_visible()
    assert shown - 3 <= seconds_on(ann, ".mine") <= shown


def test_the_browser_suggests_its_time_zone(friend: Friend) -> None:
    for size in (LAPTOP, PHONE):
        page = friend(size)
        page.goto("/new/lucky_paw")
        page.locator("#rules-form > summary").click()
        zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
        expect(page.locator("#field-zone")).to_have_value(zone)
        page.locator("#field-clock").select_option("off")
        expect(page.locator("#option-hours, #option-at_zero").locator("visible=true")).to_have_count(0)
        page.locator("#field-clock").select_option("relaxed")
        page.locator("#field-opens").fill("20:00")
        without_violations(page)
    page = friend(LAPTOP, scripts=False)
    page.goto("/new/lucky_paw")
    expect(page.locator("#field-zone")).to_have_value("UTC")


def test_a_host_without_scripts_arranges_things_on_a_page_that_stays(friend: Friend) -> None:
    ann, bob = friend(PHONE, scripts=False), friend(LAPTOP)
    ann.goto("/new/lucky_paw")
    ann.get_by_label("Your nickname").fill("Ann")
    ann.locator("#seats-2").click()
    ann.get_by_role("button", name="Open the table").click()
    sit_down(bob, ann.locator("#invite-url").input_value(), "Bob", 2)
    ann.reload()
    ann.locator("#start").click()
    ann.locator("#about > summary").click()
    ann.get_by_role("link", name="Arrange things on a page that stays as it is").click()
    assert not ann.locator("meta[http-equiv=refresh]").count()
    ann.locator("#more-2 > summary").click()
    ann.locator("#replace-2 > summary").click()
    ann.locator("#replace-2-yes").click()
    expect(ann.locator("#live.at-playing")).to_be_visible()
    expect(bob.locator(".watching")).to_be_visible()


def test_co_hosts_and_the_clock_before_the_game(friend: Friend) -> None:
    ann, bob = friend(LAPTOP), friend(PHONE)
    link = open_table(ann, "Ann", 3)
    sit_down(bob, link, "Bob", 2)
    ann.locator("#more-2-gathering > summary").click()
    ann.locator("#cohost-2-gathering").click()
    expect(ann.locator("#seat-2")).to_contain_text("co-host")
    bob.locator("#clock-form-gathering > summary").click()
    bob.locator("#field-clock-gathering").select_option("days")
    bob.locator("#set-clock-gathering").click()
    for page in (ann, bob):
        expect(page.locator(".people-here > p").first).to_contain_text("Days: 2 days a move")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        without_violations(page)


def test_what_can_be_pressed_keeps_its_box_from_stage_to_stage(pair: Pair, friend: Friend, room: Served) -> None:
    """Chromium may lay nothing out any more where a morph has moved elements into closed details."""
    alone = friend(LAPTOP)
    open_table(alone, "Ann", 2, bot_pace="instant", auto_pass=True)
    alone.locator("#bot-2 > summary").click()
    alone.locator("#gentle-2").click()
    expect(alone.locator("#start")).to_be_enabled()
    alone.locator("#start").click()
    expect(alone.locator("#live.at-playing")).to_be_visible()
    everything_has_a_box(alone)
    ann, _bob = pair(rounds=3)
    party = Party(room.context, ann.url.rsplit("/", 1)[1], ())
    for opened in (False, True, False):
        everything_has_a_box(ann)
        party.pass_round()
        expect(ann.locator("#live:not(.at-playing)")).to_be_visible()
        everything_has_a_box(ann)
        if party.look().table.is_finished:
            return
        if opened:
            ann.locator("#about-scores > summary").click()
        for player in filter(None, party.players.values()):
            room.context.write(play.set_ready, party.slug, player)
        expect(ann.locator("#live.at-playing")).to_be_visible()
    raise AssertionError("the game does not end")


def everything_has_a_box(page: Page) -> None:
    """Every button outside closed details and popovers can have the focus."""
    assert (
        page.evaluate(
            "[...document.querySelectorAll('#live :is(a, button:enabled)"
            ":not(details:not([open]) *, [popover]:not(:popover-open) *, noscript *)')]"
            ".filter((one) => !one.checkVisibility()).map((one) => one.id || one.outerHTML)"
        )
        == []
    )
