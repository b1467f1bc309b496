"""Whole tournaments, played by people with different browsers."""

import random
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import is_my_turn, make_a_move, open_table, sit_down, stage_of, version_of
from tests.factories import Party
from tests.servers import Served

_LONGEST = 300.0
_BY_HAND = 7  # moves of a round


def _play_to_the_end(pages: list[Page], plain: set[Page], party: Party) -> list[str]:
    """Everybody plays by hand whenever it is their turn, until services play a round to its end; who has no scripts
    reloads. Gives the stages that were met."""
    met: list[str] = []
    began, moves = time.monotonic(), 0
    while len(met) < 40:
        assert time.monotonic() - began < _LONGEST, "the tournament does not end"
        for page in pages:
            if page in plain and version_of(page) != version_of(pages[0]):
                page.reload()
            stage = stage_of(page)
            if page is pages[0] and (not met or met[-1] != stage):  # the others may be a moment behind
                met.append(stage)
                moves = 0
            if met[-1] == "finished":
                return met
            if stage == "scores" and page.locator("#im-ready").count():
                before = version_of(page)
                page.locator("#im-ready").click()
            elif stage == "playing" and is_my_turn(page):
                before = version_of(page)  # nobody else can move it on now
                moves += 1
                if moves == _BY_HAND:
                    party.play_round(random.Random(moves))
                    for seen in pages:
                        _show(seen, party.version, seen in plain)
                else:
                    make_a_move(page)
            else:
                continue
            expect(page.locator(f'#live[data-version="{before}"]')).to_have_count(0)
    raise AssertionError(f"a tournament of these stages: {met}")


def _show(page: Page, version: int, is_plain: bool) -> None:
    if is_plain:
        page.reload()
    else:
        page.wait_for_function("version => document.getElementById('live').dataset.version >= version", arg=version)


def _at(room: Served, link: str) -> Party:
    return Party(room.context, link.rsplit("/", 1)[1], ())


@pytest.mark.thorough(of="evenings", one_in=5)
def test_three_friends_play_two_rounds_on_a_laptop_a_phone_and_without_scripts(friend: Friend, room: Served) -> None:
    ann, bob, cem = friend(LAPTOP), friend(PHONE), friend(LAPTOP, scripts=False)
    link = open_table(ann, "Ann", 3, rounds="2")
    bob.goto(link)
    sit_down(bob, link, "Bob", 2)
    sit_down(cem, link, "Cem", 3)
    expect(ann.locator("#seat-3")).to_contain_text("Cem")
    ann.locator("#start").click()
    for page in (ann, bob):
        expect(page.locator("#live.at-playing")).to_be_visible()

    met = _play_to_the_end([ann, bob, cem], {cem}, _at(room, link))

    assert met == ["playing", "scores", "playing", "finished"]
    cem.reload()
    for page in (ann, bob, cem):
        expect(page.locator("#live.at-finished")).to_be_visible()
        expect(page.locator(".podium > li")).to_have_count(3)
    with ann.expect_download() as download:
        ann.get_by_role("link", name="Record of the game").click()
    assert download.value.suggested_filename == "snug-lucky_paw-1.json"
    ann.locator("#rematch").click()
    expect(bob.locator("#live.at-playing")).to_be_visible()


@pytest.mark.thorough(of="evenings", one_in=5)
def test_two_teams_of_a_friend_and_a_bot_each(friend: Friend, room: Served) -> None:
    ann, bob = friend(LAPTOP), friend(PHONE)
    link = open_table(ann, "Ann", 4, rounds="1", teams=True, jokers="2", must_play=True, bot_pace="instant")
    sit_down(bob, link, "Bob", 2)
    expect(ann.locator("#seat-2")).to_contain_text("Bob")
    expect(ann.locator("#seat-2")).to_contain_text("Even team")
    ann.locator("#bot-3 > summary").click()
    ann.locator("#steady-3").click()
    expect(ann.locator("#seat-3")).to_contain_text("bot")
    ann.locator("#bot-4 > summary").click()
    ann.locator("#gentle-4").click()
    expect(ann.locator("#start")).to_be_enabled()
    ann.locator("#start").click()
    for page in (ann, bob):
        expect(page.locator("#live.at-playing")).to_be_visible()

    met = _play_to_the_end([ann, bob], set(), _at(room, link))

    assert met == ["playing", "finished"]
    expect(bob.locator(".podium > li")).to_have_count(2)
    expect(bob.locator(".podium")).to_contain_text("Ann & ")
