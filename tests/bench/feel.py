"""How the room feels under the thumb: how long after a tap a card is seen to leave, lies, and is seen by another
player, and how many lines a move opens, at some distances and on a slow phone. Two phones play through a proxy that
holds all back."""

import asyncio
import random
import shutil
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final
from urllib.parse import urlsplit

from app.cli.makers.visitors.guests import NotPlayable, Party, Tally, open_table
from snug.games import GAMES
from tests.bench.servers import side, within
from tests.bench.table import Row, show

TRIPS: Final = (0, 120, 400, 1_000)
"""Milliseconds there and back."""
TAPS: Final = 5
SLOW: Final = 4
"""How many times slower than this machine the phone is that is measured last, without a distance."""
_SEATS: Final = {"life": 3, "liverpool": 3}
_LONGEST: Final = 300.0
SIZE: Final = {"width": 390, "height": 844}
BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
_PATIENCE: Final = 30.0
_RESTED: Final = 0.3  # seconds in which what follows a move is over
_CHUNK: Final = 65_536

_WATCH = """
const now = () => performance.timeOrigin + performance.now();
window.versions = {};
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  versions[document.getElementById("live")?.dataset.version] ??= now();
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-version"] }));
window.arm = () => {
  const felt = (window.felt = {});
  addEventListener("htmx:before:request", ({ target }) => target.id !== "poll" && (felt.sent ??= now()));
  addEventListener("pointerdown", (event) => {
    felt.tap = performance.timeOrigin + event.timeStamp;
    const watch = new MutationObserver(() => {
      watch.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (felt.seen = now());
        port2.postMessage("painted");
      });
      const rest = () => {
        const card = document.querySelector(".dragged");
        const isMoving = card ? card.getAnimations().length : document.querySelector("#flights > *");
        if (isMoving) requestAnimationFrame(rest);
        else felt.lies = now();
      };
      requestAnimationFrame(() => requestAnimationFrame(rest));
    });
    watch.observe(document.body, { subtree: true, childList: true, attributes: true });
  }, { once: true, capture: true });
};
"""
# Where to tap so that a card is played; what has to be chosen first is chosen.
_WHERE = """() => {
  if (document.getElementById("live").dataset.myTurn !== "true") return null;
  const isOpen = (one) => one.checkVisibility() && !one.disabled;
  const seen = (selector) => [...document.querySelectorAll(selector)].find(isOpen);
  let way = seen("#mine :is(.held, .stack) > button.now");
  if (!way && seen("#lay-all-button")) way = seen("#lay-all-button");
  if (!way && document.getElementById("discard-button")) {
    document.querySelector("#hand > li:not(:has(.new)) .pick input")?.click(); // what was just taken stays
    way = seen("#discard-button");
  }
  const stack = way ? null : seen("#mine .stack .pick input");
  if (stack) {
    stack.click();
    way = seen(`.fit-${stack.value} button`);
  }
  if (!way) return null;
  const { left, top, width, height } = way.getBoundingClientRect();
  return way.closest(".held") ? [left + 12, top + 20] : [left + width / 2, top + height / 2];
}"""


@dataclass
class Feel:
    """Milliseconds from each tap until something is seen, until the card lies, and from its sending until another
    player sees it; the lines that the move opened."""

    seen: list[float] = field(default_factory=list)
    lies: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


