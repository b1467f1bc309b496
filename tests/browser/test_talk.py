"""Talk and notices in real browsers: what is half typed survives, unread talk is counted, switches are kept."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.accessibility import without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend, Pair
from tests.browser.table_talk import (
    is_my_turn,
    make_a_move,
    open_notices,
    open_table,
    put_sheets_away,
    sit_down,
    version_of,
)

# Stands in for the browser's own: says yes, and writes down what would be shown.
_NOTICES_ALLOWED = """
    window.shown = [];
    window.Notification = class {
        static permission = "default";
        static async requestPermission() { return Notification.permission = "ANSWER"; }
    };
    ServiceWorkerRegistration.prototype.showNotification = async function (title, more) {
        window.shown.push([title, more.body, more.data.url]);
    };
    PushManager.prototype.subscribe = async () => { throw new DOMException("no push service here"); };
    Object.defineProperty(document, "hidden", { get: () => window.outOfSight === true });
"""


def _begin(ann: Page, bob: Page) -> None:
    ann.locator("#start").click()
    for page in (ann, bob):
        expect(page.locator("#live.at-playing")).to_be_visible()


def _say(page: Page, words: str) -> None:
    page.locator("#talk-text").fill(words)
    page.locator("#talk-text").press("Enter")
    expect(page.locator("#talk-text")).to_have_value("")


def test_friends_talk_while_the_pages_poll(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    bob.locator("#happened > summary").click()
    _say(bob, "Is the kettle on?")
    expect(ann.locator(".said")).to_contain_text("Bob")
    expect(ann.locator(".said")).to_contain_text("Is the kettle on?")
    bob.locator("#happened > summary").click()
    _begin(ann, bob)
    expect(bob.locator("#unread")).to_be_hidden()
    _say(ann, "It is, and the biscuits are out.")
    expect(bob.locator("#unread")).to_have_text("1 new")
    assert ann.evaluate("document.activeElement.id") == "talk-text"
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    make_a_move(bob)
    expect(ann.locator('#live[data-my-turn="true"]')).to_be_visible()
    bob.locator("#happened > summary").click()
    expect(bob.locator("#unread")).to_be_hidden()
    bob.locator("#phrases > summary").click()
    bob.locator("#phrase-close").click()
    expect(ann.locator("#since .said")).to_contain_text("That was close!")
    expect(ann.locator("#since")).to_contain_text("Bob")
    expect(ann.locator("#earlier")).to_contain_text("biscuits")


def test_what_is_half_typed_survives_polls_and_the_start(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    bob.locator("#happened > summary").click()
    bob.locator("#talk-text").fill("I was just say")
    _say(ann, "Ready?")
    expect(bob.locator(".said")).to_contain_text("Ready?")
    expect(bob.locator("#talk-text")).to_have_value("I was just say")
    assert bob.evaluate("document.activeElement.id") == "talk-text"
    _begin(ann, bob)
    expect(bob.locator("#talk-text")).to_have_value("I was just say")
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(bob.locator("#talk-text")).to_have_value("I was just say")


def test_the_same_words_can_be_said_again_and_two_clicks_say_them_once(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    bob.locator("#happened > summary").click()
    seen = bob.locator("#sayseen")
    bob.locator("#talk-text").fill("Ha")
    _say(ann, "Evening")
    expect(bob.locator("[data-said]")).to_have_count(1)
    expect(bob.locator("#talk-text")).to_have_value("Ha")
    expect(seen).to_have_value(version_of(bob))  # the page was drawn anew around what is half typed
    bob.locator("#send").dblclick()
    expect(bob.locator("#talk-text")).to_have_value("")
    _say(bob, "Ha")
    expect(ann.locator("[data-said]")).to_have_count(3)
    expect(seen).to_have_value(version_of(bob))


def test_who_talks_too_much_reads_why_and_loses_nothing(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    for number in range(8):
        _say(ann, f"word {number}")
    ann.locator("#talk-text").fill("one more")
    ann.locator("#talk-text").press("Enter")
    expect(ann.locator("#unsaid")).to_contain_text("Take a sip")
    expect(ann.locator("#talk-text")).to_have_value("one more")
    expect(bob.locator("[data-said]")).to_have_count(8)


def test_a_proxy_that_finds_the_polls_too_many_does_not_wipe_the_table(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    asked: list[str] = []

    def too_many(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429, content_type="text/html", body="<p>Too many requests</p>")

    bob.route("**/live?*", too_many)
    _say(ann, "Hello")
    while len(asked) < 2:
        bob.wait_for_timeout(50)
    expect(bob.locator("#live.at-gathering")).to_be_visible()
    expect(bob.get_by_text("Too many requests")).to_have_count(0)
    bob.unroute("**/live?*")
    expect(bob.locator(".said")).to_have_count(1)


def test_hiding_talk_is_ones_own_and_the_host_s_choice_is_everybody_s(pair: Pair) -> None:
    ann, bob = pair(PHONE)
    bob.locator("#happened > summary").click()
    open_notices(ann)
    _say(bob, "Evening")
    expect(ann.locator(".said")).to_contain_text("Evening")
    ann.locator("#hide-talk").click()
    expect(ann.locator(".said")).to_have_count(0)
    expect(bob.locator(".said")).to_have_count(1)
    ann.locator("#hide-talk").click()
    expect(ann.locator(".said")).to_have_count(1)
    ann.locator("#mode").select_option("phrases")
    ann.locator("#set-mode").click()
    expect(bob.locator("#talk-text")).to_have_count(0)
    expect(bob.locator("#phrase-cheers")).to_be_visible()
    ann.locator("#mode").select_option("off")
    ann.locator("#set-mode").click()
    expect(bob.locator("#talk-off")).to_be_visible()


@pytest.mark.usefixtures("playable")
def test_a_table_is_silent_until_somebody_taps_the_speaker_and_sounds_then(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    bob.add_init_script("""
        window.heard = window.asked = 0;
        const start = AudioBufferSourceNode.prototype.start;
        AudioBufferSourceNode.prototype.start = function () { window.heard += 1; return start.call(this); };
        window.buzzes = [];
        navigator.vibrate = (buzz) => window.buzzes.push(buzz);
        const lock = { released: false, async release() { this.released = true; } };
        navigator.wakeLock.request = async () => (window.asked += 1, lock);
    """)
    bob.reload()
    asked: list[str] = []
    bob.on("request", lambda request: asked.append(request.url))
    _begin(ann, bob)
    open_notices(bob)
    speaker = bob.locator("#mute")
    expect(speaker).to_have_attribute("aria-pressed", "false")
    expect(bob.locator("#switch-vibrate")).not_to_be_checked()
    expect(bob.locator("#flights")).to_be_attached()
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    bob.wait_for_function("() => window.asked === 1")  # the screen stays awake
    assert bob.evaluate("window.heard || window.buzzes.length") == 0
    assert not [address for address in asked if "/sounds/" in address]
    put_sheets_away(bob)
    speaker.click()
    expect(speaker).to_have_attribute("aria-pressed", "true")
    expect(bob.locator("#switch-vibrate")).to_be_checked()
    bob.wait_for_function("() => window.heard === 1")  # so that one hears what one has chosen
    assert len({address for address in asked if "/sounds/" in address}) == 7
    make_a_move(bob)
    bob.wait_for_function("() => window.heard > 1")
    make_a_move(ann)
    bob.wait_for_function("() => window.buzzes.length === 1")
    bob.reload()
    expect(speaker).to_have_attribute("aria-pressed", "true")
    open_notices(bob)
    put_sheets_away(bob)
    speaker.click()
    expect(speaker).to_have_attribute("aria-pressed", "false")


def test_a_page_out_of_sight_gives_notice_of_the_turn(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    bob.add_init_script(_NOTICES_ALLOWED.replace("ANSWER", "granted"))
    _begin(ann, bob)
    bob.reload()
    open_notices(bob)
    bob.locator("label[for=switch-notify]").click()
    expect(bob.locator("#notify-why")).to_contain_text("You will hear of your turn")
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    assert bob.evaluate("window.shown") == []  # it is in sight
    make_a_move(bob)
    expect(bob.locator('#live[data-my-turn="false"]')).to_be_visible()
    expect(ann.locator('#live[data-my-turn="true"]')).to_be_visible()
    bob.evaluate("window.outOfSight = true")
    make_a_move(ann)
    bob.wait_for_function("() => window.shown.length === 1")
    ((title, body, url),) = bob.evaluate("window.shown")
    assert (title, url) == ("Your turn", re.sub(r"^https?://[^/]+", "", bob.url))
    assert body.startswith("Your turn · Lucky Paw")


def test_who_does_not_allow_notices_is_told_why_there_are_none(pair: Pair) -> None:
    ann, bob = pair(begun=False)
    bob.add_init_script(_NOTICES_ALLOWED.replace("ANSWER", "denied"))
    bob.reload()
    open_notices(bob)
    bob.locator("label[for=switch-notify]").click()
    expect(bob.locator("#notify-why")).to_contain_text("does not allow")
    expect(bob.locator("#switch-notify")).not_to_be_checked()
    _say(ann, "Anybody there?")
    expect(bob.locator("#unread")).to_have_text("1 new")
    expect(bob.locator("#notify-why")).to_contain_text("does not allow")


def test_a_push_is_shown_unless_its_table_is_in_sight(friend: Friend) -> None:
    ann = friend(browser="whole_chromium")
    open_table(ann, "Ann", 2)
    ann.context.grant_permissions(["notifications"])
    ann.evaluate(
        "async () => { await navigator.serviceWorker.register('/sw.js'); await navigator.serviceWorker.ready; }"
    )
    session = ann.context.new_cdp_session(ann)
    workers: list[dict[str, str]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: workers.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    while not workers:
        ann.wait_for_timeout(20)
    shown = "async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((n) => [n.title, n.body])"
    origin, here = re.match(r"(https?://[^/]+)(.*)", ann.url).groups()  # type: ignore[union-attr]
    for path, expected in ((here, []), ("/t/elsewhere", [["Your turn", "Lucky Paw with Bob"]])):
        notice = json.dumps({"title": "Your turn", "body": "Lucky Paw with Bob", "url": path, "tag": path})
        push = {"origin": origin, "registrationId": workers[0]["registrationId"], "data": notice}
        for turn in range(200 if expected else 15):
            if turn % 20 == 0:  # the browser itself loses one now and then, as push services do
                session.send("ServiceWorker.deliverPushMessage", push)
            if ann.evaluate(shown):
                break
            ann.wait_for_timeout(50)
        assert ann.evaluate(shown) == expected


def test_open_panels_and_the_page_of_talk_are_free_of_accessibility_faults(pair: Pair) -> None:
    ann, bob = pair()
    make_a_move(ann)
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    make_a_move(bob)
    _say(ann, "Your go")
    for page in (ann, bob):
        open_notices(page)
    put_sheets_away(bob)
    bob.locator("#happened > summary").click()
    bob.locator("#phrases > summary").click()
    expect(bob.locator("#since")).to_be_visible()
    for page in (ann, bob):
        without_violations(page)
    bob.goto(f"{bob.url}/talk")
    without_violations(bob)


def test_talk_works_without_scripts(friend: Friend) -> None:
    ann, bob = friend(PHONE, scripts=False), friend(LAPTOP)
    link = open_table(bob, "Bob", 2)
    sit_down(ann, link, "Ann", 2)
    ann.goto(f"{link}/talk")
    ann.locator("#talk-text").fill("From a page that stands still")
    ann.locator("#send").click()
    expect(bob.locator(".said")).to_contain_text("stands still")
    expect(ann.locator(".said")).to_contain_text("stands still")
    ann.locator("#phrases > summary").click()
    ann.locator("#phrase-cheers").click()
    expect(bob.locator(".said").first).to_contain_text("Cheers!")
    version = version_of(bob)
    ann.get_by_role("link", name="Back to the table").click()
    assert version_of(ann) == version
    assert not is_my_turn(ann)
