"""Whether the benchmarks can be run at all: the one client plays on all three servers, and what they stand on works."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from tests.bench import crowd, due, evening, feel, idle, move, phone, plot, postgres, sharp
from tests.bench.clones import clone
from tests.bench.servers import folder, room, side

pytestmark = [pytest.mark.slow, pytest.mark.dear(8, "servers and their clients")]


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


def test_how_late_bots_are_is_seen_from_outside() -> None:
    with folder() as data:
        due.populate(data, 3)
        with room(data):
            watch = due.Watch(data / "snug.db")
            asyncio.run(watch.run(5.0))
            late = watch.late()
    assert len(late) > 3
    assert min(late) < 1.0


def test_rooms_take_turns_beside_bots_that_think() -> None:
    lines = list(sharp.rows(tables=2, turns=1))
    assert len(lines) == 3
    assert all(line.snug.endswith("ms") for line in lines)


def test_a_card_is_seen_to_leave_long_before_the_room_can_answer_and_no_line_is_opened() -> None:
    far, *slow = feel.rows(games=("lives",), trips=(600,), taps=1)
    if far.snug != "not measured":
        seen, lies, other = map(float, far.snug.split(", "))
        assert seen < lies < 600 < other
        assert [row.what for row in slow] == ["feel, Irish Lives, 4 times slower, ms"]
        assert all(row.beside.endswith("lines opened: 0") for row in (far, *slow))


@pytest.mark.dear(30, "four browsers")
def test_four_on_lines_that_stall_make_every_move_once() -> None:
    (row,) = evening.rows(games=("lucky_paw",), most=4, share=0.1, stall=1.0)
    assert row.snug in ("4 moves", "not measured")


def test_polls_are_answered_without_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle, "BATCHES", 3)
    monkeypatch.setattr(idle, "ROUNDS", 1)
    assert all(row.ratio.endswith("×") for row in idle.rows())


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


def test_an_update_costs_what_its_thread_worked_between_the_marks() -> None:
    def event(name: str, began: int, took: int = 0, worked: int = 0, thread: int = 1) -> dict[str, object]:
        return {"name": name, "pid": 1, "tid": thread, "ts": began, "dur": took, **({"tdur": worked} if worked else {})}

    task, microtasks = "ThreadControllerImpl::RunTask", "BlinkScheduler_PerformMicrotaskCheckpoint"
    events = [
        event("update-from", 1000),
        event(task, 500, 1000, 600),  # half of it lies between the marks
        event(task, 2000, 3000, 1000),  # most of it others worked
        event(task, 2000, 3000, 1000, thread=2),
        event("Layout", 2000, 3000),
        event(microtasks, 2500, 500, 400),  # of the task itself
        event(microtasks, 6000, 1000, 700),  # after it
        event("update-until", 9000),
        event(task, 9500, 500),
        event("update-from", 20_000),
        event(task, 20_000, 2000),  # the trace does not have the thread's clock
        event("update-until", 30_000),
    ]
    assert phone.costs(json.dumps({"traceEvents": events}).encode()) == [2.0, 2.0]
