"""Notifications: it is your turn, your table is ready, your tournament begins soon, your circle meets (web push), what
happened at a table (its webhook).

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

from app.jobs.budget import Budget, Patience
from app.jobs.outbound import BadAddress, NotSent
from app.jobs.web_push import Sender, is_push_service, seal
from app.services.context import AppContext, EveningReminder, News, Reminder, TableEvent
from app.services.notifications import (
    Browser,
    Calls,
    calls_for,
    forget,
    players_of,
    reminded,
    reminded_of_evening,
    still_to_act,
)
from snug.words import as_read, gettext, listed

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


def _notice(browser: Browser, table_event: TableEvent, calls: Calls) -> dict[str, str]:
    place = calls.place
    body = gettext("%(game)s with %(others)s", game=calls.game, others=listed(calls.others[browser.seat]))
    return {
        "title": gettext("Stage %(stage)s: your table is ready", stage=place.stage) if place else gettext("Your turn"),
        "body": gettext("%(tournament)s: %(table)s", tournament=place.name, table=body) if place else body,
        "url": f"/t/{table_event.slug}",
        "tag": table_event.slug,
    }


def _place(news: News) -> int:
    match news:
        case TableEvent():
            return news.table_id
        case Reminder():
            return news.tournament_id
    return news.circle_id


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
        # A thread a lane, and a table always in the same lane: its news arrive in the order in which they happened.
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

    def put(self, news: News) -> None:
        """From any thread; neither waits nor raises."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._hand_over, news, True)

    def _hand_over(self, news: News, first: bool) -> None:
        if self._stopping or self._waiting >= _WAITING:
            return
        self._waiting += 1
        lane = self._lanes[_place(news) % _LANES]
        carried = asyncio.get_running_loop().run_in_executor(lane, self._carry_out, news, first)
        carried.add_done_callback(lambda done: self._done(news, first, done))

    def _done(self, news: News, first: bool, done: "asyncio.Future[bool]") -> None:
        self._waiting -= 1
        if first and not done.cancelled() and done.result() and not self._stopping:
            asyncio.get_running_loop().call_later(self._second_look, self._hand_over, news, False)

    def _carry_out(self, news: News, first: bool) -> bool:
        """Whether somebody seemed to be there and should be looked for once more."""
        try:
            if isinstance(news, EveningReminder):
                return self._remind_of_evening(news)
            return self._remind(news) if isinstance(news, Reminder) else self._tell(news, first)
        except Exception:  # news are a courtesy: whatever happens to them, the game goes on
            _log.exception("a notification failed; the notifier goes on")
            return False

    def _remind(self, reminder: Reminder) -> bool:
        with self._context.database.reading() as connection:
            name, browsers = reminded(connection, reminder)
        for browser in browsers:
            title, body = gettext("%(name)s begins in ten minutes", name=name), gettext("Your place is kept.")
            self._wake(
                browser, {"title": title, "body": body, "url": f"/tournaments/{reminder.slug}", "tag": reminder.slug}
            )
        return False

    def _remind_of_evening(self, reminder: EveningReminder) -> bool:
        with self._context.database.reading() as connection:
            name, when, browsers = reminded_of_evening(connection, reminder)
        for browser in browsers:
            self._wake(browser, {"title": name, "body": when, "url": f"/c/{reminder.slug}", "tag": reminder.slug})
        return False

    def _tell(self, table_event: TableEvent, first: bool) -> bool:
        # Before the database: who plays and leaves between the two looks is not woken for a turn that is over.
        pages_open = self._context.presence.tokens(table_event.slug)
        with self._context.database.reading() as connection:
            calls = calls_for(self._context, connection, table_event)
            if calls is None:
                return False
            present = players_of(self._context, connection, table_event.slug, pages_open)
            to_act = still_to_act(connection, table_event) if calls.browsers else set()
        if first and calls.webhook and self._webhooks.take(table_event.table_id):
            self._call_webhook(calls.webhook, table_event, calls)
        wanted = [browser for browser in calls.browsers if browser.seat in to_act]
        for browser in wanted:
            if browser.player_id not in present:
                self._wake(browser, _notice(browser, table_event, calls))
        return any(browser.player_id in present for browser in wanted)

    def _call_webhook(self, url: str, table_event: TableEvent, calls: Calls) -> None:
        news = {
            "table": calls.code,
            "game": str(calls.game),  # as data, in English
            "event": table_event.event,
            "names": calls.names,
            "url": f"{self._public_url}/t/{table_event.slug}",
        }
        if self._patience.may_try(url):
            status = self._deliver(url, json.encode(news), {"Content-Type": "application/json"})
            self._patience.ends(url, well=_is_well(status))

    def _wake(self, browser: Browser, notice: Mapping[str, str]) -> None:
        if not (self._context.any_push or is_push_service(browser.endpoint)):
            self._context.write(forget, browser.endpoint)  # from before that was asked
            return
        if not (self._patience.may_try(browser.endpoint) and self._pushes.take(browser.player_id)):
            return
        headers = {
            "Authorization": self._sender.authorization(browser.endpoint, self._context.now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_DAY),
            "Urgency": "high",
            "Topic": notice["tag"],  # a newer one of the same place takes the place of one not delivered yet
        }
        said = json.encode({name: as_read(text) for name, text in notice.items()})
        status = self._deliver(browser.endpoint, seal(said, browser.p256dh, browser.auth), headers)
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
