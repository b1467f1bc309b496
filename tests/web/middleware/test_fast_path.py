"""The fast path: the handlers of the routes, called without the framework while everything is at hand."""

import pytest
from fastapi import FastAPI
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from app.services.context import AppContext
from app.web.routes import tables
from tests.factories import Party
from tests.pages import HTMX
from tests.web.conftest import Visit


@pytest.fixture
def framework(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the framework is asked from now on."""
    asked: list[str] = []
    answer = FastAPI.__call__

    async def listen(app: FastAPI, scope: Scope, receive: Receive, send: Send) -> None:
        asked.append(scope["path"])
        await answer(app, scope, receive, send)

    monkeypatch.setattr(FastAPI, "__call__", listen)
    return asked


def test_a_move_and_its_page_pass_the_framework_by(party: Party, visit: Visit, framework: list[str]) -> None:
    browser = visit(party.guests[0])
    browser.get(f"/t/{party.slug}")
    framework.clear()
    turn = party.turn()
    assert turn
    form = {**turn.moves[0], "seen": str(turn.version)}
    assert browser.post(f"/t/{party.slug}/moves", data=form, headers=HTMX).status_code == 200
    assert browser.post(f"/t/{party.slug}/moves", data={"move": "fly"}, headers=HTMX).status_code == 422
    assert browser.get(f"/t/{party.slug}/live?seen=1", headers=HTMX).status_code == 200
    assert framework == []
    assert party.row.version > turn.version


def test_it_is_the_handler_of_the_route(
    party: Party, visit: Visit, framework: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def move(*_: object) -> Response:
        return PlainTextResponse("moved")

    browser = visit(party.guests[0])
    browser.get(f"/t/{party.slug}")
    framework.clear()
    monkeypatch.setattr(tables, "move", move)
    assert browser.post(f"/t/{party.slug}/moves", data={"move": "fly"}).text == "moved"
    assert framework == []


def test_what_is_not_at_hand_is_the_frameworks_and_answered_the_same(
    party: Party, visit: Visit, app_context: AppContext, framework: list[str]
) -> None:
    browser = visit(party.guests[0])
    browser.get(f"/t/{party.slug}")
    quick = browser.post(f"/t/{party.slug}/moves", data={"move": "fly"}, headers=HTMX)
    framework.clear()
    app_context.snapshots.drop(party.slug, party.row.version)
    slow = browser.post(f"/t/{party.slug}/moves", data={"move": "fly"}, headers=HTMX)
    assert framework == [f"/t/{party.slug}/moves"]
    assert (slow.status_code, slow.text) == (quick.status_code, quick.text)
