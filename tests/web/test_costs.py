"""What a move and its pages cost: statements and bytes, counted. Times are for `make bench`."""

import gzip
import random
import re
from contextlib import suppress
from statistics import median

import pytest
from starlette.testclient import TestClient

from app.games import GAMES
from app.services.context import AppContext
from app.services.errors import Refused
from tests import factories
from tests.factories import Party, Turn, begin
from tests.statements import asked
from tests.web.conftest import Visit

HTMX = {"HX-Request": "true"}
_USUAL = 11_000  # bytes
_ON_THE_WIRE = 2_400


_OF_OTHERS = re.compile(
    r"BEGIN|SAVEPOINT|RELEASE|.*(pulse|requests|subscriptions|min\(tables.due_at\)|tables.due_at <=|tournaments)",
    re.DOTALL,
)  # transactions, the scheduler's looks and the notifier's


def counts(statement: str) -> bool:
    """Whether a move or a page asked it."""
    return not _OF_OTHERS.match(statement)


def post(browser: TestClient, party: Party, turn: Turn | None) -> str:
    """A legal move of whoever is to act, in their browser; the answer."""
    assert turn
    data = {**turn.moves[0], "seen": str(turn.version)}
    answer = browser.post(f"/t/{party.slug}/moves", data=data, headers=HTMX)
    assert answer.status_code == 200
    return answer.text


def test_a_move_asks_the_database_twice_and_a_page_nothing(party: Party, app_context: AppContext, visit: Visit) -> None:
    browsers = [visit(guest) for guest in party.guests]
    for browser in browsers:
        browser.get(f"/t/{party.slug}")
    post(browsers[0], party, party.turn())
    turn = party.turn()
    with asked(app_context, counts) as statements:
        post(browsers[1], party, turn)
    assert [statement.split()[0] for statement in statements] == ["INSERT", "UPDATE"]
    with asked(app_context, counts) as statements:
        for browser in (*browsers, visit(None)):
            for path in ("", "/live?seen=1"):
                assert browser.get(f"/t/{party.slug}{path}", headers=HTMX).status_code == 200
    assert statements == []


def test_what_somebody_says_costs_each_page_nothing_more_than_reading_it_once(
    party: Party, app_context: AppContext, visit: Visit
) -> None:
    browsers = [visit(guest) for guest in party.guests]
    browsers[0].post(f"/t/{party.slug}/talk", data={"text": "Evening"}, headers=HTMX)
    with asked(app_context, counts) as statements:
        for browser in browsers:
            assert "Evening" in browser.get(f"/t/{party.slug}").text
    assert not any("messages" in statement for statement in statements[1:]), "one reading serves all"


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(GAMES))
def test_an_update_weighs_little(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    visit(None)
    monkeypatch.setattr(factories, "GAME", key)
    party = begin(app_context, 4)
    browsers = {guest.id: visit(guest) for guest in party.guests}
    dice, address = random.Random(key), f"/t/{party.slug}"
    seen = party.version
    for browser in browsers.values():
        browser.get(address)
    sizes: list[tuple[int, int]] = []
    for count in range(60):
        if not (party.look().is_playing and party.turn()):
            break
        with suppress(Refused):
            party.move(dice)
        for browser in browsers.values():
            answer = browser.get(f"{address}/live?seen={seen}", headers=HTMX)
            if answer.status_code == 200 and "<hx-partial" in answer.text and count > 20:
                sizes.append((len(answer.content), len(gzip.compress(answer.content, 4))))
        seen = party.version
    assert len(sizes) > 20
    assert median(size for size, _ in sizes) <= _USUAL
    assert median(size for _, size in sizes) <= _ON_THE_WIRE
