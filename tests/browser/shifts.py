"""How much a table shifts: a round played against bots before one seat's page, and by the browser's own measure
(`layout-shift`) all that was laid out elsewhere than before. What a transform moves is in motion and no shift.

`python -m tests.browser.shifts life 6 --sizes 390x844,1280x800` prints the sum and what shifted most."""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from playwright.sync_api import Page

from snug.games import GAMES
from tests.browser.layout import Size
from tests.browser.stage import DRAWN, SIZES, by_hand, moves_of_a_round, open_page, sit_down, size_of, table_sizes
from tests.servers import Served

STILL = 0.02
"""What a round may come to at most."""
_SHOWN = 6  # of what shifted, by hand

# Each shift, with the parts and where they were and are.
_HEAR = """(() => {
  const named = (node) => {
    const one = node instanceof Element ? node : node?.parentElement;
    return one ? `#${one.closest("[id]")?.id} ${one.localName}.${one.classList}` : "gone";
  };
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      shifts.push([value, sources.map(({ node, previousRect: was, currentRect: is }) =>
        `${named(node)}: ${box(was)} -> ${box(is)}`)]);
  }).observe({ type: "layout-shift", buffered: true });
})()"""


@dataclass
class Shifts:
    """Of one page: each shift's value, and what moved from where to where."""

    each: list[tuple[float, list[str]]]

    @property
    def sum(self) -> float:
        """All together."""
        return sum(value for value, _ in self.each)

    def worst(self) -> list[str]:
        """What shifted most, a line each."""
        parts: Counter[str] = Counter()
        first: dict[str, str] = {}
        for value, moved in self.each:
            for line in moved:
                part = line.partition(":")[0]
                parts[part] += round(1e6 * value / len(moved))
                first.setdefault(part, line)
        return [f"{millionths / 1e6:.4f} {first[part]}" for part, millionths in parts.most_common(_SHOWN)]


def shifts_of_a_round(pages: Sequence[Page], room: Served, key: str, number: int) -> list[Shifts]:
    """Plays a round of the game with so many seats, and gives what shifted on each of these pages, all of which show
    the same seat."""
    party, clock = sit_down(room, key, number)
    for page in pages:
        page.add_init_script(_HEAR)
        open_page(page, room, party)
        page.evaluate(DRAWN, 0)
        page.evaluate("() => { shifts.length = 0; }")  # a page that is built up is no table that jumps
    found = [Shifts([]) for _ in pages]
    for _ in moves_of_a_round(room, party, clock):
        for page, shifts in zip(pages, found, strict=True):
            page.evaluate(DRAWN, party.version)
            shifts.each = page.evaluate("shifts")
    return found


def main() -> None:
    """Prints the sums of one game or of all, and what shifted most where it was too much."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.shifts", description=__doc__)
    parser.add_argument("game", nargs="?", choices=[*GAMES], help="all games without it")
    parser.add_argument("seats", nargs="?", type=int, help="2, 4 and the most without it")
    parser.add_argument("--sizes", default=",".join(f"{width}x{height}" for width, height in SIZES))
    given = parser.parse_args()
    sizes: list[Size] = [size_of(text)[:2] for text in given.sizes.split(",")]
    with by_hand() as (room, browser):
        for key in [given.game] if given.game else GAMES:
            for number in [given.seats] if given.seats else table_sizes(key):
                contexts = [
                    browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
                    for width, height in sizes
                ]
                found = shifts_of_a_round([context.new_page() for context in contexts], room, key, number)
                for context, size, one in zip(contexts, sizes, found, strict=True):
                    context.close()
                    print(f"{key:18}{number:>3} seats {size[0]:>5}x{size[1]:<5} {one.sum:.4f}")
                    for line in one.worst() if one.sum >= STILL else ():
                        print(f"        {line}")


if __name__ == "__main__":
    main()
