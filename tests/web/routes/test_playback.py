"""Replays and onlookers as browsers meet them: links, forms, whose cards are on the page, what is refused and how."""

import random
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import json
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.play import play
from app.services.queries.playback import ALL, read_replay
from app.services.seats import create
from app.services.seats import seats as seats_service
from app.web.middleware import rate_limit
from app.web.pages.render import HOSTED
from app.web.routes.playback import _wanted
from tests.engine.test_timeline import playthrough
from tests.factories import Party, begin, nothing_changes, setup_with, welcome
from tests.pages import Page
from tests.web.conftest import Visit
from tests.web.routes.test_privacy import faces

pytestmark = pytest.mark.slow  # every step of whole rounds

POLICIES = ("none", "open", "after", "delayed")


def deal(app_context: AppContext, policy: str, game: str = "lives") -> Party:
    """Alice and Bob in the first of two deals, with cards that nobody else may see."""
    alice, bob = welcome(app_context, "Alice"), welcome(app_context, "Bob")
    slug = app_context.write(create.create_table, alice.id, game, 2, {"rounds": 2}, setup_with(watchers=policy))
    app_context.write(seats_service.take_seat, slug, bob.id, 2, "Bob")
    app_context.write(seats_service.start, slug, alice.id)
    return Party(app_context, slug, (alice, bob))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.slow
def test_nothing_of_a_running_round_is_in_any_replay(app_context: AppContext, visit: Visit, policy: str) -> None:
    party = deal(app_context, policy)
    party.move(3)
    for guest in (None, welcome(app_context, "Dave"), *party.guests):
        browser = visit(guest)
        for query in ("", "?step=0&eyes=open", "?eyes=1", "?eyes=2", "?eyes=me"):
            for number in (1, 2):
                answer = browser.get(f"/t/{party.slug}/replay/1/{number}{query}")
                assert answer.status_code in (403, 404)
                assert not faces(answer.text)


@pytest.mark.parametrize(
    ("policy", "running", "between", "over"),
    [
        ("none", False, False, False),
        ("open", True, True, True),
        ("after", False, True, True),
        ("delayed", False, False, True),
    ],
)
def test_onlookers_see_the_board_when_the_host_lets_them(
    app_context: AppContext, visit: Visit, policy: str, running: bool, between: bool, over: bool
) -> None:
    party, browser = begin(app_context, 2, rounds=2, watch=policy), visit(None)

    def board_is_shown() -> bool:
        pages = [browser.get(f"/t/{party.slug}{path}").text for path in ("", "/live?seen=0", "/talk")]
        assert not faces(pages[2]) or party.look().viewer.may_see
        shown = {"tables" if "standings" in text or "podium" in text else bool(faces(text)) for text in pages[:2]}
        assert len(shown) == 1
        return bool(shown.pop())

    assert board_is_shown() is running
    party.pass_round()
    assert board_is_shown() is between
    party.everybody_is_ready()
    assert board_is_shown() is running
    linked = Page(browser.get(f"/t/{party.slug}").text).find(id="replay-1")
    assert bool(linked) == (policy in ("after", "delayed"))
    party.pass_round()
    assert board_is_shown() is over
    assert bool(Page(browser.get(f"/t/{party.slug}").text).find(id="replay-2")) is over


def test_only_own_cards_and_open_ones_are_replayed_while_the_match_goes_on(
    app_context: AppContext, visit: Visit
) -> None:
    party = deal(app_context, "open")
    hands = party.look(party.guests[0]).board.view.hand, party.look(party.guests[1]).board.view.hand  # type: ignore[union-attr]
    party.play_round(random.Random(2))
    address = f"/t/{party.slug}/replay/1/1?step=0"
    for guest, own in zip((*party.guests, None), (*hands, ()), strict=True):
        browser = visit(guest)
        page = browser.get(address)
        assert page.status_code == 200
        shown = Page(page.text)
        assert sum("held" in one["class"].split() for one in shown.elements) == len(own)
        for eyes in ("open", "2" if guest == party.guests[0] else "1"):
            answer = browser.get(f"{address}&eyes={eyes}")
            assert answer.status_code == 403
            assert not faces(answer.text)


@pytest.mark.slow
def test_every_step_is_a_link_and_nothing_on_it_can_be_sent(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 3, rounds=1)
    party.play_round(random.Random(1))
    browser = visit(party.guests[1])
    finished = Page(browser.get(f"/t/{party.slug}").text)
    address = finished.one("a", id="replay-1")["href"]
    steps = 0
    while True:
        answer = browser.get(address)
        assert answer.status_code == 200
        page = Page(answer.text)
        assert {form.action for form in page.forms} == {"/preferences"}
        assert f"Move {steps} of" in page.text
        assert page.one("input", id="share")["value"].startswith(f"http://testserver/t/{party.slug}/replay/1/1?")
        if not page.find("a", id="forward"):
            break
        address, steps = page.one("a", id="forward")["href"], steps + 1
    assert steps > 10
    assert len([one for one in page.elements if one["class"] == "to-move"]) == steps + 1
    assert finished.find("a", href=f"/t/{party.slug}/record")
    assert not page.find("a", id="last")


