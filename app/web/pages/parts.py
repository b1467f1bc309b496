"""A table's page in parts: who has seen one version is sent the parts that are different in the next.

Templates put `cut("board")` before an element with that id and `cut()` behind it.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from typing import Final

from markupsafe import Markup

SHELL: Final = "\x02live\x03"  # where what is live of a page begins
_VERSIONS = 4  # that are remembered of what somebody has seen: an answer may be lost on its way
_VIEWERS = 20_000


def cut(name: str = "") -> Markup:
    """Where the part of this name begins, or the last one ends."""
    return Markup(f"\x02{name}\x03")


def whole(drawn: str) -> str:
    """The page as it is sent in one piece."""
    return "".join(text for _, text in _pieces(drawn))


def parts_of(drawn: str) -> dict[str, str]:
    """The parts of a page by their names, and what is around them, which has none."""
    parts: dict[str, str] = {}
    around = []
    for name, text in _pieces(drawn):
        if name:
            parts[name] = text
        else:
            around.append(text)
    del parts["live"]  # the tag that holds all others is never sent alone
    return {**parts, "": "".join(around)}


def _pieces(drawn: str) -> Iterator[tuple[str, str]]:
    """What is between the cuts, with the name of the part that it is; what is around parts has none."""
    first, *pieces = drawn.split("\x02")
    yield "", first
    for piece in pieces:
        name, _, text = piece.partition("\x03")
        yield name, text


def changes(drawn: dict[str, str], seen: dict[str, int]) -> str:
    """The parts that are different from those whose hashes somebody has seen, for htmx to put in their places."""
    return "".join(
        f'<hx-partial id="{name}" hx-swap="outerMorph">{part}</hx-partial>'
        for name, part in drawn.items()
        if hash(part) != seen[name]
    )


class SeenParts:
    """What viewers have before them: the hashes of parts, by viewer and version. Used in the event loop and by threads;
    what is lost makes an answer longer, never wrong."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, dict[int, dict[str, int]]] = OrderedDict()

    def keep(self, viewer: Hashable, version: int, drawn: dict[str, str]) -> None:
        """The viewer is sent this."""
        versions = self._kept.pop(viewer, {})
        kept = {known: versions[known] for known in sorted(versions)[-_VERSIONS + 1 :]}
        self._kept[viewer] = {**kept, version: {name: hash(part) for name, part in drawn.items()}}
        while len(self._kept) > _VIEWERS:
            self._kept.popitem(last=False)

    def forget(self, viewer: Hashable) -> None:
        """The viewer is sent something that is not of this version alone, such as a refusal."""
        self._kept.pop(viewer, None)

    def get(self, viewer: Hashable, version: int, drawn: dict[str, str]) -> dict[str, int] | None:
        """What the viewer saw at a version, if only parts are different now."""
        seen = self._kept.get(viewer, {}).get(version)
        return seen if seen and seen.keys() == drawn.keys() and seen[""] == hash(drawn[""]) else None
