"""Whether the process answers, and whether its database does, are two questions."""

import pytest
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from app.services.context import AppContext


def test_a_room_in_order_is_live_and_ready(client: TestClient) -> None:
    for path in ("/livez", "/readyz", "/healthz"):
        answer = client.get(path)
        assert (answer.status_code, answer.text) == (200, "ok")


def test_without_its_database_a_room_is_live_but_not_ready(
    client: TestClient, app_context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise OperationalError("SELECT", None, OSError("the server is gone"))

    monkeypatch.setattr(app_context.database, "reading", away)
    assert client.get("/livez").status_code == 200
    assert {client.get(path).status_code for path in ("/readyz", "/healthz")} == {503}
