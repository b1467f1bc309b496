"""A table's page in parts: who has seen one version is sent the parts that are different in the next.

Templates put `part("board")` before an element with that id and `part()` behind it. A part may have parts in it.
"""

import re
from collections import OrderedDict
from collections.abc import Hashable
from functools import lru_cache
from typing import Final

from markupsafe import Markup

SHELL: Final = "\x02live\x03"  # where what is live of a page begins
_CUT: Final = re.compile("\x02[^\x03]*\x03")
_INMOST: Final = re.compile("\x02([^\x03]+)\x03([^\x02]*)\x02\x03")
_PLACE: Final = re.compile("\x01([^\x01]*)\x01")
_VERSIONS = 4  # that are remembered of what somebody has seen: an answer may be lost on its way
_VIEWERS = 20_000


@lru_cache(1000)
def part(name: str = "") -> Markup:
    """Where the part of this name begins, or the last one ends."""
    return Markup(f"\x02{name}\x03")


part.is_constant = True  # type: ignore[attr-defined]  # templates have it in them when they are compiled


def whole(drawn: str) -> str:
    """The page as it is sent in one piece."""
    return _CUT.sub("", drawn)


def parts_of(drawn: str) -> dict[str, str]:
    """The parts of a page by their names, with the places of those in them; around all is one without a name."""
    parts: dict[str, str] = {}
    while len(pieces := _INMOST.split(drawn)) > 1:
        parts.update(zip(pieces[1::3], pieces[2::3], strict=True))
        del pieces[2::3]
        drawn = "\x01".join(pieces)  # a name stands between two, where its part was
    del parts["live"]  # the tag that holds all others is never sent alone
    return {**parts, "": drawn}


def changes(drawn: dict[str, str], seen: dict[str, int]) -> str:
    """The parts that are different from those whose hashes somebody has seen, for htmx to put in their places: where
    something is different around others, these go with it."""
    within: set[str] = set()

    def filled(own: str) -> str:
        return _PLACE.sub(at_place, own)

    def at_place(place: re.Match[str]) -> str:
        within.add(place[1])
        return filled(drawn[place[1]])

    others = dict(_hashes(drawn).items() - seen.items())
    sent = {name: filled(drawn[name]) for name in filter(others.__contains__, drawn)}
    return "".join(
        f'<hx-partial id="{name}" hx-swap="outerMorph">{text}</hx-partial>'
        for name, text in sent.items()
        if name not in within
    )


def _hashes(drawn: dict[str, str]) -> dict[str, int]:
    return dict(zip(drawn, map(hash, drawn.values()), strict=True))


class SeenParts:
    """What viewers have before them: the hashes of parts, by viewer and version. Used in the event loop and by threads;
    what is lost makes an answer longer, never wrong."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, dict[int, dict[str, int]]] = OrderedDict()

    def keep(self, viewer: Hashable, version: int, drawn: dict[str, str]) -> None:
        """The viewer is sent this. Where they were sent something else at this version, on another device or with other
        cards ticked, only what is the same on both counts."""
        versions = self._kept.pop(viewer, {})
        parts = _hashes(drawn)
        if version in versions:
            parts = dict(parts.items() & versions[version].items())
        kept = {known: versions[known] for known in sorted(versions)[-_VERSIONS + 1 :]}
        self._kept[viewer] = {**kept, version: parts}
        while len(self._kept) > _VIEWERS:
            self._kept.popitem(last=False)

    def forget(self, viewer: Hashable) -> None:
        """The viewer is sent something that is not of this version alone, such as a refusal."""
        self._kept.pop(viewer, None)

    def get(self, viewer: Hashable, version: int, drawn: dict[str, str]) -> dict[str, int] | None:
        """What the viewer saw at a version, if only parts are different now."""
        seen = self._kept.get(viewer, {}).get(version)
        return seen if seen and seen.get("") == hash(drawn[""]) else None
