"""A room with the package installed: three people play a deal there, over HTTP and without scripts."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx2
import pytest
from tests.pages import Element, Page

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def room(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a room that knows nothing of this folder but what was installed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("room")
    command = (sys.executable, "-m", "app.cli", "serve", "--port", str(port), "--data", str(folder / "data"))
    process = subprocess.Popen(command, cwd=folder, env=_knowing(installed), stdout=subprocess.DEVNULL)
    try:
        _await(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _knowing(installed: Path) -> dict[str, str]:
    """The environment of a room with the package."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, installed)))}


def _await(url: str, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < give_up:
        with suppress(httpx2.TransportError):
            httpx2.get(f"{url}/healthz").raise_for_status()
            return
        time.sleep(0.05)
    raise AssertionError("the room does not open")


@pytest.fixture
def friends(room: str) -> Iterator[list[httpx2.Client]]:
    """Three browsers."""
    headers = {"Origin": room, "Sec-Fetch-Site": "same-origin"}
    with ExitStack() as stack:
        yield [stack.enter_context(httpx2.Client(base_url=room, headers=headers, timeout=30)) for _ in range(3)]


@pytest.mark.dear(2, "a room with a package of its own")
def test_a_deal_is_passed_played_scored_and_replayed(friends: list[httpx2.Client]) -> None:
    alice, *others = friends
    opened = alice.post("/tables", data={"game": "hearts", "name": "Alice", "seats": "3", "rounds": "1"})
    table = opened.headers["location"]
    for number, browser in enumerate(others, 2):
        assert browser.post(f"{table}/sit", data={"number": str(number), "name": f"Friend {number}"}).status_code == 303
    assert alice.post(f"{table}/start").status_code == 303

    for browser in friends:
        page = Page(browser.get(table).text)
        assert _move(browser, table, page, 2).status_code == 422, "two cards are no pass"
        assert _move(browser, table, page, 3).status_code == 200
    played = 0
    while played < 51:
        for browser in friends:
            page = Page(browser.get(table).text)
            while _cards(page):
                answer = _move(browser, table, page, 1)
                assert answer.status_code == 200
                page, played = Page(answer.text), played + 1
    assert "Who took what" in alice.get(table).text
    assert alice.get(f"{table}/replay/1/1").status_code == 200


def test_the_rules_and_the_table_to_open_are_there(friends: list[httpx2.Client]) -> None:
    codes = {"PASS_THREE", "ALREADY_PASSED", "LOWEST_CLUB", "MUST_FOLLOW", "NO_POINTS_YET", "HEARTS_NOT_BROKEN"}
    page = Page(friends[0].get("/rules/hearts").text)
    ids = [element["id"] for element in page.elements if "id" in element.attributes]
    assert codes <= set(ids)
    assert len(set(ids)) == len(ids)
    for option in ("passing", "first_trick_points", "queen_breaks", "jack", "moon", "target", "rounds"):
        assert f"option-{option}" in ids
    assert friends[0].get("/new/hearts").status_code == 200
    assert "Hearts" in friends[0].get("/").text


def test_a_tournament_is_played(installed: Path, tmp_path: Path) -> None:
    wanted = ("--players", "8", "--stages", "1", "--games", "hearts", "--same-deal")
    command = (sys.executable, "-m", "app.cli", "simulate-tournament", *wanted)
    played = subprocess.run(command, cwd=tmp_path, env=_knowing(installed), capture_output=True, text=True, check=True)
    assert "The game is Hearts." in played.stdout


def _cards(page: Page) -> list[Element]:
    """The cards that a page lets its player choose."""
    return [element for element in page.elements if element["name"] in ("card", "cards")]


def _move(browser: httpx2.Client, table: str, page: Page, number: int) -> httpx2.Response:
    """Sends the form of a page with so many of its cards: the first of its forms."""
    hidden = {one["name"]: one["value"] for one in reversed(page.elements) if one["type"] == "hidden"}
    chosen = {_cards(page)[0]["name"]: [card["value"] for card in _cards(page)[:number]]}
    move = {"move": hidden["move"], "seen": hidden["seen"], **chosen}
    return browser.post(f"{table}/moves", data=move, headers={"HX-Request": "true"})
