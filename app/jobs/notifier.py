"""Notices on their way: to the browsers of those whom they concern (web push), to a table's webhook.

They come from committed transactions, once each, in the process that committed them. They are carried out by a few
threads, for which no move waits; when too many wait, the newest are dropped, for a page says everything anyway.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from gettext import NullTranslations
from urllib.parse import urlsplit

from msgspec import json

from app.jobs.budget import Budget, Patience
from app.jobs.outbound import BadAddress, NotSent
from app.jobs.web_push import Sender, is_push_service, seal
from app.services.context import AppContext, Hook, Notice, Words
from app.services.notifications.subscriptions import browsers_of, forget, languages_of, players_of
from app.storage.db import as_of
from app.storage.models import Subscription
from snug.words import ENGLISH, as_read, reading

_LANES = 4
_WAITING = 200
_SECOND_LOOK = 30.0  # seconds until a page that only seemed to be open has shown it
_TRIES = 2
_PAUSE = 1.0
_GONE = (404, 410)
_PUSHES = 120, 6_000  # an hour: to the browsers of one guest, of all
_WEBHOOKS = 600, 6_000  # of one table, of all
_DAY = 24 * 3600
_log = logging.getLogger(__name__)
PostTo = Callable[[str, bytes, Mapping[str, str]], int]


def _is_well(status: int | None) -> bool:
    return status is not None and status < 300


class Notifier:
    """Tells absent players that they are wanted, and webhooks what they are there for."""

    def __init__(
        self, context: AppContext, post: PostTo, sender: Sender, public_url: str = "", second_look: float = _SECOND_LOOK
    ) -> None:
        self._context = context
        self._post = post
        self._sender = sender
        self._public_url = public_url
        self._second_look = second_look
        # A thread a lane, and a table always in the same lane: its notices arrive in the order in which they happened.
        self._lanes = [ThreadPoolExecutor(1, thread_name_prefix="notifier") for _ in range(_LANES)]
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting = 0
        self._stopping = False
        self._pushes, self._webhooks = Budget(*_PUSHES), Budget(*_WEBHOOKS)
        self._patience = Patience()

    def start(self) -> None:
        """Takes what is published from now on."""
        self._loop = asyncio.get_running_loop()
        self._context.publish = self.put

    async def stop(self) -> None:
        """Ends after what is being sent; what waits is dropped."""
        self._stopping = True
        for lane in self._lanes:
            lane.shutdown(wait=False, cancel_futures=True)
        for lane in self._lanes:
            await asyncio.to_thread(lane.shutdown)

    def put(self, notice: Notice) -> None:
        """From any thread; neither waits nor raises."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hand_over, notice, True)

    def _hand_over(self, notice: Notice, first: bool) -> None:
        if self._stopping or self._waiting >= _WAITING:
            return
        self._waiting += 1
        lane = self._lanes[notice.place % _LANES]
        carried = asyncio.get_running_loop().run_in_executor(lane, self._carry_out, notice, first)
        carried.add_done_callback(lambda done: self._done(notice, first, done))

    def _done(self, notice: Notice, first: bool, done: "asyncio.Future[bool]") -> None:
        self._waiting -= 1
        if first and not done.cancelled() and done.result() and not self._stopping:
            asyncio.get_running_loop().call_later(self._second_look, self._hand_over, notice, False)

    def _carry_out(self, notice: Notice, first: bool) -> bool:
        """Whether somebody seemed to be there and should be looked for once more."""
        try:
            return self._tell(notice, first)
        except Exception:  # notices are a courtesy: whatever happens to them, the game goes on
            _log.exception("a notification failed; the notifier goes on")
            return False

    def _tell(self, notice: Notice, first: bool) -> bool:
        # Before the database: who plays and leaves between the two looks is not woken for a turn that is over.
        pages_open = self._context.presence.tokens(notice.table) if notice.table else []
        with self._context.database.reading() as connection:
            hook = notice.hook(self._context, connection) if first else None
            whom = notice.whom(self._context, connection)
            browsers = browsers_of(connection, whom)
            players = {browser.player_id for browser in browsers}
            words = notice.words(self._context, connection, players) if players else {}
            present = players_of(self._context, connection, notice.table, pages_open) if words else set()
            spoken = languages_of(connection, words)
            for player in {*whom} - players:
                self._context.unsubscribed.keep(str(player), True, as_of(connection))
        if hook and self._webhooks.take(notice.place):
            self._call(hook, notice)
        for browser in browsers:
            if browser.player_id in words and browser.player_id not in present:
                self._wake(browser, words[browser.player_id], notice, spoken.get(browser.player_id, ENGLISH))
        return not present.isdisjoint(words)

    def _call(self, hook: Hook, notice: Notice) -> None:
        news = {**hook.news, "url": f"{self._public_url}{notice.address}"}
        if self._patience.may_try(hook.url):
            status = self._deliver(hook.url, json.encode(news), {"Content-Type": "application/json"})
            self._patience.ends(hook.url, well=_is_well(status))

    def _wake(self, browser: Subscription, words: Words, notice: Notice, spoken: NullTranslations) -> None:
        if not (self._context.any_push or is_push_service(browser.endpoint)):
            self._context.write(forget, browser.endpoint)  # from before that was asked
            return
        if not (self._patience.may_try(browser.endpoint) and self._pushes.take(browser.player_id)):
            return
        place = notice.address.rpartition("/")[2]
        headers = {
            "Authorization": self._sender.authorization(browser.endpoint, self._context.now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_DAY),
            "Urgency": "high",
            "Topic": place,  # a newer one of the same place takes the place of one not delivered yet
        }
        with reading(spoken):
            said = {"title": as_read(words.title), "body": as_read(words.body), "url": notice.address, "tag": place}
        status = self._deliver(browser.endpoint, seal(json.encode(said), browser.p256dh, browser.auth), headers)
        if self._patience.ends(browser.endpoint, well=_is_well(status)) or status in _GONE:
            self._context.write(forget, browser.endpoint)

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
