"""How the room may look: the panel of looks, what can be read in each, and the size of the text that a browser is set
to."""

import random

import pytest
from playwright.sync_api import Page, Route, expect

from app.services.seats import create, seats
from app.services.talk import chat
from tests.browser.accessibility import without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.factories import INSTANT, Guest, Party, welcome
from tests.servers import Served


def _in_play(room: Served, page: Page, game: str) -> Party:
    """Alice, whose browser this is, and Bob in a game that is on."""
    guests = welcome(room.context, "Alice"), welcome(room.context, "Bob")
    slug = room.context.write(create.create_table, guests[0].id, game, 2, {}, INSTANT)
    party = Party(room.context, slug, guests)
    party.write(seats.take_seat, 2, 2, "Bob")
    party.write(seats.start, 1)
    _become(page, room, guests[0])
    return party


def _become(page: Page, room: Served, guest: Guest) -> None:
    page.context.add_cookies([{"name": "snug", "value": guest.token, "url": room.url}])


def _look(page: Page, **looks: str) -> None:
    page.evaluate("looks => Object.assign(document.documentElement.dataset, looks)", looks)


def _choose(page: Page, room: Served, **looks: str) -> None:
    """As the form without scripts does."""
    answer = page.request.post("/preferences", form={**looks}, headers={"Origin": room.url}, max_redirects=0)
    assert answer.status == 303, answer.text()


def _wall(page: Page) -> str:
    wall: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return wall


@pytest.mark.thorough(of="every page", one_in=4)
@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_every_page_can_be_read_in_every_look(friend: Friend, room: Served, size: tuple[int, int]) -> None:
    page = friend(size)
    party = _in_play(room, page, "lives")
    _choose(page, room, letters="on", indices="large")
    opened = "document.querySelectorAll('details:not(#looks)').forEach((one) => { one.open = true; })"
    for address in ("/", "/new/life", "/rules/lives", "/me", f"/t/{party.slug}"):
        page.goto(address)
        page.evaluate(opened)
        without_violations(page)
    _look(page, deck="two", spacing="calm")
    without_violations(page)
    _look(page, contrast="more")
    without_violations(page)
    _look(page, contrast="usual")
    page.locator("#looks > summary").click()
    without_violations(page)
    party.play_round(random.Random(5))
    for address in (f"/t/{party.slug}", f"/t/{party.slug}/replay/1/1?step=3"):
        page.goto(address)
        page.evaluate(opened)
        without_violations(page)


