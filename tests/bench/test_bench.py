"""Whether the benchmarks can be run at all: the one client plays on all three servers, and what they stand on works."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.bench import crowd, idle, move, plot, postgres
from tests.bench.clones import clone
from tests.bench.servers import folder, room, side

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", move.SIDES)
def test_the_client_plays_on_every_server(name: str) -> None:
    with side(name) as server:

        async def play() -> None:
            parties = await move.parties_at(name, server.url, 2)
            end = time.monotonic() + 30
            used = 0.0
            while min(party.tally.moves for party in parties) < 4 and time.monotonic() < end:
                before = server.cpu()
                await asyncio.gather(*(party.step() for party in parties))
                used += server.cpu() - before
            assert all(party.tally.moves >= 4 and not party.tally.errors for party in parties)
            assert all(party.guests[0].page.version == party.guests[1].page.version > 4 for party in parties)
            assert used > 0
            for party in parties:
                party.close()

        asyncio.run(play())


def test_copies_of_a_table_can_be_looked_at() -> None:
    with folder() as data:
        with room(data) as server:
            before = asyncio.run(crowd.started(server.url))
        versions = clone(data / "snug.db", 3)
        assert len(versions) == 4
        with room(data) as server:

            async def look() -> None:
                party = await crowd.rejoin(server.url, before)
                assert await party.step()
                for slug, version in versions.items():
                    answer = await party.guests[0].waiting.ask(f"/t/{slug}/live?seen={version - 1}", fragment=True)
                    assert answer.status == 200
                party.close()

            asyncio.run(look())


def test_polls_are_answered_without_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "BATCHES", 3)
    monkeypatch.setattr(idle, "ROUNDS", 1)
    (row,) = idle.rows()
    assert row.ratio.endswith("×")


@pytest.mark.postgres
def test_moves_are_committed_by_postgres() -> None:
    (row,) = postgres.rows(rounds=1, seconds=0.2)
    assert row.ratio.endswith("× bare") or row.snug == "not measured"


def test_curves_become_panels(tmp_path: Path) -> None:
    path = tmp_path / "new" / "growth.svg"
    plot.write_plot(path, {"moves": {"move": {10: 2.0, 400: 2.5}, "page": {10: 0.5, 400: 0.5}}, "one": {"x": {7: 1.0}}})
    svg = path.read_text("utf-8")
    assert svg.count("<path") == 3
    assert "400" in svg
