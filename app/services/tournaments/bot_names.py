"""Names for bots: short ones, for small tiles."""

from collections.abc import Iterable
from typing import Final

from app.services.players.names import first_free, marked_name

_LINES: Final = (
    "Ada Bo Cleo Dov Edda Finn Gus Hedy Ivo Juno Kit Lotte Milo Nell Odo Pia Quill Rosa Sol Tilda Udo Vera Wim",
    "Xenia Yuri Zelda Arlo Bea Cosmo Dina Emil Flora Gino Hazel Igor Joris Kaya Leo Mina Noor Otto Polly Remy Signe",
    "Timo Ursa Vito Willa Yara Zeno Alma Basil Cora Dario Elin Fritz Greta Hugo Ines Jasper Kira Linus Maud Nico",
    "Olga Piet Runa Sven Thea Ulla Viggo Wanda",
)
NAMES: Final = tuple(name for line in _LINES for name in line.split())


def free_name(taken: Iterable[str]) -> str:
    """The next name that nobody bears or could be taken for; after the last one they come again with a number."""
    others = list(taken)
    return first_free(NAMES, others) or marked_name(NAMES[len(others) % len(NAMES)], others)
