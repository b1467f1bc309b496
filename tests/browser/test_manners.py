"""What makes the table pleasant: choices that survive, words for refusals, focus, the keyboard, healing by itself."""

import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from app.services.play import play
from app.settings import Settings
from tests.browser.accessibility import without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend, Pair
from tests.browser.table_talk import is_my_turn, make_a_move, open_table, sit_down, stage_of, version_of
from tests.factories import Party
from tests.servers import Served, serving


def test_a_move_shows_at_the_other_seat_without_anybody_asking(pair: Pair) -> None:
    ann, bob = pair()
    assert is_my_turn(ann)
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    assert bob.title().startswith("Your turn")
    expect(bob.locator("#favicon")).to_have_attribute("href", re.compile("favicon-turn"))


def test_the_page_is_left_untouched_while_nothing_happens(pair: Pair) -> None:
    ann, _bob = pair(clock="off")
    ann.evaluate("""() => {
        window.changes = 0;
        new MutationObserver((all) => { window.changes += all.length; })
            .observe(document.getElementById("live"), {subtree: true, childList: true, characterData: true});
    }""")
    ann.wait_for_timeout(2_500)
    assert ann.evaluate("window.changes") == 0


def test_an_open_panel_and_the_focus_survive_another_seat_s_move(pair: Pair) -> None:
    ann, bob = pair()
    bob.locator("#happened > summary").click()
    bob.locator("#happened > summary").focus()
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(bob.locator("#happened[open]")).to_be_visible()
    assert bob.evaluate("document.activeElement.parentElement.id") == "happened"


def test_a_refused_pass_names_the_house_rule_and_changes_nothing(pair: Pair) -> None:
    ann, bob = pair(must_play=True)
    for _ in range(30):
        page = ann if is_my_turn(ann) else bob
        before = version_of(page)
        if page.locator("button.now, .pick").count():
            page.locator("#pass").click()
            expect(page.locator("#refusal")).to_contain_text("This table plays Must Play: you can still play")
            assert version_of(page) == before
            return
        make_a_move(page)
        expect(page.locator(f'#live[data-version="{before}"]')).to_have_count(0)
    raise AssertionError("nobody ever had a card to play")


def test_the_keyboard_alone_plays_a_round(friend: Friend) -> None:
    ann = friend(LAPTOP)
    open_table(ann, "Ann", 2, rounds="1", bot_pace="instant", auto_pass=True)
    ann.locator("#bot-2 > summary").click()
    ann.locator("#gentle-2").focus()
    ann.keyboard.press("Enter")
    expect(ann.locator("#start")).to_be_enabled()
    ann.locator("#start").focus()
    ann.keyboard.press("Enter")
    expect(ann.locator("#live:not(.at-gathering)")).to_be_visible()
    for _ in range(60):
        ann.locator('#live[data-my-turn="true"], #live.at-finished').wait_for()
        assert ann.evaluate("document.activeElement !== document.body"), "the focus was lost"
        if stage_of(ann) == "finished":
            return
        before = version_of(ann)
        _play_by_keyboard(ann)
        expect(ann.locator(f'#live[data-version="{before}"]')).to_have_count(0)
    raise AssertionError("the round does not end")


def _play_by_keyboard(page: Page) -> None:
    for _ in range(120):
        page.keyboard.press("Tab")
        kind = page.evaluate(
            "document.activeElement.matches('button.now') ? 'now' :"
            " document.activeElement.matches('.pick input') ? 'pick' :"
            " document.activeElement.id === 'pass' ? 'pass' : ''"
        )
        if kind == "pick":
            page.keyboard.press("Space")
            stack = page.evaluate("document.activeElement.value")
            while not page.evaluate(f"document.activeElement.matches('.fit-{stack} button')"):
                page.keyboard.press("Tab")
        if kind:
            page.keyboard.press("Enter")
            return
    raise AssertionError("there is nothing to press")


def test_a_lost_connection_says_so_and_heals_by_itself(chromium: Browser, settings: Settings) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(ExitStack())
        served = first.enter_context(serving(settings))
        context = chromium.new_context(base_url=served.url)
        stack.callback(context.close)
        page = context.new_page()
        open_table(page, "Ann", 2)
        first.close()
        expect(page.locator("#offline")).to_be_visible()
        page.locator("#bot-2 > summary").click()
        page.locator("#steady-2").click()
        expect(page.locator("#unsent")).to_contain_text("Not sent.")
        stack.enter_context(serving(settings, port=int(served.url.rsplit(":", 1)[1])))
        expect(page.locator("#start")).to_be_enabled()
        expect(page.locator("#offline")).to_be_hidden()
        expect(page.locator("#unsent")).to_be_hidden()


def _make_a_move_in_vain(page: Page) -> None:
    """Plays while nothing can be sent: the page says so and stands as it stood, with what was chosen."""
    before = version_of(page)
    chose = make_a_move(page)
    expect(page.locator("#unsent")).to_contain_text("Not sent.")
    assert version_of(page) == before
    assert page.locator(".pick :checked").count() == chose


def test_a_move_made_without_a_network_is_kept_and_goes_by_itself_when_it_is_back(pair: Pair) -> None:
    ann, bob = pair()
    ann.context.set_offline(True)
    _make_a_move_in_vain(ann)
    expect(ann.locator("#offline")).to_be_hidden()  # one notice at a time
    ann.locator("#unsent button").click()
    expect(ann.locator("#unsent")).to_contain_text("Still not sent.")
    without_violations(ann)
    expect(bob.locator('#live[data-my-turn="false"]')).to_be_visible()
    ann.context.set_offline(False)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(ann.locator("#unsent")).to_be_hidden()
    assert ann.evaluate("document.activeElement !== document.body"), "the focus was lost"