def test_looks_show_at_once_and_hold_on_every_device(friend: Friend, room: Served) -> None:
    page, phone = friend(LAPTOP), friend(PHONE)
    party = _in_play(room, page, "lives")
    _become(phone, room, party.guests[0])
    page.goto(f"/t/{party.slug}")
    page.evaluate("window.isHere = true")
    evening, hand = _wall(page), page.locator("#mine").bounding_box()
    page.locator("#looks > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    with page.expect_response("**/preferences"):
        page.keyboard.press("ArrowRight")
    expect(page.locator("html")).to_have_css("color-scheme", "light")
    assert page.locator("meta[name=theme-color]").get_attribute("content") == _wall(page) != evening
    card, chip = (
        "[...document.querySelectorAll('.face:has([href$=S], [href$=H], [href$=D], [href$=C])')].at(-1)",
        "::after",
    )
    corner = f"getComputedStyle({card}, '{chip}').maskImage"
    assert page.evaluate(corner) == "none"
    for words, looks in {"Letters": "letters=on", "Large": "indices=large", "Less": "motion=less"}.items():
        with page.expect_response("**/preferences"):
            page.locator("#looks label", has_text=words).click()
        name, value = looks.split("=")
        expect(page.locator("html")).to_have_attribute(f"data-{name}", value)
    page.wait_for_function(f"{corner}.includes('ranks.svg') && {corner}.includes('suits.svg')")
    assert page.locator("#mine").bounding_box() == hand
    page.keyboard.press("Escape")
    expect(page.locator("#looks")).not_to_have_attribute("open", "")
    expect(page.locator("#looks > summary")).to_be_focused()
    assert page.evaluate("window.isHere")
    phone.emulate_media(color_scheme="dark")
    phone.goto("/rules/lives")
    assert _wall(phone) == _wall(page)
    for name, value in {
        "theme": "light",
        "letters": "on",
        "indices": "large",
        "motion": "less",
        "deck": "four",
    }.items():
        expect(phone.locator("html")).to_have_attribute(f"data-{name}", value)
    phone.locator("#looks > summary").click()
    with phone.expect_response("**/preferences"):
        phone.locator("#looks label", has_text="As the device").click()
    assert _wall(phone) == evening
    phone.emulate_media(color_scheme="light")
    assert _wall(phone) == _wall(page)
    phone.route("**/preferences", lambda route: route.abort())
    phone.locator("#looks label", has_text="Two").click()
    expect(phone.locator("#looks [role=status]")).to_have_text("Not kept: the room cannot be reached.")
    phone.mouse.click(20, 700)
    expect(phone.locator("#looks > form")).to_be_hidden()


def test_looks_need_no_scripts(friend: Friend) -> None:
    page = friend(PHONE, scripts=False)
    page.goto("/rules/life")
    page.locator("#looks > summary").click()
    page.locator("#looks label", has_text="Daylight").click()
    page.locator("#looks label", has_text="More room").click()
    page.get_by_role("button", name="Use these").click()
    page.wait_for_url("**/rules/life")
    for name, value in {"theme": "light", "spacing": "calm", "deck": "four"}.items():
        expect(page.locator("html")).to_have_attribute(f"data-{name}", value)
    expect(page.locator("#looks > form")).to_be_hidden()


@pytest.mark.parametrize(("size", "text"), [((320, 568), 100), ((640, 400), 200), ((320, 568), 200)])
def test_the_panel_of_looks_can_be_used_on_every_screen(friend: Friend, size: tuple[int, int], text: int) -> None:
    page = friend(size)
    page.goto("/")
    page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")
    page.locator("#looks > summary").click(trial=True)
    expect(page.locator("#looks > summary")).to_be_in_viewport(ratio=1)
    page.locator("#looks > summary").click()
    expect(page.locator("#looks > form")).to_be_in_viewport(ratio=1)
    assert page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('#looks > form'))"
    )
    for label in page.locator("#looks label:not(.field)").all():
        label.click()
        expect(label.locator("[checked], input:checked")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator("#looks > form")).to_be_hidden()
    page.locator("#looks > summary").click()
    expect(page.locator("#looks > form")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_text_grows_with_the_browser_s_own_size(friend: Friend, room: Served, size: tuple[int, int]) -> None:
    page = friend(size)
    party = _in_play(room, page, "lives")
    for address in ("/", f"/t/{party.slug}"):
        page.goto(address)
        expect(page.locator("main")).to_have_css("font-size", "16px")
        page.evaluate("document.documentElement.style.fontSize = '125%'")
        expect(page.locator("main")).to_have_css("font-size", "20px")
        small = "e => e.innerText && !e.closest('svg, .sr') && parseFloat(getComputedStyle(e).fontSize) < 13.75"
        assert not page.evaluate(f"[...document.querySelectorAll('main *')].filter({small}).map((e) => e.outerHTML)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("theme", "wall"), [("Evening", 0), ("Daylight", 255), ("As the device", 255)])
def test_more_contrast_is_chosen_or_asked_for_by_the_browser(friend: Friend, theme: str, wall: int) -> None:
    page = friend(PHONE)
    page.emulate_media(color_scheme="light")
    page.goto("/")
    page.locator("#looks > summary").click()
    page.locator("#looks label", has_text=theme).click()
    usual = _wall(page)
    page.emulate_media(contrast="more")
    asked_for = _wall(page)
    page.emulate_media(contrast="no-preference")
    assert _wall(page) == usual != asked_for
    with page.expect_response("**/preferences"):
        page.locator("#looks label", has_text="More contrast").click()
    assert _wall(page) == asked_for == f"rgb({wall}, {wall}, {wall})"


def test_with_large_text_sorting_lies_behind_its_sign(friend: Friend, room: Served) -> None:
    page = friend(PHONE)
    party = _in_play(room, page, "lives")
    page.goto(f"/t/{party.slug}")
    expect(page.locator("#sort-sign")).to_be_hidden()
    expect(page.get_by_text("Sort:", exact=True)).to_be_visible()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.get_by_text("Sort:", exact=True)).to_be_hidden()
    expect(page.locator("#sort-rank")).to_be_hidden()
    page.locator("#sort-sign").click()
    page.locator("#sort-rank").click()
    expect(page.locator("#sort-rank")).to_be_hidden()
    places = "'A 2 3 4 5 6 7 8 9 10 J Q K'.split(' ').indexOf(id.split('-')[1].slice(0, -1))"
    ranks = f"[...document.querySelectorAll('#hand .face')].map(({{ id }}) => {places})"
    page.wait_for_function(f"(({ranks}).filter((at) => at >= 0)).every((at, one, all) => !one || all[one - 1] <= at)")


# A phone from before 2024: `light-dark()` makes a declaration invalid, and elements do not know whether they are seen.
_OLD_PHONE = "delete Element.prototype.checkVisibility"


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_phone_of_the_year_before_last_shows_cards_and_hears_talk(friend: Friend, room: Served, theme: str) -> None:
    page = friend(PHONE)
    page.add_init_script(_OLD_PHONE)
    for sheet in ("**/site.css*", "**/games/*.css*"):
        page.route(sheet, _without_light_dark)
    party = _in_play(room, page, "lives")
    _choose(page, room, theme=theme)
    page.goto(f"/t/{party.slug}")
    paper, lines = page.evaluate("""() => {
      const found = getComputedStyle(document.documentElement);
      return ["--card-paper", "--line"].map((name) => found.getPropertyValue(name));
    }""")
    assert paper.startswith("#f")
    assert lines.startswith("#")
    without_violations(page)
    page.evaluate("import(document.getElementById('coach').dataset.later)")
    party.write(chat.say, 2, "Evening!")
    expect(page.locator("#unread")).to_contain_text("1")


def _without_light_dark(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace("light-dark(", "not-known("))