def test_whose_eyes_one_looks_through_is_chosen_by_a_link(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 3, rounds=1)
    party.play_round(random.Random(1))
    browser = visit(party.guests[1])
    page = Page(browser.get(f"/t/{party.slug}/replay/1/1?step=2").text)
    for eyes in ("open", "1", "3", "me"):
        page = Page(browser.get(page.one("a", id=f"eyes-{eyes}")["href"]).text)
        assert [one["id"] for one in page.find("a") if one["aria-current"] and one["id"]] == [f"eyes-{eyes}"]
        assert "Move 2 of" in page.html


def test_a_downloaded_record_opens_in_the_replay_page_and_is_not_kept(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, rounds=2, jokers=1)
    party.pass_round()
    party.everybody_is_ready()
    party.pass_round()
    browser = visit(None)
    record = browser.get(f"/t/{party.slug}/record").content
    with nothing_changes(app_context.database):
        for kind in ({"files": {"file": ("r.json", record)}}, {"data": {"record": record.decode()}}):
            page = Page(browser.post("/replay", **kind).text)
            assert "Move 0 of" in page.text
        (forward,) = [form for form in page.forms_to("/replay") if form.button.startswith("Forward")]
        assert forward.get("at") == "1/1/open"
        assert "Move 1 of" in Page(browser.post("/replay", data=forward.data).text).text
        (second,) = [form for form in page.forms_to("/replay") if form.button == "Round 2"]
        assert "Round 2 of 2" in Page(browser.post("/replay", data=second.data).text).text
        assert browser.post("/replay", data={"record": record.decode(), "at": "1/0/9"}).status_code == 404


@pytest.mark.parametrize(
    ("record", "part"),
    [
        ("", "Choose the file"),
        ("hello", "not the text of a record"),
        ('{"seats": 2}', "game"),
        ('{"game": "lucky_paw", "seats": 2, "moves": [{"seat": 2, "move": "pass"}]}', "Move 1: "),
        ('{"game": "lucky_paw", "seats": 2, "moves": [{"seat": 1, "move": "<b>"}]}', "Move 1: "),
        ("\udcff", "not the text of a record"),
        (" " * (1024 * 1024 + 1) + "{}", "at most 1 MB"),
    ],
)
def test_a_bad_record_gets_a_sentence(client: TestClient, record: str, part: str) -> None:
    answer = client.post("/replay", files={"record": (None, record.encode(errors="surrogatepass"))})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert part in "".join(page.one(id="refusal").words)
    assert page.forms_to("/replay")


