"""Whether a table keeps still: a round played against bots, and at every update, at every size, where the hand, the
actions and the bar are, what of them cannot be seen or reached, and whether the page itself scrolls.

`python -m tests.browser.stage liverpool 8 --sizes 390x844,1280x800` prints it all, with a line for each fault;
`--pictures FOLDER` keeps a picture of the first update with each fault."""

import argparse
import base64
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Browser, Page, sync_playwright

from app.cli.upgrade import migrate
from app.services.play import play
from app.services.table.clocks import ClockRules
from app.settings import Settings
from snug.games import GAMES
from tests.browser.layout import CLIPPED, Lettered, Size, resize
from tests.browser.paint import painted
from tests.factories import Party, against_bots
from tests.servers import Served, serving, stand_still

SIZES: tuple[Size, ...] = (
    (320, 568),
    (360, 640),
    (390, 844),
    (844, 390),
    (1280, 800),
    (1920, 1080),
    (640, 400),
)
LARGE: tuple[Size | Lettered, ...] = ((320, 256), (360, 640, 150), (390, 844, 200))  # 400 % of a laptop, large text
# Each laid out in its own way.
_KINDS: tuple[Size | Lettered, ...] = ((320, 568), (390, 844), (844, 390), (1280, 800), (390, 844, 200))
_RULES = {"liverpool": {"buying_from": "always"}, "lives": {"last_card_notice": "players"}}  # all there is to be asked
_LOOKS = 22  # updates of a round that are looked at
_ALIKE = 2  # of those that offer the same things to do, as a rule

# Where the parts are, as it would be drawn now, and what is wrong with them: in words, each with a number.
_LOOK = """(decides) => {
  CLIPPED
  const faults = {};
  const blame = (words, number = 1) => (faults[words] = (faults[words] ?? 0) + number);
  const box = (part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x, y, width, height].map((number) => Math.round(number * 10) / 10);
  };
  const isInside = ([x, y, width, height]) =>
    x >= -0.5 && y >= -0.5 && x + width <= innerWidth + 0.5 && y + height <= innerHeight + 0.5;
  const isDrawn = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length;
  const isHit = (one, x, y) => one.contains(document.elementFromPoint(x, y));
  const [mine, actions, bar, hand] = ["mine", "actions", "bar", "hand"].map((id) => document.getElementById(id));
  const page = document.scrollingElement;
  if (page.scrollHeight > innerHeight) blame("the page is too high", page.scrollHeight - innerHeight);
  if (page.scrollWidth > innerWidth) blame("the page is too wide", page.scrollWidth - innerWidth);
  const where = {};
  const isLow = innerHeight <= 20 * parseFloat(getComputedStyle(document.documentElement).fontSize); // then it scrolls
  for (const part of [mine, actions, bar]) {
    where[part.id] = box(part);
    if (decides && !isInside(where[part.id]) && !(isLow && part === mine)) blame(`#${part.id} is out of view`);
  }
  const unseen = actions.scrollHeight - actions.clientHeight;
  if (unseen > 1) blame("#actions has more than is seen", unseen);
  for (const button of actions.querySelectorAll("button, a, select, label")) {
    if (!isDrawn(button)) continue;
    const [x, y, width, height] = box(button);
    const words = button.id || button.textContent.trim().slice(0, 30);
    if (!isInside([x, y, width, height])) blame(`${words} is out of view`);
    else if (!isHit(button, x + width / 2, y + height / 2)) blame(`${words} is covered or clipped`);
    if (button.scrollWidth > button.clientWidth + 1) blame(`${words} does not hold its words`);
  }
  for (const one of document.querySelectorAll("#actions .hint, .rival :is(.did, .left, .tag)")) {
    const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (walk.nextNode())
      if (clipped(walk.currentNode).by) blame(`"${one.textContent.trim().replace(/\\s+/g, " ")}" is cut`);
  }
  let rows = 0;
  if (hand) {
    const [, y, , height] = box(hand);
    where.hand = [y, height];
    const scrollers = [];
    for (let part = hand; isLow ? part : mine.contains(part); part = part.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(part);
      if (/auto|scroll/.test(overflowX + overflowY)) scrollers.push([part, part.scrollLeft, part.scrollTop]);
    }
    const isSeen = (card) => {
      const [x, y, width, height] = box(card);
      const across = [0.12, 0.3, 0.5].map((part) => x + width * part);
      const down = [0.1, 0.25, 0.5].map((part) => y + height * part);
      return across.some((x) => down.some((y) => isHit(card, x, y)));
    };
    const cards = [...hand.children];
    rows = new Set(cards.map((card) => Math.round(card.getBoundingClientRect().top / 20))).size;
    for (const card of cards) {
      if (isSeen(card)) continue;
      for (const [part] of scrollers) {
        const [inner, outer] = [card.getBoundingClientRect(), part.getBoundingClientRect()];
        const above = isLow ? outer.height / 2 : 8;
        part.scrollBy(inner.left - outer.left - outer.width / 2, inner.top - outer.top - above);
      }
      if (!isSeen(card)) blame("cards of the hand cannot be reached");
    }
    for (const [part, left, top] of scrollers) part.scrollTo(left, top);
  }
  return { where, rows, faults, says: `${bar.textContent} | ${actions.textContent}` };
}""".replace("CLIPPED", CLIPPED)