def test_a_move_whose_answer_was_lost_is_not_played_twice(pair: Pair) -> None:
    ann, bob = pair()

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    ann.route("**/moves", lose_the_answer, times=1)
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    played = version_of(bob)
    expect(ann.locator(f'#live[data-version="{played}"]')).to_be_visible()
    expect(ann.locator("#unsent")).to_be_hidden()
    expect(ann.locator(".messages")).to_have_count(0)
    assert version_of(ann) == version_of(bob) == played


@pytest.mark.usefixtures("playable")
def test_a_move_that_the_table_has_moved_on_from_is_refused_once_and_not_kept(
    pair: Pair, friend: Friend, room: Served
) -> None:
    ann, bob = pair()
    ann.context.set_offline(True)
    _make_a_move_in_vain(ann)
    twin = friend(PHONE)  # the same person's other device
    for one in ann.context.cookies():
        twin.context.add_cookies([{"name": one["name"], "value": one["value"], "url": room.url}])
    twin.goto(ann.url)
    twin.locator("#pass").click()
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.locator("#refusal")).to_contain_text("has moved on")
    expect(ann.locator("#unsent")).to_be_hidden()
    assert version_of(ann) == version_of(bob)


def test_a_move_that_hangs_is_sent_once_more_by_itself(pair: Pair) -> None:
    ann, bob = pair()
    hung: list[Route] = []

    def hang(route: Route) -> None:
        hung.append(route)

    ann.route("**/moves", hang, times=1)
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(ann.locator("#unsent")).to_be_hidden()
    expect(ann.locator('#live[data-my-turn="false"]')).to_be_visible()
    assert len(hung) == 1
    assert version_of(ann) == version_of(bob)


def test_a_line_of_talk_that_was_not_sent_stays_in_its_field_until_it_is(pair: Pair) -> None:
    ann, bob = pair()
    ann.context.set_offline(True)
    ann.locator("#talk-text").fill("Who has the kettle?")
    ann.locator("#talk-text").press("Enter")
    expect(ann.locator("#unsent")).to_be_visible()
    expect(ann.locator("#talk-text")).to_have_value("Who has the kettle?")
    ann.context.set_offline(False)
    expect(ann.locator("#talk-text")).to_have_value("")
    expect(ann.locator("#unsent")).to_be_hidden()
    expect(bob.locator("[data-said]")).to_have_count(1)


def test_the_room_s_own_failure_is_a_move_not_sent_too(pair: Pair) -> None:
    ann, bob = pair()
    ann.route("**/moves", lambda route: route.fulfill(status=502, body="Bad gateway"), times=2)
    _make_a_move_in_vain(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(ann.locator("#unsent")).to_be_hidden()


def test_the_notice_goes_as_soon_as_the_network_is_back(pair: Pair) -> None:
    ann, _bob = pair(clock="off")
    ann.context.set_offline(True)
    expect(ann.locator("#offline")).to_be_visible()
    ann.context.set_offline(False)
    expect(ann.locator("#offline")).to_be_hidden()


def test_the_seat_link_continues_on_another_device(pair: Pair, friend: Friend) -> None:
    ann, _bob = pair()
    ann.locator("#about > summary").click()
    ann.locator("#seat-link").click()
    link = ann.locator("#seat-url").input_value()
    tablet = friend(PHONE)
    tablet.goto(link)
    tablet.get_by_role("button", name=re.compile("Continue")).click()
    expect(tablet.locator("#live.at-playing")).to_be_visible()
    assert is_my_turn(tablet)


@pytest.mark.thorough(of="every page", one_in=4)
def test_every_page_is_free_of_accessibility_faults(friend: Friend, room: Served) -> None:
    ann, bob = friend(LAPTOP), friend(PHONE)
    for path in ("/", "/new/lucky_paw", "/rules/lucky_paw", "/nowhere"):
        ann.goto(path)
        without_violations(ann)
    bob.goto("/nowhere")  # the others are read on a phone in every look
    without_violations(bob)
    link = open_table(ann, "Ann", 2, rounds="2")
    bob.goto(link)
    without_violations(bob)
    sit_down(bob, link, "Bob", 2)
    expect(ann.locator("#start")).to_be_enabled()
    without_violations(ann)
    ann.locator("#start").click()
    party = Party(room.context, link.rsplit("/", 1)[1], ())
    for stage in ("playing", "scores", "finished"):
        for page in (ann, bob):
            expect(page.locator(f"#live.at-{stage}")).to_be_visible()
            without_violations(page)
        for player in filter(None, party.players.values()) if stage == "scores" else ():
            room.context.write(play.set_ready, party.slug, player)
        party.pass_round()


def test_a_move_costs_one_round_trip_and_leaves_the_poll_alone(pair: Pair) -> None:
    ann, bob = pair()
    failed: list[str] = []
    ann.on("requestfailed", lambda request: failed.append(request.url))
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(ann.locator('#live[data-my-turn="false"]')).to_be_visible()
    make_a_move(bob)
    expect(ann.locator('#live[data-my-turn="true"]')).to_be_visible()
    assert not failed
