"""A table's page in parts: who has seen one version is sent the parts that are different in the next.

Templates put `part("board")` before an element with that id and `part()` behind it. A part may have parts in it.
"""

import re
from collections import OrderedDict
from collections.abc import Hashable
from functools import lru_cache
from typing import Final, NamedTuple

from markupsafe import Markup

SHELL: Final = "\x02live\x03"  # where what is live of a page begins
_CUT: Final = re.compile("\x02([^\x03]*)\x03")
_VERSIONS = 4  # that are remembered of what somebody has seen: an answer may be lost on its way
_VIEWERS = 20_000


@lru_cache(1000)
def part(name: str = "") -> Markup:
    """Where the part of this name begins, or the last one ends."""
    return Markup(f"\x02{name}\x03")


part.is_constant = True  # type: ignore[attr-defined]  # templates have it in them when they are compiled


class PagePart(NamedTuple):
    """A part of its `own`, with the places of the parts in it, and the name of the one that it is in."""

    own: str
    within: str


def whole(drawn: str) -> str:
    """The page as it is sent in one piece."""
    return _CUT.sub("", drawn)


def parts_of(drawn: str) -> dict[str, PagePart]:
    """The parts of a page by their names, each before those in it; around all is one without a name."""
    first, *pieces = _CUT.split(drawn)
    own, within, open_parts = {"": [first]}, {"": ""}, [""]
    for name, text in zip(pieces[::2], pieces[1::2], strict=True):
        if name:
            around = open_parts[-1]
            own[around].append(f"\x02{name}\x03")
            own[name], within[name] = [text], around
            open_parts.append(name)
        else:
            open_parts.pop()
            own[open_parts[-1]].append(text)
    del own["live"]  # the tag that holds all others is never sent alone
    return {name: PagePart("".join(texts), within[name]) for name, texts in own.items()}


def changes(drawn: dict[str, PagePart], seen: dict[str, int]) -> str:
    """The parts that are different from those whose hashes somebody has seen, for htmx to put in their places: where
    something is different around others, these go with it."""

    def filled(own: str) -> str:
        return _CUT.sub(lambda place: filled(drawn[place[1]].own), own)

    sent: dict[str, str] = {}
    for name, part in drawn.items():
        if part.within in sent:
            sent[name] = ""
        elif hash(part.own) != seen.get(name):
            sent[name] = f'<hx-partial id="{name}" hx-swap="outerMorph">{filled(part.own)}</hx-partial>'
    return "".join(sent.values())


class SeenParts:
    """What viewers have before them: the hashes of parts, by viewer and version. Used in the event loop and by threads;
    what is lost makes an answer longer, never wrong."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, dict[int, dict[str, int]]] = OrderedDict()

    def keep(self, viewer: Hashable, version: int, drawn: dict[str, PagePart]) -> None:
        """The viewer is sent this. Where they were sent something else at this version, on another device or with other
        cards ticked, only what is the same on both counts."""
        versions = self._kept.pop(viewer, {})
        parts = {name: hash(part.own) for name, part in drawn.items()}
        if version in versions:
            parts = dict(parts.items() & versions[version].items())
        kept = {known: versions[known] for known in sorted(versions)[-_VERSIONS + 1 :]}
        self._kept[viewer] = {**kept, version: parts}
        while len(self._kept) > _VIEWERS:
            self._kept.popitem(last=False)

    def forget(self, viewer: Hashable) -> None:
        """The viewer is sent something that is not of this version alone, such as a refusal."""
        self._kept.pop(viewer, None)

    def get(self, viewer: Hashable, version: int, drawn: dict[str, PagePart]) -> dict[str, int] | None:
        """What the viewer saw at a version, if only parts are different now."""
        seen = self._kept.get(viewer, {}).get(version)
        return seen if seen and seen.get("") == hash(drawn[""].own) else None
