"""The door between pages and services: what a route hands over is checked by `make check`."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLANTED = """
from app.services.context import AppContext
from app.services.idempotent import idempotent, without_stored_answer
from app.services.players import links
from app.services.seats import seats
from app.storage.models import Player
from app.web.clicks import bound
from app.web.deps import Visit
from app.web.routes.tables import act, join


async def click(visit: Visit, context: AppContext, me: Player) -> None:
    act(visit, bound(seats.move_seat, 1, 2))
    act(visit, bound(seats.move_seat, "1", 2))  # wrong
    act(visit, bound(seats.move_seat, 1, None))  # wrong
    act(visit, bound(seats.move_seat, 1, 2, 3))  # wrong
    act(visit, bound(seats.move_seat, *(1, 2, 3)))  # wrong
    act(visit, bound(seats.move_seat, 1))  # wrong
    act(visit, seats.leave_seat, key="form")
    act(visit, seats.move_seat, key="form")  # wrong
    join(visit, "Ann", "token", lambda name: bound(seats.take_seat, 1, name))
    join(visit, "Ann", "token", lambda name: bound(seats.take_seat, name, 1))  # wrong
    context.write(idempotent(seats.move_seat, me.id, "form"), "slug", me.id, 1, 2)
    context.write(idempotent(seats.move_seat, me.id, "form"), "slug", me.id, 1, "2")  # wrong
    context.write(idempotent(seats.move_seat, me.id, 3), "slug", me.id, 1, 2)  # wrong
    context.write(without_stored_answer(links.new_recovery_link), me.id, 4)  # wrong
    await context.write_soon(seats.move_seat, "slug", me.id, 1, 2)
    await context.write_soon(seats.move_seat, "slug", me.id, 1, None)  # wrong
"""


@pytest.mark.slow
@pytest.mark.dear(40, "the types of the whole room are read, where none are kept")
def test_a_wrong_argument_at_the_door_fails_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = pytest.importorskip("mypy.api", reason="make check brings mypy")
    monkeypatch.chdir(ROOT)
    module = tmp_path / "planted.py"
    module.write_text(PLANTED)
    told, failed, _ = api.run([str(module)])
    assert not failed
    found = {int(line) for line in re.findall(r"planted\.py:(\d+): error", told)}
    assert found == {number for number, line in enumerate(PLANTED.splitlines(), 1) if "# wrong" in line}, told


def test_nothing_at_the_door_takes_whatever_comes() -> None:
    modules = [*(ROOT / "app/web").rglob("*.py"), ROOT / "app/services/idempotent.py", ROOT / "app/services/context.py"]
    assert [str(module) for module in modules if "Callable[..., Any]" in module.read_text()] == []
    routes = [*(ROOT / "app/web/routes").rglob("*.py"), ROOT / "app/services/idempotent.py"]
    assert [str(module) for module in routes if "*args: Any" in module.read_text()] == []
