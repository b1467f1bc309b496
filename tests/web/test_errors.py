"""Errors as pages: what they claim is true."""

import sqlite3
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.storage.writer import OutcomeUnknown
from tests.factories import Party
from tests.pages import Page


def test_what_may_have_been_done_is_not_called_undone(
    app_context: AppContext, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(_work: Any) -> None:
        raise OutcomeUnknown("a commit's answer was lost")

    monkeypatch.setattr(app_context.writer, "run", lose)
    answer = client.post("/tables", data={"game": "lucky_paw", "name": "Alice", "seats": "2"})
    assert answer.status_code == 503
    assert "cannot tell whether that was done" in answer.text
    assert "Nothing was changed" not in answer.text


def test_a_disk_that_fails_under_the_writers_own_words_is_no_mistake_of_the_room(
    app_context: AppContext, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_work: Any) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(app_context.writer, "run", fail)
    answer = client.post("/tables", data={"game": "lucky_paw", "name": "Alice", "seats": "2"})
    assert answer.status_code == 503


def test_what_the_server_says_of_a_form_is_said_in_the_words_of_the_room(client: TestClient) -> None:
    answer = client.post("/code", data={f"field-{number}": "x" for number in range(200)})
    assert answer.status_code == 400
    assert "has a part that the room cannot read" in answer.text
    assert "Maximum" not in answer.text


def test_an_error_inside_a_table_leads_back_to_it(party: Party, client: TestClient) -> None:
    page = Page(client.get(f"/t/{party.slug}/setup").text)
    assert page.one("a", id="back-to")["href"] == f"/t/{party.slug}"
    assert not Page(client.get("/nowhere").text).find(id="back-to")