class Distance:
    """A proxy so many seconds away, there and back; `opened` counts its lines. `stall` says of all that goes there how
    many seconds longer it, and all that follows on its line, is on the way."""

    def __init__(self, url: str, trip: float, stall: Callable[[bytes], float] = lambda _data: 0.0) -> None:
        self._host, self._port = urlsplit(url).hostname, urlsplit(url).port
        self._trip, self._stall = trip, stall
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.opened = 0
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One line, which takes a round trip to be opened."""
        self.opened += 1
        there, back = await asyncio.open_connection(self._host, self._port)
        self._writers += back, writer
        opened = time.monotonic() + self._trip
        for way in (self._carry(reader, back, opened, self._stall), self._carry(there, writer, 0, lambda _data: 0.0)):
            self._keep(way)

    async def close(self) -> None:
        """Ends all lines."""
        for task in self._tasks:
            task.cancel()
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*self._tasks, *(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    def _keep(self, way: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(way)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        not_before: float,
        stall: Callable[[bytes], float],
    ) -> None:
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            data = b"."
            while data:
                due, data = await queue.get()
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                writer.write(data)
            writer.close()

        self._keep(deliver())
        data = b"."
        while data:
            try:
                data = await reader.read(_CHUNK)
            except OSError:
                data = b""
            queue.put_nowait((max(time.monotonic(), not_before) + self._trip / 2 + stall(data), data))


@asynccontextmanager
async def distant(
    url: str, trip: float, stall: Callable[[bytes], float] = lambda _data: 0.0
) -> AsyncIterator[Distance]:
    """The room at `url`, so many seconds away."""
    distance = Distance(url, trip, stall)
    server = await asyncio.start_server(distance.serve, "127.0.0.1", 0)
    distance.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield distance
    finally:
        server.close()
        await distance.close()
        await server.wait_closed()


async def _open(browser: Any, distance: Distance, party: Party, seat: int, key: str, slower: int) -> Any:
    phone = await browser.new_context(base_url=distance.url, viewport=SIZE, is_mobile=True, has_touch=True)
    guest = party.guests[seat - 1]
    cookies = [{"name": name, "value": value, "url": distance.url} for name, value in guest.acting.cookies.items()]
    await phone.add_cookies(cookies)
    page = await phone.new_page()
    if slower > 1:
        await (await phone.new_cdp_session(page)).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    await page.add_init_script(f"localStorage.setItem('coached-{key}', 'yes'); {_WATCH}")
    await page.goto(guest.path)
    await page.wait_for_selector("#flights", state="attached")
    return page


async def _shows(page: Any, version: int) -> None:
    shows = "version => Number(document.getElementById('live').dataset.version) >= version"
    await page.wait_for_function(shows, arg=version, timeout=1_000 * _PATIENCE, polling=50)


async def _tap(mine: Any, other: Any, spot: list[float], distance: Distance, feel: Feel) -> None:
    before = await mine.evaluate("document.getElementById('live').dataset.version")
    await mine.evaluate("arm()")
    opened = distance.opened
    await mine.touchscreen.tap(*spot)
    await _shows(mine, int(before) + 1)
    await _shows(other, int(before) + 1)
    await mine.wait_for_function("() => felt.lies && felt.seen", timeout=1_000 * _PATIENCE)
    felt = await mine.evaluate("felt")
    heard = await other.evaluate(
        "(before) => Math.min(...Object.entries(versions).filter(([one]) => one > before).map(([, at]) => at))",
        int(before),
    )
    feel.seen.append(felt["seen"] - felt["tap"])
    feel.lies.append(felt["lies"] - felt["tap"])
    feel.other.append(heard - felt["sent"])
    feel.lines.append(distance.opened - opened)


async def felt(browser: Any, url: str, key: str, trip: int, taps: int, slower: int = 1) -> Feel:
    """Plays until so many cards were played by a finger at this distance, on a phone so many times slower."""
    party = await open_table(url, key, _SEATS.get(key, 2), random.Random(key), Tally())
    feel = Feel()
    try:
        async with distant(url, trip / 1_000) as near, distant(url, trip / 1_000) as far:
            mine = await _open(browser, near, party, 1, key, slower)
            other = await _open(browser, far, party, 2, key, 1)
            while len(feel.seen) < taps:
                for guest in party.guests:
                    await guest.look()
                version = max(guest.page.version for guest in party.guests)
                await asyncio.gather(_shows(mine, version), _shows(other, version))
                await asyncio.sleep(_RESTED + trip / 1_000)
                spot = await mine.evaluate(_WHERE)
                if spot:
                    await _tap(mine, other, spot, near, feel)
                else:
                    await party.step()
            for page in (mine, other):
                await page.context.close()
    finally:
        party.close()
    return feel


async def _all_felt(url: str, path: str, key: str, trips: Sequence[int], slower: int, taps: int) -> dict[str, Feel]:
    from playwright.async_api import Error, async_playwright

    try:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            found = {f"{trip} ms away": await felt(browser, url, key, trip, taps) for trip in trips}
            if slower > 1:
                found[f"{slower} times slower"] = await felt(browser, url, key, 0, taps, slower)
            return found
    except Error as error:
        raise NotPlayable(f"Chromium: {error}") from error


def rows(
    games: Sequence[str] = tuple(GAMES), trips: Sequence[int] = TRIPS, slower: int = SLOW, taps: int = TAPS
) -> Iterator[Row]:
    """A line for each game and distance, and for a phone so many times slower, or one that says why there is none."""
    try:
        import playwright.async_api  # noqa: F401
    except ImportError:
        yield Row("feel", "not measured", "Playwright is not installed")
        return
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        yield Row("feel", "not measured", "no Chromium on this machine: apt install chromium")
        return
    for key in games:
        with side("Snug") as server:
            found = within(_LONGEST, _all_felt(server.url, path, key, trips, slower, taps))
        for where, feel in found.items():
            ours = ", ".join(f"{median(values):.0f}" for values in (feel.seen, feel.lies, feel.other))
            what = f"feel, {GAMES[key].name}, {where}, ms"
            yield Row(what, ours, f"tap seen, card lies, other sees; lines opened: {sum(feel.lines)}")


def main() -> None:
    """Prints a line for each game and distance."""
    for row in rows():
        show(row)
