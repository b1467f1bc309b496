"""The parts of the soak, in the order in which they run."""

from typing import Final, Protocol, cast

from tests.soak import disconnects, fuzz, kills, memory, restart, rounds, standby
from tests.soak.numbers import Numbers


class Part(Protocol):
    """A module: how much it does in earnest and in haste, and the numbers that come of it: of less, if the end comes
    before, a moment of the monotonic clock. `measure` raises whatever it finds, and NoPostgres."""

    SIZE: float
    QUICK: float

    def measure(self, size: float, end: float = ...) -> Numbers: ...


_MODULES = (rounds, kills, standby, disconnects, fuzz, restart, memory)
PARTS: Final = {module.__name__.rpartition(".")[2]: cast(Part, module) for module in _MODULES}