def test_a_record_of_a_game_that_has_no_table_here_gets_a_sentence(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = begin(app_context, 2, rounds=1)
    party.pass_round()
    browser = visit(None)
    record = browser.get(f"/t/{party.slug}/record").text
    monkeypatch.delitem(HOSTED, "lucky_paw")
    answer = browser.post("/replay", data={"record": record})
    assert answer.status_code == 422
    assert "no table for that game" in Page(answer.text).text


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every key and entry of a record, however deep."""
    for at in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, at)
        yield from places_in(value[at], (*path, at))


ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1,
        2,
        9,
        1 << 70,
        0.5,
        "",
        "JK",
        "9C",
        "auto",
        "\x00",
        "😀",
        [],
        [[]],
        ["JK", "JK"],
        {},
        {"": 1},
    ]
)


def spoil(data: st.DataObject, record: Any) -> None:
    """Takes something out of a record, or puts something else in its place or beside it."""
    *path, last = data.draw(st.sampled_from(list(places_in(record))))
    at = record
    for step in path:
        at = at[step]
    change = data.draw(st.sampled_from(["drop", "alter", "empty", "cut", "add"]))
    if change == "drop":
        del at[last]
    elif change == "empty" and isinstance(at[last], dict | list):
        at[last].clear()
    elif change == "cut" and isinstance(at, list):
        del at[last:]
    elif change == "add" and isinstance(at, list):
        at.insert(last, deepcopy(data.draw(ODD | st.sampled_from(at))))
    else:
        at[last] = deepcopy(data.draw(ODD))


@pytest.mark.parametrize("key", list(HOSTED))
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.slow
def test_whatever_is_wrong_with_a_record_it_gets_a_sentence(client: TestClient, key: str, data: st.DataObject) -> None:
    rate_limit.uploads.forget()
    record = playthrough(key, 3, data.draw(st.sampled_from([0, 1, 5, 60])))
    record |= {"options": {}, "seed": "1", "host": 1} if data.draw(st.booleans()) else {}
    for _ in range(data.draw(st.integers(0, 3))):
        spoil(data, record)
        if not record:
            break
    step, eyes = data.draw(st.integers(0, 70)), data.draw(st.sampled_from(["open", "1"]))
    answer = client.post("/replay", data={"record": json.encode(record).decode(), "at": f"1/{step}/{eyes}"})
    assert answer.status_code in (200, 422)
    refusal = Page(answer.text).find(id="refusal")
    assert bool(refusal) == (answer.status_code == 422)


def test_records_are_replayed_for_so_much_time_a_minute(client: TestClient) -> None:
    record = json.encode(playthrough("lucky_paw", 3, 60)).decode()
    for _ in range(100):  # nobody goes through it faster
        assert client.post("/replay", data={"record": record}).status_code == 200
    moves = [{"seat": 1, "move": "pass"}] * 19_000
    heavy = json.encode({"game": "lucky_paw", "seats": 2, "moves": moves}).decode()
    answers = [client.post("/replay", data={"record": heavy}).status_code for _ in range(12)]
    allowed = answers.index(429)
    assert 5 < allowed < 12
    assert answers == [422] * allowed + [429] * (12 - allowed)


def test_more_than_a_record_ever_is_is_not_read(client: TestClient) -> None:
    assert client.post("/replay", files={"file": ("r.json", b" " * (5 * 1024 * 1024))}).status_code == 413


def test_a_longest_record_is_taken_by_the_form_that_carries_it_on(client: TestClient) -> None:
    moves = [{"seat": 1 + turn % 2, "move": "pass"} for turn in range(2)]
    record = json.encode({"game": "lucky_paw", "seats": 2, "seed": "9" * 300_000, "moves": moves}).decode()
    answer = client.post("/replay", data={"record": record})
    assert answer.status_code == 200
    (forward,) = [form for form in Page(answer.text).forms_to("/replay") if form.button.startswith("Forward")]
    assert client.post("/replay", data=forward.data).status_code == 200


def test_hosts_change_what_onlookers_see_on_the_page(app_context: AppContext, party: Party, visit: Visit) -> None:
    alice, bob = visit(party.guests[0]), visit(party.guests[1])
    assert not Page(bob.get(f"/t/{party.slug}").text).forms_to("/watchers")
    (form,) = Page(alice.get(f"/t/{party.slug}").text).forms_to("/watchers")
    assert form.get("watchers") == "open"
    assert alice.post(form.action, data={"watchers": "after"}).status_code == 303
    assert party.look().viewer.policy == "after"
    with nothing_changes(app_context.database):
        assert alice.post(form.action, data={"watchers": "all"}).status_code == 422
        assert bob.post(form.action, data={"watchers": "open"}).status_code == 403


def test_onlookers_who_see_nothing_now_say_nothing_now(app_context: AppContext, visit: Visit) -> None:
    alice, dave = welcome(app_context, "Alice"), welcome(app_context, "Dave")
    slug = app_context.write(
        create.create_table, alice.id, "lucky_paw", 2, {"rounds": 1}, setup_with(watchers="after", watchers_talk=True)
    )
    app_context.write(seats_service.seat_bot, slug, alice.id, 2, "gentle")
    app_context.write(seats_service.start, slug, alice.id)
    party = Party(app_context, slug, (alice,))
    browser = visit(dave)
    with nothing_changes(app_context.database):
        assert browser.post(f"/t/{slug}/talk", data={"text": "Hello"}).status_code == 403
    while not party.look().table.is_finished:
        if party.turn():
            party.move(-1)
        else:
            app_context.write(play.run_due, party.row.id)
    assert browser.post(f"/t/{slug}/talk", data={"text": "Hello"}).status_code == 303


@pytest.mark.parametrize("key", HOSTED)
@pytest.mark.parametrize("seats", [0, 1])
@pytest.mark.slow
def test_every_game_is_drawn_at_any_moment_through_any_eyes(client: TestClient, key: str, seats: int) -> None:
    number = HOSTED[key].seats[seats]
    record = json.encode(playthrough(key, number, 150)).decode()
    replay, _ = read_replay(record.encode(), 1, lambda _cost: None)
    last = len(replay.moments) - 1
    for step in sorted({0, 1, last // 2, last}):
        for eyes in ("open", str(number)):
            page = Page(client.post("/replay", data={"record": record, "at": f"1/{step}/{eyes}"}).text)
            assert f"Move {step} of {last}" in page.text
            assert {form.action for form in page.forms} == {"/preferences", "/replay"}
            assert not page.find(form="play")
            assert eyes == ALL or not re.search(r"\bYour?\b", page.text.partition("Move ")[2])


@pytest.mark.parametrize(
    ("at", "wanted"),
    [
        ("2/14/open", (2, 14, "open")),
        ("1/999999/2", (1, 999_999, "2")),
        ("1/1000000/2", (1, 0, ALL)),
        ("x/1/2", (1, 0, ALL)),
        ("²/1/2", (1, 0, ALL)),
        ("", (1, 0, ALL)),
    ],
)
def test_the_moment_of_a_pasted_record_is_the_wanted_one_or_its_beginning(
    at: str, wanted: tuple[int, int, str]
) -> None:
    assert _wanted(at) == wanted
