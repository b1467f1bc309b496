"""`snug room`: what it does, while the room is open and while it is not."""

import json
from pathlib import Path

import pytest

from app.cli.parser import main
from app.services.context import AppContext
from app.services.errors import Ended
from app.services.keeper import inbox
from app.settings import Settings
from tests.conftest import KEY, OpenContext
from tests.factories import begin
from tests.servers import serving


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The room's folder and key are those of the test."""
    monkeypatch.setenv("SNUG_DATA", str(tmp_path))
    monkeypatch.setenv("SNUG_SECRET_KEY", KEY.decode() if KEY.isascii() else KEY.hex())


def room(url: str, *words: str, status: int = 0) -> None:
    assert main(["room", *words, "--database", url]) == status


def test_a_room_that_is_open_does_it_itself(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    with serving(settings, hold=0.05) as served:
        party = begin(served.context, 2)
        url, code = settings.database_url, party.row.code
        room(url, "end", code)
        assert f"Table {code} is ended" in capsys.readouterr().out
        with pytest.raises(Ended):
            party.look(party.guests[0])
        room(url, "end", code, status=1)
        assert "over already" in capsys.readouterr().err
        room(url, "log")
        assert f"end, by the command: table {code}" in capsys.readouterr().out
        folder = inbox.folder_of(url)
        assert folder
        assert list(folder.iterdir()) == []
        assert folder.stat().st_mode & 0o077 == 0


def test_a_room_that_is_closed_has_it_done_all_the_same(
    sqlite_url: str, open_context: OpenContext, capsys: pytest.CaptureFixture[str]
) -> None:
    context = open_context(sqlite_url)
    party = begin(context, 2)
    guest = party.guests[1]
    context.database.close()
    room(sqlite_url, "bar", str(guest.id))
    room(sqlite_url, "guests", guest.name)
    assert "BARRED" in capsys.readouterr().out
    room(sqlite_url, "bars")
    assert f"{guest.name}, from the room, since" in capsys.readouterr().out
    room(sqlite_url, "unbar", str(guest.id))
    room(sqlite_url, "unbar", str(guest.id), status=1)
    capsys.readouterr()
    room(sqlite_url, "export", str(guest.id))
    assert json.loads(capsys.readouterr().out)["name"] == guest.name
    room(sqlite_url, "announce", "Closed on Monday")
    room(sqlite_url, "maintenance", "on")
    capsys.readouterr()
    room(sqlite_url, "maintenance")
    assert capsys.readouterr().out == "Maintenance is on; news: Closed on Monday.\n"


def test_a_link_is_made_for_so_long_and_ended(
    sqlite_url: str, open_context: OpenContext, capsys: pytest.CaptureFixture[str]
) -> None:
    open_context(sqlite_url).database.close()
    room(sqlite_url, "link", "--port", "8001")
    assert capsys.readouterr().out.startswith("http://127.0.0.1:8001/keeper/")
    room(sqlite_url, "link", "--hours", "2")
    made = capsys.readouterr().out.strip()
    assert made.startswith("http://127.0.0.1:8000/keeper/")
    room(sqlite_url, "log")
    told = capsys.readouterr().out
    assert "link, by the command: 2 hours" in told
    assert made.rpartition("/")[2] not in told
    room(sqlite_url, "link", "--end")
    assert "No keeper’s link works any more." in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["room", "link", "--hours", "9999"])


def test_a_room_that_does_not_answer_is_a_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(inbox, "_PATIENCE", 0.3)
    monkeypatch.setattr(inbox, "read", lambda *_given: None)
    with serving(settings, hold=0.05):
        room(settings.database_url, "announce", "hello", status=2)
    assert "does not answer" in capsys.readouterr().err
    folder = inbox.folder_of(settings.database_url)
    assert folder
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("letter", [b"", b"{", b'{"act": 3}', b"null", b"\xff"])
def test_a_letter_that_is_no_order_is_answered_and_does_nothing(app_context: AppContext, letter: bytes) -> None:
    answer = inbox.answer_to(app_context, letter)
    assert (answer.said, answer.done) == ("This is no order.", False)


def test_an_order_that_fails_leaves_the_room_open(app_context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "done_by", lambda *_given: 1 / 0)
    assert not inbox.answer_to(app_context, b'{"act": "end"}').done
