"""News that leave the house: it is your turn (web push), what happened at a table (its webhook).

Occasions come from committed transactions, once each, in the process that committed them. They are carried out by a
few threads, for which no move waits; when too many wait, the newest are dropped, for a page says everything anyway.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from msgspec import json

from app.outgoing import BadAddress, NotSent
from app.services.house import House, Occasion
from app.services.notices import Browser, Calls, calls_for, forget, players_of, still_to_act
from app.webpush import Sender, seal

_LANES = 4
_WAITING = 200
_SECOND_LOOK = 30.0  # seconds until a page that only seemed to be open has shown it
_TRIES = 2
_PAUSE = 1.0
_GONE = (404, 410)
_DAY = 24 * 3600
_log = logging.getLogger(__name__)
PostTo = Callable[[str, bytes, Mapping[str, str]], int]


class Crier:
    """Tells absent players that it is their turn, and webhooks what they are there for."""

    def __init__(
        self, house: House, post: PostTo, sender: Sender, public_url: str = "", second_look: float = _SECOND_LOOK
    ) -> None:
        self._house = house
        self._post = post
        self._sender = sender
        self._public_url = public_url
        self._second_look = second_look
        # A thread a lane, and a table always in the same lane: its news arrive in the order in which they happened.
        self._lanes = [ThreadPoolExecutor(1, thread_name_prefix="crier") for _ in range(_LANES)]
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting = 0
        self._stopping = False

    def start(self) -> None:
        """Takes what the house has to tell from now on."""
        self._loop = asyncio.get_running_loop()
        self._house.tell = self.put

    async def stop(self) -> None:
        """Ends after what is being sent; what waits is dropped."""
        self._stopping = True
        for lane in self._lanes:
            lane.shutdown(wait=False, cancel_futures=True)
        for lane in self._lanes:
            await asyncio.to_thread(lane.shutdown)

    def put(self, occasion: Occasion) -> None:
        """From any thread; neither waits nor raises."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hand_over, occasion, True)

    def _hand_over(self, occasion: Occasion, first: bool) -> None:
        if self._stopping or self._waiting >= _WAITING:
            return
        self._waiting += 1
        lane = self._lanes[occasion.table_id % _LANES]
        carried = asyncio.get_running_loop().run_in_executor(lane, self._carry_out, occasion, first)
        carried.add_done_callback(lambda done: self._done(occasion, first, done))

    def _done(self, occasion: Occasion, first: bool, done: "asyncio.Future[bool]") -> None:
        self._waiting -= 1
        if first and not done.cancelled() and done.result() and not self._stopping:
            asyncio.get_running_loop().call_later(self._second_look, self._hand_over, occasion, False)

    def _carry_out(self, occasion: Occasion, first: bool) -> bool:
        """Whether somebody seemed to be there and should be looked for once more."""
        try:
            # Before the database: who plays and leaves between the two looks is not woken for a turn that is over.
            pages_open = self._house.presence.tokens(occasion.slug)
            with self._house.database.reading() as connection:
                calls = calls_for(self._house, connection, occasion)
                if calls is None:
                    return False
                present = players_of(self._house, connection, pages_open)
                to_act = still_to_act(connection, occasion) if calls.browsers else set()
            if first and calls.webhook:
                self._call_webhook(calls.webhook, occasion, calls)
            wanted = [browser for browser in calls.browsers if browser.seat in to_act]
            for browser in wanted:
                if browser.player_id not in present:
                    self._wake(browser, occasion, calls)
            return any(browser.player_id in present for browser in wanted)
        except Exception:  # news are a courtesy: whatever happens to them, the game goes on
            _log.exception("the crier stumbled and goes on")
            return False

    def _call_webhook(self, url: str, occasion: Occasion, calls: Calls) -> None:
        news = {
            "table": calls.code,
            "game": calls.game,
            "event": occasion.event,
            "names": calls.names,
            "url": f"{self._public_url}/t/{occasion.slug}",
        }
        self._deliver(url, json.encode(news), {"Content-Type": "application/json"})

    def _wake(self, browser: Browser, occasion: Occasion, calls: Calls) -> None:
        others = calls.others[browser.seat]
        company = " and ".join(filter(None, (", ".join(others[:-1]), others[-1])))
        notice = {
            "title": "Your turn",
            "body": f"{calls.game} with {company}",
            "url": f"/t/{occasion.slug}",
            "tag": occasion.slug,
        }
        headers = {
            "Authorization": self._sender.authorization(browser.endpoint, self._house.now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_DAY),
            "Urgency": "high",
            "Topic": occasion.slug,  # a newer turn at the table takes the place of one that was not delivered yet
        }
        status = self._deliver(browser.endpoint, seal(json.encode(notice), browser.p256dh, browser.auth), headers)
        if status in _GONE:
            self._house.write(forget, browser.endpoint)

    def _deliver(self, url: str, body: bytes, headers: Mapping[str, str]) -> int | None:
        """The answer's status, None without an answer. Tries again once when the other side has trouble."""
        status: int | None = None
        for attempt in range(_TRIES):
            if attempt:
                time.sleep(_PAUSE)
            try:
                status = self._post(url, body, headers)
            except BadAddress as error:
                _log.warning("nothing is sent to %s: %s", urlsplit(url).hostname, error)
                return None
            except NotSent as error:
                _log.warning("not delivered: %s", error)
                status = None
            if self._stopping or (status is not None and status < 500):
                break
        return status
