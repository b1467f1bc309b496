"""`snug room`: what it tells of tables and guests, and what it does not."""

import time
from pathlib import Path

import pytest
from sqlalchemy import update

from app.cli.parser import main
from app.storage import models
from tests.conftest import OpenContext
from tests.factories import Party, begin, gather, welcome


@pytest.fixture
def party(sqlite_url: str, open_context: OpenContext) -> Party:
    """Two tables of an open room: at one of them they play."""
    context = open_context(sqlite_url)
    gather(context, 2)
    party = begin(context, 2)
    party.move()
    return party


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data folder is one of the test."""
    monkeypatch.setenv("SNUG_DATA", str(tmp_path))


def ask(capsys: pytest.CaptureFixture[str], url: str, *words: str) -> list[str]:
    assert main(["room", *words, "--database", url]) == 0
    return capsys.readouterr().out.splitlines()


def test_tables_are_told_with_who_and_since_when(
    party: Party, sqlite_url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = party.moves()[-1].made_at
    monkeypatch.setattr(time, "time", lambda: now + 7200)
    lines = ask(capsys, sqlite_url, "tables")
    assert lines[-1] == "2 tables."
    (line,) = (line for line in lines if line.startswith(party.row.code))
    assert "playing; open for 2 h, last move 2 h ago; Alice, Bob" in line
    assert sum("no move yet" in line for line in lines) == 1
    assert party.slug not in "".join(lines), "it opens the table"


def test_what_is_over_is_told_where_it_is_asked_for_and_what_is_frozen_always(
    party: Party, sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = {"status": "finished"}
    party.context.write(
        lambda _context, transaction: transaction.connection.execute(update(models.Table).values(columns)).close()
    )
    assert ask(capsys, sqlite_url, "tables") == ["0 tables."]
    assert ask(capsys, sqlite_url, "tables", "--all")[-1] == "2 tables."
    frozen = {"status": "playing", "quarantined_at": 1.0, "quarantined_why": "KeyError in play.py, line 7"}
    party.context.write(
        lambda _context, transaction: transaction.connection.execute(update(models.Table).values(frozen)).close()
    )
    assert "FROZEN (KeyError in play.py, line 7)" in ask(capsys, sqlite_url, "tables")[0]


def test_guests_are_found_by_a_part_of_their_name(
    party: Party, sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = welcome(party.context, "100% Zoe").id
    assert ask(capsys, sqlite_url, "guests")[-1] == "5 guests."
    line, count = ask(capsys, sqlite_url, "guests", "% zo")
    assert line.split(",")[0].split(maxsplit=1) == [str(other), "100% Zoe"]
    assert line.endswith("at 0 tables")
    assert count == "1 guests."


def test_what_cannot_be_read_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["room", "tables", "--database", f"sqlite:///{tmp_path / 'nothing.db'}"]) == 2
    assert "there is no such file" in capsys.readouterr().err
