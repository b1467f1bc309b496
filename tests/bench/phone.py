"""What an update costs a phone: how long the main thread of Chromium works, at a phone's size and four times slowed
down, from the answer to the poll until what it changed is painted. It is told by the thread's own clock where the trace
has it, so that neither waiting nor other programs count; but on a busy machine the brake itself grips harder."""

import asyncio
import json
import random
import shutil
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any, Final, TypeVar

from app.cli.makers.visitors.guests import NotPlayable, Party, Tally, open_table, quantile
from app.cli.makers.visitors.page_reader import Way
from snug.games import GAMES
from tests.bench.servers import side, within
from tests.bench.table import Row

SEATS: Final = {"liverpool": 8, "lucky_paw": 6, "life": 8}
WIDTH, HEIGHT, BRAKE = 390, 844, 4
BEFORE: Final = {"liverpool": 120}  # moves that are let pass, until there are melds on the table; 20 elsewhere
COUNTED: Final = 30
LONGEST: Final = 300.0  # seconds for a game
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
_PATIENCE_MS = 10_000.0
_PAUSE = 0.25  # seconds after an update
_MARKS = """
addEventListener("htmx:before:response", (event) => event.target.id === "poll" && performance.mark("update-from"));
addEventListener("htmx:finally:swap", () => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => performance.mark("update-until");
  port2.postMessage("painted");
}));
"""
_WORK: Final = ("ThreadControllerImpl::RunTask", "BlinkScheduler_PerformMicrotaskCheckpoint")
Event = dict[str, Any]
One = TypeVar("One")


class Eager(random.Random):
    """Goes down and adds to melds whenever that is allowed, so that the table fills."""

    def choice(self, seq: Sequence[One]) -> One:  # type: ignore[override]
        laying = [
            one for one in seq if isinstance(one, Way) and dict(one.fields).get("move") in ("lay_down", "lay_off")
        ]
        return super().choice(laying or seq)


def costs(trace: bytes) -> list[float]:
    """The milliseconds of each update: of the marked thread's tasks and the microtasks after them, as far as they lie
    between the marks."""
    events: list[Event] = json.loads(trace)["traceEvents"]
    marks = sorted((one for one in events if one["name"].startswith("update-")), key=lambda one: float(one["ts"]))
    spans: list[tuple[float, float]] = []
    began = None
    for mark in marks:
        if mark["name"] == "update-from":
            began = began or mark["ts"]
        elif began:
            spans.append((began, mark["ts"]))
            began = None
    threads = {(mark["pid"], mark["tid"]) for mark in marks}
    work = [one for one in events if one["name"] in _WORK and one.get("dur") and (one["pid"], one["tid"]) in threads]
    return [sum(_share(one, *span) for one in _outermost(work)) / 1000 for span in spans]


def _outermost(work: list[Event]) -> Iterator[Event]:
    """What does not lie within another: a swap is done in the microtasks after a task, or of one."""
    until = 0.0
    for one in sorted(work, key=lambda one: (one["ts"], -one["dur"])):
        if one["ts"] >= until:
            until = one["ts"] + one["dur"]
            yield one


def _share(task: Event, began: float, ended: float) -> float:
    inside = min(task["ts"] + task["dur"], ended) - max(task["ts"], began)
    worked: float = task["tdur"] if "tdur" in task else task["dur"]
    share: float = max(0.0, inside / task["dur"])
    return worked * share


async def _traced(browser: Any, url: str, party: Party) -> bytes:
    phone = await browser.new_context(
        base_url=url, viewport={"width": WIDTH, "height": HEIGHT}, is_mobile=True, has_touch=True
    )
    guest = party.guests[0]
    await phone.add_cookies(
        [{"name": name, "value": value, "url": url} for name, value in guest.acting.cookies.items()]
    )
    page = await phone.new_page()
    await page.add_init_script(_MARKS)
    await page.goto(guest.path)
    await page.wait_for_selector("#live")
    await page.evaluate("for (const panel of document.querySelectorAll('#scores, #happened')) panel.open = true")
    brake = await phone.new_cdp_session(page)
    await brake.send("Emulation.setCPUThrottlingRate", {"rate": BRAKE})
    await browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing"])
    moves = 0
    while moves < COUNTED:
        moves += await party.step()
        version = max(one.page.version for one in party.guests)
        shows = "version => Number(document.getElementById('live').dataset.version) >= version"
        await page.wait_for_function(shows, arg=version, timeout=_PATIENCE_MS, polling=50)
        await asyncio.sleep(_PAUSE)
    trace: bytes = await browser.stop_tracing()
    return trace


async def _talk(party: Party) -> None:
    for guest in party.guests:
        await guest.look()
        if way := guest.page.usual("/talk"):
            await guest.press(Way(way.action, tuple({**dict(way.fields), "text": "What a hand, my friends!"}.items())))


async def _measured(url: str, key: str, path: str) -> list[float]:
    from playwright.async_api import Error, async_playwright

    party = await open_table(url, key, SEATS[key], Eager(key), Tally())
    moves = 0
    while moves < BEFORE.get(key, 20):
        moves += await party.step()
    await _talk(party)
    try:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
            return costs(await _traced(browser, url, party))
    except Error as error:
        raise NotPlayable(f"Chromium: {error}") from error
    finally:
        party.close()


def rows() -> Iterator[Row]:
    """A line for each game, or one that says why there is none."""
    try:
        import playwright.async_api  # noqa: F401
    except ImportError:
        yield Row("phone", "not measured", "Playwright is not installed")
        return
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path is None:
        yield Row("phone", "not measured", "no Chromium on this machine: apt install chromium")
        return
    for key, seats in SEATS.items():
        with side("Snug") as server:
            values = within(LONGEST, _measured(server.url, key, path))
        what = f"phone, {BRAKE} × slower, {GAMES[key].name}, {seats} seats, ms"
        yield Row(what, f"{median(values):.1f}, {quantile(values, 0.95):.1f}", f"p50, p95 of {len(values)} updates")
