"""A small tournament of every format, from the form to the final standings, with people and bots."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import without_violations as _without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import is_my_turn, make_a_move, play_from_hand, stage_of, to_next_step, version_of
from tests.pictures.scenes import Scenes
from tests.servers import Served

_LONGEST = 120.0
_PRESETS = {"series": "One table", "rotating": "Meet everybody", "swiss": "Swiss", "knockout": "Knockout The best two"}


def _open(page: Page, *, mixed: bool = False, **fields: str) -> str:
    """Opens a tournament with the shortest matches; gives its address."""
    page.goto("/")
    page.get_by_role("link", name="Open a tournament").click()
    page.locator("#more-formats > summary").click()
    preset = _PRESETS[fields.get("format", "rotating")]
    page.get_by_role("button", name=preset).click()
    expect(page.locator(".preset[aria-current]")).to_contain_text(preset.split()[0])
    if mixed:
        page.locator("#game-follow_the_leader").check()
        expect(page.locator("#game-lucky_paw")).to_be_checked()
    usual = {"rounds": "1", "bot_pace": "instant", "stages": "2", "players": "4", "size": "2", "starts": "hand"}
    wishes = {**usual, **fields}
    for _ in range(2):
        _fill_in(page, wishes)
        to_next_step(page)
    page.locator("#name").fill("Host")
    _fill_in(page, wishes)
    page.locator("#open").click()
    expect(page.locator("#live.tournament")).to_be_visible()
    return page.url


def _fill_in(page: Page, wishes: dict[str, str]) -> None:
    """What this step of the form asks for."""
    expect(page.locator("#set-up")).to_be_visible()
    for name, value in wishes.items():
        choice, field = page.locator(f"#{name}-{value}[type=radio]"), page.locator(f"#field-{name}:visible")
        if choice.count():
            choice.check()
        elif field.count() and field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        elif field.count():
            field.fill(value)


def _enter(page: Page, name: str, team: str = "") -> None:
    page.locator("#nickname").fill(name)
    if team:
        page.locator("#new_team").fill(team)
    page.locator("#enter").click()
    expect(page.get_by_text(f"You are in as {name}.")).to_be_visible()


def _add_bots(page: Page, count: int) -> None:
    page.locator("#count").fill(str(count))
    page.locator("#level").select_option("gentle")
    page.locator("#add-bots").click()
    expect(page.locator(".entrants > li")).to_have_count(4)


def _play_the_table(page: Page) -> None:
    """Goes to the table that is ready, plays it to its end and comes back."""
    page.locator("#my-table").click()
    began = time.monotonic()
    while stage_of(page) != "finished":
        assert time.monotonic() - began < _LONGEST, "the table does not end"
        if stage_of(page) == "playing" and is_my_turn(page):
            before = version_of(page)
            if page.locator(".hand button.now").count():
                play_from_hand(page)
            else:
                make_a_move(page)
            expect(page.locator(f'#live[data-version="{before}"]')).to_have_count(0)
        else:
            page.wait_for_timeout(30)
    page.locator("#to-tournament").click()
    expect(page.locator("#live.tournament")).to_be_visible()


def _play_to_the_end(host: Page, people: list[Page], address: str) -> None:
    for _ in range(5):
        host.goto(address)
        if "is over" in (host.locator(".state").text_content() or ""):
            return
        host.locator("#start").click()
        expect(host.locator(".state")).to_contain_text("is being played")
        for page in people:
            page.goto(address)
            if page.locator("#my-table").count():
                _play_the_table(page)
        host.goto(address)
        host.locator("#close").click(timeout=60_000)
        expect(host.locator("#close")).to_have_count(0)
    raise AssertionError("the tournament does not end")


def _unfold(page: Page, where: str = "") -> None:
    """Opens all that is in sight, the menu at the top last: it would lie over the others."""
    for summary in reversed(page.locator(f"{where}details:not([open]) > summary:visible").all()):
        summary.click()


FORMATS = {
    "series": {"format": "series", "players": "4", "size": "4"},
    "rotating": {"format": "rotating"},
    "swiss": {"format": "swiss"},
    "knockout": {"format": "knockout", "advance": "1", "stages": "1"},
    "mixed": {"format": "rotating", "size": "4"},
    "teams": {"format": "rotating", "team_size": "2", "stages": "1"},
}


@pytest.mark.thorough  # in every run twelve play three stages of one, on the evening of test_evening.py
@pytest.mark.parametrize("name", FORMATS)
def test_a_person_and_bots_play_a_tournament_to_its_end(friend: Friend, name: str) -> None:
    host, ann = friend(LAPTOP), friend(PHONE)
    address = _open(host, mixed=name == "mixed", **FORMATS[name])
    ann.goto(address)
    _enter(ann, "Ann", "Owls" if name == "teams" else "")
    host.reload()
    _add_bots(host, 3)
    _without_violations(host)
    _play_to_the_end(host, [ann], address)
    ann.goto(f"{address}/standings")
    expect(ann.locator(".state")).to_contain_text("is over")
    expect(ann.locator(".ranks tbody tr")).to_have_count(2 if name == "teams" else 4)
    expect(ann.locator(".ranks tr.me")).to_have_count(0)  # on the big screen nobody is "you"
    width = ann.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE[0]
    for page, shown in ((ann, address), (ann, f"{address}/standings"), (host, address), (host, "/tournaments/new")):
        page.goto(shown)
        for tab in page.locator(".tabs a").all():
            tab.click()
            _unfold(page, "main ")
            _without_violations(page)
        _unfold(page)
        _without_violations(page)


def test_without_scripts_two_people_sign_up_and_find_their_table(friend: Friend) -> None:
    host, cem = friend(LAPTOP), friend(LAPTOP, scripts=False)
    address = _open(host, format="swiss")
    cem.goto(address)
    _enter(cem, "Cem")
    host.reload()
    _enter(host, "Host")
    _add_bots(host, 2)
    host.locator("#start").click()
    expect(host.locator("#my-table")).to_be_visible()
    cem.reload()
    cem.locator("#my-table").click()
    expect(cem.locator("#live.at-playing")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_who_leaves_is_asked_first(friend: Friend, scripts: bool) -> None:
    host, ann = friend(LAPTOP), friend(PHONE, scripts=scripts)
    address = _open(host)
    ann.goto(address)
    _enter(ann, "Ann")
    expect(ann.locator("#withdraw")).to_be_hidden()
    ann.locator("#withdraw-ask > summary").click()
    host.reload()
    _enter(host, "Host")
    if scripts:
        expect(ann.locator(".entrants > li")).to_have_count(2)
    ann.locator("#withdraw").click()  # its part of the page and the question stayed open while the page renewed itself
    expect(ann.locator("#enter")).to_be_visible()


def _write_down(page: Page, table: int, scores: str, why: str = "") -> None:
    """How a table of stage 1 ended, by three taps and the numbers."""
    page.locator(f"#result-1-{table} > summary").tap()
    for seat, score in enumerate(scores.split(), 1):
        page.locator(f"#score-1-{table}-{seat}").fill(score)
    if why:
        page.locator(f"#reason-1-{table}").fill(why)
    page.locator(f"#result-1-{table} button").tap()


@pytest.mark.dear(8, "an evening on two phones")
def test_an_organiser_on_a_phone_holds_an_evening_of_darts(friend: Friend) -> None:
    host, dan = friend(PHONE), friend(PHONE)
    host.goto("/tournaments/new")
    host.locator("[name=games]:checked").uncheck()
    expect(host.locator("#field-another_name")).to_be_hidden()
    host.locator("#game-another-game").check()
    host.locator("#field-another_name").fill("Darts")
    host.locator("#field-another_lowest_wins").check()
    to_next_step(host)
    _fill_in(host, {"size": "3", "stages": "2"})
    to_next_step(host)
    host.locator("#name").fill("Host")
    _fill_in(host, {"starts": "hand"})
    host.locator("#open").tap()
    host.locator("#people-ask > summary").tap()
    host.locator("#people-names").fill("Ann\nBen\nCat\nDan\nEve")
    host.locator("#people").tap()
    expect(host.locator(".entrants > li")).to_have_count(5)
    code = host.locator("#entry-4 code").inner_text()
    host.locator("#start").tap()
    cards = host.locator("#hall li[id^=table-]")
    expect(cards).to_have_count(2)
    names = [cards.nth(table).locator(".at bdi").all_inner_texts() for table in (0, 1)]
    for table, scores in ((1, "42 301 0"), (2, "7 8")):
        _write_down(host, table, scores)
        expect(cards.nth(table - 1).locator(".leads")).to_have_count(1)

    dan.goto(host.url)
    dan.locator("#own > summary").tap()
    dan.locator("#own-code").fill("none")
    dan.locator("#take-over").tap()
    expect(dan.locator("#own-wrong")).to_be_visible()
    dan.locator("#own-code").fill(code.lower())
    dan.locator("#take-over").tap()
    expect(dan.get_by_text("You are in as Dan.")).to_be_visible()

    host.locator("#close").tap()
    host.locator("#start").tap()
    expect(host.locator(".state")).to_contain_text("Stage 2 is being played.")
    host.goto(f"{host.url.partition('#')[0]}/stages/1")
    best = host.locator("#table-1 tbody th")
    expect(best).to_have_text([names[0][2], names[0][0], names[0][1]])  # the lowest score is the best
    _write_down(host, 1, "42 0 301", "Misread")
    expect(best).to_have_text([names[0][1], names[0][0], names[0][2]])
    said = re.compile(r"Misread\. (\w+) and (\w+) change places\. Stage 2 was already seated and stays as it is\.")
    expect(host.locator("#about + ul")).to_contain_text(said)


def test_the_start_waits_until_enough_are_in(friend: Friend) -> None:
    host = friend(LAPTOP)
    _open(host)
    expect(host.locator("#start")).to_be_disabled()
    expect(host.locator("#start-why")).to_have_text("Nobody has signed up yet: a table needs at least 2.")
    _enter(host, "Host")
    expect(host.locator("#start")).to_be_disabled()
    expect(host.locator("#start-why")).to_have_text("One is too few for a table of 2.")
    _without_violations(host)
    host.locator("#add-bots").click()
    expect(host.locator("#start")).to_be_enabled()
    expect(host.locator("#start-why")).to_have_count(0)


def test_on_paper_the_hall_is_its_tables_and_standings(friend: Friend, room: Served) -> None:
    (hall,) = Scenes(room.context).all("tournament-playing".__eq__)
    assert hall.guest
    page = friend()
    page.context.add_cookies([{"name": "snug", "value": hall.guest.token, "url": room.url}])
    page.goto(hall.path)
    page.locator("[href='#tab-about']").click()
    expect(page.locator("#notices")).to_be_visible()
    page.emulate_media(media="print")
    for shown in (".tables", ".ranks"):
        expect(page.locator(shown).first).to_be_visible()
    for useless in (".top", "#notices", "#evening-clock", "#organiser"):
        expect(page.locator(useless)).to_be_hidden()
