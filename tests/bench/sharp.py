"""What a person's move takes beside tables of bots that think: 40 tables of four sharp bots, of as many hosts, beside
one where two people play, and the same with steady bots and with none. The three rooms take turns of two seconds, and
stand still in between; only the ratios of one run count. Sharp bots may want more of the machine than there is: then it
is they who wait."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from app.cli.makers.visitors.guests import Party, Tally, quantile
from snug.bots.levels import SHARP, STEADY
from tests.bench import due
from tests.bench.move import parties_at
from tests.bench.servers import Server, folder, room, within
from tests.bench.table import Row

TABLES = 40
TURNS = 40
WARM, SECONDS = 0.5, 2.0
LONGEST = 60.0
_KINDS = ("alone", STEADY, SHARP)


def _stand(server: Server, still: bool) -> None:
    """Lets the room stand still, with all who think for it, or go on."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}").parent.glob("*/children")
    pids = [server.pid, *(int(pid) for path in children for pid in path.read_text().split())]
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP if still else signal.SIGCONT)


@contextmanager
def _going_on(servers: dict[str, Server]) -> Iterator[None]:
    """Whatever comes of it, no room stands still afterwards: it could not even be closed."""
    try:
        yield
    finally:
        for server in servers.values():
            _stand(server, False)


async def _take_turns(servers: dict[str, Server], turns: int) -> dict[str, Tally]:
    """What came of the people's moves in each of the rooms."""
    parties: dict[str, Party] = {}
    tallies = {kind: Tally() for kind in servers}
    for kind, server in servers.items():
        (parties[kind],) = await parties_at("Snug", server.url, 1)
        await due.play(parties[kind], WARM)
        _stand(server, True)
    for _ in range(turns):
        for kind, server in servers.items():
            _stand(server, False)
            parties[kind].tally = Tally()
            await due.play(parties[kind], WARM)
            parties[kind].tally = tallies[kind]
            await due.play(parties[kind], SECONDS)
            _stand(server, True)
    for kind, party in parties.items():
        _stand(servers[kind], False)
        party.close()
    return tallies


def rows(tables: int = TABLES, turns: int = TURNS) -> Iterator[Row]:
    """A line for each kind of bots."""
    with ExitStack() as stack:
        folders = {kind: stack.enter_context(folder()) for kind in _KINDS}
        for kind, data in folders.items():
            due.populate(data, 0 if kind == "alone" else tables, kind)
        watches = {kind: due.Watch(data / "snug.db") for kind, data in folders.items()}
        servers = {kind: stack.enter_context(room(data)) for kind, data in folders.items()}
        stack.enter_context(_going_on(servers))
        longest = LONGEST + turns * len(_KINDS) * 2 * (WARM + SECONDS)
        tallies = within(longest, _take_turns(servers, turns))
        made = {kind: watch.moves() - tallies[kind].moves for kind, watch in watches.items()}
    half, most = ({kind: quantile(it.answered, at) for kind, it in tallies.items()} for at in (0.5, 0.95))
    for kind, tally in tallies.items():
        yield Row(
            f"a person's move, {f'beside {tables} tables, {kind}' if kind != 'alone' else kind}: p50, p95",
            f"{half[kind] * 1000:.1f}, {most[kind] * 1000:.1f} ms",
            f"{tally.moves} moves; {made[kind] / turns / (WARM + SECONDS):.0f} moves/s of bots",
            ", ".join(f"{half[kind] / half[it]:.2f}, {most[kind] / most[it]:.2f} × {it}" for it in ("alone", STEADY)),
        )
