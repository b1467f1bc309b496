"""What follows from the figures that stand measured in docs/operations.md: how many tables which machines carry."""

import re
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).parents[2] / "docs/operations.md"
IN_PLAY: Final = 0.2  # of the open tables
MOVES: Final = 1.0  # a minute at a table in play
SEATS: Final = 4  # each with a page that is open
WAIT: Final = 20.0  # seconds until a poll without news is answered
FULL: Final = 0.6  # of a core, and then it is full
CORES: Final = 4  # of one machine
MEMORY: Final = 16e9
PRICE: Final = 40  # a month
MONTH: Final = 30 * 24 * 3600
MILLION: Final = 1_000_000


class Figures(NamedTuple):
    """A column of the measured table: seconds, bytes and numbers for a move, a poll, an idle second and so on."""

    move: float
    move_database: float
    move_between: float
    poll: float
    poll_database: float
    poll_between: float
    idle: float
    hint: float
    process: float
    waiting: float
    disk: float
    log: float
    writes: float
    connections: float


ROWS: Final = dict(
    zip(
        Figures._fields,
        (
            "CPU of a move: rooms",
            "CPU of a move: PostgreSQL",
            "CPU of a move: Caddy and PgBouncer",
            "CPU of a poll without news: rooms",
            "CPU of a poll without news: PostgreSQL",
            "CPU of a poll without news: Caddy and PgBouncer",
            "CPU of an idle second, a process",
            "CPU of a hint from another process",
            "memory of a busy process",
            "memory of a page that waits: rooms and Caddy",
            "disk for a move",
            "write-ahead log for a move",
            "commits that write, a move",
            "connections a process",
        ),
        strict=True,
    )
)
_UNITS: Final = {"ms": 1e-3, "µs": 1e-6, "MB": 1e6, "kB": 1e3, "B": 1.0, "": 1.0}


def measured(text: str, column: int) -> Figures:
    """The figures of a column, from 1, of the table of what was measured; 0 where there is a dash."""
    found = {}
    for line in text.splitlines():
        label, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        if label in ROWS.values():
            number, unit = re.fullmatch(r"([\d.,]+|–) ?(\S*)", cells[column - 1]).groups()  # type: ignore[union-attr]
            found[label] = 0.0 if number == "–" else float(number.replace(",", "")) * _UNITS[unit]
    return Figures(*(found[label] for label in ROWS.values()))


class Size(NamedTuple):
    """So many open tables and what carries them: processes, and cores for them, PostgreSQL and what is between."""

    tables: float
    processes: int
    cores: tuple[int, int, int]
    figures: Figures

    @property
    def moves(self) -> float:
        """Moves a second."""
        return self.tables * IN_PLAY * MOVES / 60

    @property
    def pages(self) -> float:
        """Pages that wait for news."""
        return self.tables * IN_PLAY * SEATS

    @property
    def memory(self) -> float:
        """Bytes of the rooms and of Caddy."""
        return self.processes * self.figures.process + self.pages * self.figures.waiting

    @property
    def machines(self) -> int:
        """Machines whose cores and memory are enough."""
        return max(ceil(sum(self.cores) / CORES), ceil(self.memory / MEMORY))

    def row(self, name: str) -> str:
        """A line of the calculated table."""
        figures = self.figures
        cells = (
            name,
            _rough(self.tables),
            _rough(self.moves),
            _rough(self.pages),
            f"{self.processes:,}",
            " + ".join(f"{cores:,}" for cores in self.cores),
            f"{_rough(self.memory / 1e9)} GB",
            _rough(self.processes * figures.connections),
            _rough(self.moves * figures.writes),
            f"{_rough(self.moves * figures.disk * MONTH / 1e9)} GB" if figures.disk else "–",
            f"{self.machines:,}",
            f"{self.machines * PRICE:,}",
        )
        return f"| {' | '.join(cells)} |"


def _seconds(figures: Figures, tables: float) -> tuple[float, float, float]:
    """The seconds of a second that this many tables take in the rooms, PostgreSQL and what is between."""
    moves = tables * IN_PLAY * MOVES / 60
    polls = tables * IN_PLAY * SEATS * max(0.0, 60 / WAIT - MOVES) / 60
    return (
        moves * figures.move + polls * figures.poll,
        moves * figures.move_database + polls * figures.poll_database,
        moves * figures.move_between + polls * figures.poll_between,
    )


def size_for(figures: Figures, tables: float, *, together: bool = False) -> Size:
    """What this many tables need. `together`: everything shares its cores."""
    rooms, database, between = _seconds(figures, tables)
    hints = tables * IN_PLAY * MOVES / 60 * figures.hint
    if figures.idle + hints >= FULL:
        raise ValueError("hearing of the others' moves fills every process")
    processes = max(1, ceil(rooms / (FULL - figures.idle - hints)))
    if together:
        idle = processes * (figures.idle + hints)
        return Size(tables, processes, (ceil((rooms + database + between + idle) / FULL), 0, 0), figures)
    return Size(tables, processes, (processes, ceil(database / FULL), ceil(between / FULL)), figures)


def size_on(figures: Figures, cores: int) -> Size:
    """The most tables that this many cores carry together."""
    low, high = 0.0, float(MILLION)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(size_for(figures, middle, together=True).cores) <= cores else (low, middle)
    return size_for(figures, low, together=True)


def calculated(text: str) -> str:
    """The table that follows from the measured one on this page."""
    head = (
        "| | open tables | moves/s | pages that wait | processes | cores: rooms + PostgreSQL + proxies | memory: rooms "
        "and Caddy | connections | commits/s that write | disk a month | machines | cost a month |"
    )
    one, several, pooled = (measured(text, column) for column in (1, 3, 4))
    rows = (
        size_on(one, 1).row("one process, SQLite"),
        size_on(several, CORES).row("one machine, PostgreSQL, Caddy"),
        size_on(several, 4 * CORES).row("four machines"),
        size_for(pooled, MILLION).row("a million tables"),
    )
    return "\n".join((head, f"|{'---|' * (head.count('|') - 1)}", *rows))


def _rough(number: float) -> str:
    """Two figures of it: it is no better known. A dash where it was not measured."""
    if not number:
        return "–"
    if number < 10:
        return f"{number:.1f}"
    digits = len(str(int(number))) - 2
    return f"{round(number, -digits):,.0f}"


def main() -> None:
    """Prints the table, to be put into the page."""
    print(calculated(PAGE.read_text(encoding="utf-8")))
