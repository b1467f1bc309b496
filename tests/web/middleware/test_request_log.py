"""The log of `snug --verbose`: what was asked and which move was made, without what is secret."""

import logging

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.web.middleware.request_log import RequestLog
from tests.factories import begin


def test_requests_and_moves_are_told_without_tokens_or_cards(
    room_app: ASGIApp, app_context: AppContext, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "app")
    headers = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    with TestClient(RequestLog(room_app), headers=headers, follow_redirects=False) as browser:
        party = begin(app_context, 2)
        caplog.clear()
        turn = party.turn()
        assert turn
        guest = party.guests[turn.seat - 1]
        browser.cookies.set("snug", guest.token)
        move = {**turn.moves[0], "seen": turn.version}
        assert browser.post(f"/t/{party.slug}/moves?order=suit", data=move).status_code == 303
        browser.get(f"/t/{party.slug}/live?seen={party.version}")
        browser.get("/r/aVeryLongAndSecretToken")
        browser.get("/static/site.css")
    told = [record.getMessage() for record in caplog.records if record.name.startswith("app.")]
    table, (*_, stored) = party.row.id, party.moves()
    asked = [line.rsplit(" ", 2)[0] for line in told if line.endswith(" ms")]
    assert asked == ["POST /t/…/moves 303", "GET /t/…/live 204", "GET /r/… 404"]
    assert f"table {table}, round {stored.round_id}: move {stored.number} by seat {turn.seat}" in told
    assert not any(secret in caplog.text for secret in (party.slug, guest.token, "order", "Secret"))