# The same once more with a card ticked, which is put back.
_LOOK_TWICE = f"""(decides) => {{
  const look = {_LOOK};
  const seen = [look(decides)];
  const boxes = [...document.querySelectorAll("#hand input")].map((one) => [one, one.checked]);
  const tick = boxes.find(([one, isTicked]) => !one.disabled && !isTicked);
  if (decides && tick) {{
    tick[0].checked = true;
    seen.push(look(decides));
    for (const [one, wasTicked] of boxes) one.checked = wasTicked;
  }}
  return seen;
}}"""

# Until the page shows this version of the table, drawn.
DRAWN = """async (version) => {
  const frame = () => new Promise(requestAnimationFrame);
  const since = performance.now();
  while (Number(document.getElementById("live").dataset.version) < version) {
    if (performance.now() - since > 20_000) throw new Error(`version ${version} never came`);
    await frame();
  }
  await frame();
  await frame();
}"""


@dataclass
class _Fault:
    """What is wrong: how often, at worst by how much, and what the page said when it first was."""

    first: str
    times: int = 0
    worst: float = 0


@dataclass
class Found:
    """What looking at one size found: faults, and every place where a part stood (the hand's for each number of rows
    of cards)."""

    faults: dict[str, _Fault] = field(default_factory=dict)
    places: dict[str, list[list[float]]] = field(default_factory=dict)

    def add(self, at: int, seen: dict[str, Any]) -> bool:
        """Takes down one look; whether it found what was not wrong before."""
        faults = dict(seen["faults"])
        for part, place in seen["where"].items():
            name = f"#{part} with {seen['rows']} rows of cards" if part in ("mine", "hand") else f"#{part}"
            known = self.places.setdefault(name, [])
            if place != next(iter(known), place):
                faults[f"{name} moved"] = max(abs(one - other) for one, other in zip(known[0], place, strict=True))
            if place not in known:
                known.append(place)
        is_new = not faults.keys() <= self.faults.keys()
        for words, number in faults.items():
            fault = self.faults.setdefault(words, _Fault(f"update {at}: {' '.join(seen['says'].split())}"))
            fault.times += 1
            fault.worst = max(fault.worst, number)
        return is_new

    def lines(self) -> list[str]:
        """A line for each fault."""
        return [
            f"{words}: {fault.times}×, at worst {fault.worst:g}; first at {fault.first[:140]}"
            + (f"; {' '.join(map(str, self.places[words.removesuffix(' moved')]))}" if words.endswith(" moved") else "")
            for words, fault in sorted(self.faults.items())
        ]


class Clock:
    """Stands still but for the bots' pauses."""

    def __init__(self, time: float) -> None:
        self.time = time

    def __call__(self) -> float:
        return self.time


def table_sizes(key: str) -> list[int]:
    """Two seats, four and the most, or as few as the game allows."""
    fewest, most = GAMES[key].seats
    return sorted({min(max(seats, fewest), most) for seats in (2, 4, most)})


def table_params(key: str) -> list[ParameterSet]:
    """Rounds to look at as parameters of a test: game, seats, sizes, whether each thing to do is looked at once only.
    The most seats on one screen of each kind and with large text are enough; the rest is depth."""
    deep, ends = pytest.mark.thorough, (table_sizes(key)[0], table_sizes(key)[-1])
    return [
        pytest.param(key, ends[-1], _KINDS, True, id=f"{key}-{ends[-1]}"),
        *(pytest.param(key, seats, SIZES, False, id=f"{key}-{seats}-all", marks=deep) for seats in table_sizes(key)),
        *(pytest.param(key, seats, LARGE, False, id=f"{key}-{seats}-all-large", marks=deep) for seats in ends),
    ]


def sit_down(room: Served, key: str, number: int) -> tuple[Party, Clock]:
    """A person and bots at a table with a turn clock and takebacks, whose bots move when they are told to."""
    clock = Clock(room.context.now())
    stand_still(room.context, clock)
    room.context.random = random.Random(f"{key} {number}")
    rules = {"clock": ClockRules("relaxed"), "undo": "free", **_RULES.get(key, {})}
    return against_bots(room.context, key, number, rules, "relaxed"), clock


