"""The rules that players read: complete, free of double ids, and true for the table they are read at."""

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.table import open_table
from app.web.forms.options import fields_of
from app.web.pages.render import HOSTED
from snug.engine.cards import PACK
from snug.engine.chance import ShuffleDue
from snug.engine.game import Game
from tests import factories
from tests.factories import begin
from tests.pages import Page
from tests.web.conftest import Visit

SCENARIOS = Path(__file__).parents[1] / "games"
_NEVER_ON_A_PAGE = {"IMPOSSIBLE_OUTCOME"}  # only the dealer can be refused this


@pytest.mark.parametrize("key", list(HOSTED))
def test_every_option_and_every_refusal_has_its_place_on_the_rules_page(client: TestClient, key: str) -> None:
    page = Page(client.get(f"/rules/{key}").text)
    ids = Counter(element["id"] for element in page.elements if "id" in element.attributes)
    assert not [name for name, times in ids.items() if times > 1]
    refusals = set(re.findall(r'"refused": "([A-Z_]+)"', (SCENARIOS / f"{key}/scenarios.json").read_text()))
    assert refusals - _NEVER_ON_A_PAGE <= set(ids)
    for field in fields_of(HOSTED[key], {}):
        assert field.section in ids
        assert f"option-{field.name}" in ids
        assert field.meaning in page.text
    links = [
        link["href"] for link in Page(client.get(f"/new/{key}").text).find("a") if f"/rules/{key}#" in link["href"]
    ]
    assert links
    assert {link.partition("#")[2] for link in links} <= set(ids)


@pytest.mark.parametrize(("key", "section", "words"), [("life", "aces", "sweep"), ("lives", "last_card", "one card")])
def test_a_section_of_the_rules_says_what_it_is_about(client: TestClient, key: str, section: str, words: str) -> None:
    assert words in " ".join(Page(client.get(f"/rules/{key}").text).one(id=section).words)


def test_a_table_s_page_states_the_rules_of_this_table(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, must_play=True)
    page = Page(visit(party.guests[0]).get(f"/t/{party.slug}/rules").text)
    assert "at this table" in page.text
    assert "what differs from the usual game is marked" in page.text
    usual = begin(app_context, 2)
    assert "is marked" not in visit(usual.guests[0]).get(f"/t/{usual.slug}/rules").text
    assert "changed" in page.one(id="option-must_play")["class"]
    assert "Must Play: On" in "".join(page.text.split("\n"))
    assert "class" not in page.one(id="option-teams").attributes
    assert visit(None).get(f"/t/{party.slug}/rules").status_code == 200
    assert visit(None).get("/t/nowhere/rules").status_code == 404


def test_a_refused_move_leads_to_its_rule(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2)
    guest = next(guest for guest in party.guests if not party.look(guest).people.my_turn)
    browser = visit(guest)
    answer = browser.post(f"/t/{party.slug}/moves", data={"move": "pass", "seen": str(party.version)})
    assert answer.status_code == 422
    (link,) = [one for one in Page(answer.text).find("a") if "#NOT_YOUR_TURN" in one["href"]]
    address, _, anchor = link["href"].partition("#")
    assert "your turn" in Page(browser.get(address).text).text
    assert Page(browser.get(address).text).find(id=anchor)
    assert party.look(guest).table.status == open_table.PLAYING


def test_the_scenarios_are_where_this_test_looks_for_them() -> None:
    for key in HOSTED:
        assert json.loads((SCENARIOS / f"{key}/scenarios.json").read_text())


def test_the_rules_lead_back_to_the_table_as_it_was(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, jokers=1, rounds=1)
    browser = visit(party.guests[0])
    address = f"/t/{party.slug}"
    for query in ("", "?melds=s7H.7S.7C&sort=rank"):
        link = Page(browser.get(address + query).text).one("a", id="rules-link")["href"]
        rules = Page(browser.get(link).text)
        assert "Jokers: One" in rules.text
        assert rules.one("a", id="way-back")["href"] == rules.one("a", id="way-back-below")["href"]
        back = rules.one("a", id="way-back")["href"]
        assert back.partition("?")[0] == address
        assert browser.get(back).request.url.query == browser.get(address + query).request.url.query
    party.pass_round()
    assert Page(browser.get(address).text).one("a", id="rules-link")["href"] == f"{address}/rules"
    assert not Page(browser.get("/rules/lucky_paw").text).find(id="way-back")


def test_the_rules_lead_back_to_the_moment_of_a_replay(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, jokers=1, rounds=1)
    party.pass_round()
    browser = visit(party.guests[1])
    moment = f"/t/{party.slug}/replay/1/1?step=2&eyes=open"
    rules = Page(browser.get(Page(browser.get(moment).text).one("a", id="rules-link")["href"]).text)
    assert "Jokers: One" in rules.text
    assert rules.one("a", id="way-back")["href"] == moment
    assert "Move 2 of" in Page(browser.get(moment).text).text
    record = browser.get(f"/t/{party.slug}/record").text
    link = Page(browser.post("/replay", data={"record": record}).text).one("a", id="rules-link")
    assert (link["href"], link["target"], link["rel"]) == ("/rules/lucky_paw", "_blank", "noopener")
    assert browser.get(f"/t/{party.slug}/replay/1/1/rules?eyes=//evil.example").status_code == 200


def packs_in(game: Game[Any], seats: int) -> int:
    """With how many packs a game is really played: as many as it takes for so many cards that are no jokers."""
    state = game.start(game.options(), seats, 1, 1)
    due = game.due(state)
    cards = due.cards if isinstance(due, ShuffleDue) else game.cards(state)
    return math.ceil(sum(not card.is_joker for card in cards) / len(PACK))


@pytest.mark.parametrize("key", list(HOSTED))
def test_a_rules_page_says_how_many_play_and_with_how_many_packs(client: TestClient, key: str) -> None:
    game = HOSTED[key]
    words = " ".join(Page(client.get(f"/rules/{key}").text).one(id="needs").words)
    told = dict[int, int]()
    for least, most, packs in re.findall(r"(?:(\d+) to )?(\d+) players play with (one|\d+) packs?\b", words):
        told |= dict.fromkeys(range(int(least or most), int(most) + 1), 1 if packs == "one" else int(packs))
    low, high = game.seats
    assert told == {seats: packs_in(game, seats) for seats in range(low, high + 1)}


def test_a_table_s_page_says_with_how_many_packs_it_plays(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factories, "GAME", "life")
    for decks, words in (("auto", "With one pack of cards."), (2, "With 2 packs of cards.")):
        party = begin(app_context, 2, decks=decks)
        assert words in Page(visit(party.guests[0]).get(f"/t/{party.slug}/rules").text).text


def test_liverpools_page_says_who_may_buy(client: TestClient) -> None:
    words = " ".join(Page(client.get("/rules/liverpool").text).text.split())
    assert "whoever discarded it may buy it back, last of all" in words
