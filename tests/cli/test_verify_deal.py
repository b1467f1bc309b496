"""`snug verify-deal`: how it ends."""

import io
import json
import sys
from pathlib import Path

import pytest

from app.cli.parser import main
from tests.conftest import OpenContext
from tests.factories import begin
from tests.services.queries.test_proofs import Record, record_of


@pytest.fixture
def record(open_context: OpenContext, sqlite_url: str) -> Record:
    """A finished match."""
    party = begin(open_context(sqlite_url), 2, rounds=1)
    party.pass_round()
    return record_of(party)


def test_it_says_whether_the_deals_are_honest(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    assert main(["verify-deal", str(path)]) == 0
    assert capsys.readouterr().out == "The deals are honest.\n"
    cards = record["moves"][0]["cards"]
    cards[0], cards[1] = cards[1], cards[0]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(record).encode())))
    assert main(["verify-deal", "-"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "Round 1: The cards do not follow from the secret and the cuts.",
        "The deals are NOT honest.",
    ]


def test_what_cannot_be_read_has_a_status_of_its_own(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.json"
    assert main(["verify-deal", str(path)]) == 2
    path.write_text("{")
    assert main(["verify-deal", str(path)]) == 2
    del record["proof"]
    path.write_text(json.dumps(record))
    assert main(["verify-deal", str(path)]) == 2
    assert "its deals were not sealed" in capsys.readouterr().err


def test_the_referee_plays_a_record_with_a_proof(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    assert main(["referee", str(path)]) == 0
    told = capsys.readouterr().out
    del record["proof"]
    path.write_text(json.dumps(record))
    assert main(["referee", str(path)]) == 0
    assert capsys.readouterr().out == told