def moves_of_a_round(room: Served, party: Party, clock: Clock) -> Iterator[tuple[bool, str]]:
    """Plays a round, and stops before each move: whether the player decides, and what kind of moment it is."""
    dice = random.Random(4)
    while True:
        page, turn = party.look(), party.turn()
        if not page.table.is_playing or page.board.view is None:
            return
        view = turn.match.game.view(turn.match.round, turn.seat) if turn else page.board.view
        offered = sorted({move["move"] for move in turn.moves}) if turn else ""
        yield turn is not None, f"{view.prompt if turn else view.awaited} {offered}"
        if turn:
            party.play_well(turn, dice)
        else:
            clock.time += max(0.0, (party.due_at() or 0.0) - room.context.room_time())
            room.context.write(play.run_due, party.slug)


def _updates(room: Served, party: Party, clock: Clock, *, each_once: bool) -> Iterator[bool]:
    """Plays a round. Stops at the updates that are worth a look and says whether the player decides."""
    kinds: Counter[str] = Counter()
    looks = 0
    for number, (decides, kind) in enumerate(moves_of_a_round(room, party, clock), 1):
        kinds[kind] += 1
        again = not each_once and (kinds[kind] <= _ALIKE or number % (5 if decides else 11) == 0)
        if looks < _LOOKS and (kinds[kind] == 1 or again):
            looks += 1
            yield decides


def open_page(page: Page, room: Served, party: Party) -> None:
    page.context.add_cookies([{"name": "snug", "value": party.guests[0].token, "url": room.url}])
    # A callout moves with the window a moment later than everything else; it has tests of its own.
    page.add_init_script(f"for (const key of {[*GAMES]}) localStorage.setItem(`coached-${{key}}`, 'yes')")
    page.goto(f"{room.url}/t/{party.slug}")


def watch_a_round(
    page: Page,
    room: Served,
    key: str,
    number: int,
    sizes: Sequence[Size | Lettered] = SIZES,
    pictures: Path | None = None,
    *,
    each_once: bool = False,
) -> dict[Size | Lettered, Found]:
    """Plays a round of the game with so many seats on this page, and gives what was found at each size. With
    `each_once` what offers the same things to do is looked at once."""
    party, clock = sit_down(room, key, number)
    open_page(page, room, party)
    session = page.context.new_cdp_session(page)
    found = {size: Found() for size in sizes}
    for at, decides in enumerate(_updates(room, party, clock, each_once=each_once), 1):
        page.evaluate(DRAWN, party.version)
        for size in sizes:
            resize(session, size)
            for seen in page.evaluate(_LOOK_TWICE, decides):
                if found[size].add(at, seen) and pictures:
                    # By the session, since a page's own screenshot has the page's size.
                    with painted(page):
                        picture = base64.b64decode(session.send("Page.captureScreenshot")["data"])
                    (pictures / f"{key}-{number}-{named(size)}-{at}.png").write_bytes(picture)
    session.detach()
    return found


def faults_of(found: dict[Size | Lettered, Found]) -> list[str]:
    """All faults, each with its size."""
    return [f"{named(size)}: {line}" for size, one in found.items() for line in one.lines()]


def named(size: Size | Lettered) -> str:
    """A size as it is given by hand: "390x844", with large text "390x844@200"."""
    return "x".join(map(str, size[:2])) + (f"@{size[2]}" if len(size) == 3 else "")


def size_of(text: str) -> Size | Lettered:
    """The size of which that is the name."""
    screen, _, letters = text.partition("@")
    width, _, height = screen.partition("x")
    return (int(width), int(height), int(letters)) if letters else (int(width), int(height))


@contextmanager
def by_hand() -> Iterator[tuple[Served, Browser]]:
    """A room of its own and a Chromium, without pytest."""
    os.environ.setdefault("PYTEST_CURRENT_TEST", "the stage by hand")  # which the server deals by
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = f"sqlite:///{folder / 'snug.db'}"
        migrate(url)
        room = stack.enter_context(serving(Settings(data=folder, database_url=url, key=b"k" * 32)))
        chromium = stack.enter_context(sync_playwright()).chromium
        path = shutil.which("chromium") or shutil.which("google-chrome")
        yield room, chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])


def main() -> None:
    """Prints what was found, for one game or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.stage", description=__doc__)
    parser.add_argument("game", nargs="?", choices=[*GAMES], help="all games without it")
    parser.add_argument("seats", nargs="?", type=int, help="2, 4 and the most without it")
    parser.add_argument("--sizes", default=",".join(map(named, SIZES + LARGE)))
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of the faults")
    given = parser.parse_args()
    sizes = [size_of(text) for text in given.sizes.split(",")]
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    with by_hand() as (room, browser):
        for key in [given.game] if given.game else GAMES:
            for number in [given.seats] if given.seats else table_sizes(key):
                context = browser.new_context(reduced_motion="reduce")
                found = watch_a_round(context.new_page(), room, key, number, sizes, given.pictures)
                context.close()
                for size, one in found.items():
                    print(f"{key:18}{number:>3} seats {named(size):>12}", "FAULTS" if one.faults else "ok")
                    for line in one.lines():
                        print(f"        {line}")


if __name__ == "__main__":
    main()
