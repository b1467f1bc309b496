"""Errors as pages: what they claim is true."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.storage.writer import OutcomeUnknown


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
