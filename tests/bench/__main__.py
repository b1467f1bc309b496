"""Prints one table of what the room costs, beside what can be compared, or those of its rows that are named:
`python -m tests.bench move engine`. Only ratios of one run count. `processes`, `capacity`, `feel` and `evening` are
reports of their own."""

import argparse
import os
import signal
import sys
from importlib import import_module
from pathlib import Path

from app.cli.makers.visitors.guests import NotPlayable
from tests.bench import capacity, evening, feel, processes
from tests.bench.servers import keep_to_second_core
from tests.bench.table import Row, show

_MODULES = (
    "move",
    "update",
    "phone",
    "idle",
    "waiters",
    "onlookers",
    "due",
    "sharp",
    "engine",
    "postgres",
    "growth",
)
ROWS = {name: f"{name}.rows" for name in _MODULES}
ROWS |= {name: f"crowd.{name}" for name in ("waiters", "onlookers")}
REPORTS = {"processes": processes.main, "capacity": capacity.main, "feel": feel.main, "evening": evening.main}


def main() -> None:
    """Measures row by row; the move's ratio stands at the end."""
    parser = argparse.ArgumentParser(prog="make bench", description="ARGS are the names of rows, and options.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(ROWS)}; {', '.join(REPORTS)}")
    plot = Path("build", "growth.svg")
    parser.add_argument("--plot", type=Path, default=plot, metavar="FILE", help=f"the curves of growth ({plot})")
    given = parser.parse_args()
    if unknown := set(given.names) - {*ROWS, *REPORTS}:
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join([*ROWS, *REPORTS])}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the servers are to be stopped, too
    wanted = [name for name in ROWS if name in given.names or not given.names]
    if wanted:
        keep_to_second_core()
        show(Row(f"load {os.getloadavg()[0]:.1f}; medians", "Snug", "beside it", "ratio"))
    last: Row | None = None
    failed = False
    for name in wanted:
        module, _, function = ROWS[name].partition(".")
        rows = getattr(import_module(f"tests.bench.{module}"), function)
        try:
            for row in rows(given.plot) if name == "growth" else rows():
                if row.snug:
                    show(row)
                else:
                    last = row
        except (OSError, RuntimeError, NotPlayable) as error:
            failed = True
            show(Row(name, "not measured", str(error) or "it took too long"))
    for name, report in REPORTS.items():
        if name in given.names:
            report()
    if last:
        print(last.what)
    sys.exit(failed)


if __name__ == "__main__":
    main()
