"""The room as an application: what it opens it closes."""

import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.conftest import KEY


@pytest.mark.postgres
def test_a_room_that_closes_listens_to_other_processes_no_more(postgres_url: str, tmp_path: Path) -> None:
    def listeners() -> int:
        return sum(thread.name == "listener" for thread in threading.enumerate())

    before = listeners()
    with TestClient(create_app(Settings(data=tmp_path, database_url=postgres_url, key=KEY))):
        assert listeners() == before + 1
    assert listeners() == before
