"""What docs/operations.md says about the room is so."""

import re
from pathlib import Path

import pytest
from sqlalchemy import text

from app.cli import parser
from app.storage import db
from app.storage.db import Database
from app.web.middleware import long_poll
from tests.bench.capacity import MILLION, calculated, measured, size_for, size_on
from tests.proxies import pgbouncer

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
_SHOWN = "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "transaction_isolation"
CADDYFILE = (ROOT / "Caddyfile").read_text(encoding="utf-8")


def seconds(of: str, text: str) -> float:
    """A setting's seconds."""
    (number,) = re.findall(rf"^\s*{of} (\d+)s$", text, re.MULTILINE)
    return float(number)


def test_what_is_calculated_follows_from_what_was_measured() -> None:
    assert calculated(PAGE) in PAGE


def test_more_tables_take_more_machines() -> None:
    figures = measured(PAGE, 3)
    small, large = size_on(figures, 4), size_on(figures, 16)
    assert 0 < small.tables < large.tables
    assert sum(small.cores) <= 4
    assert size_for(figures, MILLION).machines > size_for(figures, MILLION / 10).machines > 4
    with pytest.raises(ValueError, match="fills every process"):
        size_for(figures._replace(hint=1.0), MILLION)


def test_units_read_the_settings_of_the_room_and_call_commands_that_there_are() -> None:
    services = [unit for unit in re.findall(r"```systemd\n(.*?)```", PAGE, re.DOTALL) if "ExecStart" in unit]
    assert len(services) == 3
    for unit in services:
        assert "EnvironmentFile=/srv/snug/snug.env\n" in unit
        assert "Environment=" not in unit
        (command,) = re.findall(r"^ExecStart=/srv/snug/\.venv/bin/snug (.+)$", unit, re.MULTILINE)
        words = command.replace("%i", "8001").split()
        assert parser._parser(words[0]).parse_args(words).run


def test_the_pooler_sets_the_limits_that_the_room_would() -> None:
    (query,) = re.findall(r"connect_query='(.*)'", PAGE)
    pooled = {name: int(number) / 1000 for name, number in re.findall(r"SET (\w+) = (\d+)", query)}
    own = {name: float(number) for name, number in re.findall(r"-c (\w+)=(\d+)s", db._POSTGRES_LIMITS)}
    assert pooled == own


@pytest.mark.postgres
@pytest.mark.proxy
def test_through_the_pooler_transactions_are_what_they_are_without(postgres_url: str) -> None:
    with pgbouncer(postgres_url) as url:
        seen = []
        for database in (Database(postgres_url), Database(url, pooled=True)):
            for engine in (database.reader, database.writer):
                with engine.connect() as connection:
                    seen.append([connection.execute(text(f"SHOW {name}")).scalar_one() for name in _SHOWN])
            database.close()
    assert seen[:2] == seen[2:]
    assert seen[0] == ["3s", "10s", "20s", "repeatable read"]


def test_the_proxy_waits_longer_than_the_room_and_hangs_up_earlier() -> None:
    (kept,) = re.findall(r"timeout_keep_alive=(\d+)", (ROOT / "app/cli/serve.py").read_text(encoding="utf-8"))
    assert seconds("keepalive", CADDYFILE) < float(kept)
    assert seconds("write", CADDYFILE) > long_poll.HOLD + seconds("lb_try_duration", CADDYFILE)
