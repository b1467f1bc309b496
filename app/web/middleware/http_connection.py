"""A browser's connection as uvicorn serves it, but that a poll which waits is no task: just its place among those who
wait, and a timer. Whatever is no such poll, or comes through another server, is answered as everywhere.

Nobody may take his time over a request, nor over the answer: with a few bytes a minute anybody could hold all the
connections there are.
"""

import asyncio
from typing import Any, Final, cast

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from app.web.middleware.connection_limit import ConnectionLimiter
from app.web.middleware.long_poll import LongPoll, PendingPoll

RECEIVED: Final = 10.0  # seconds for a request to arrive, and for every so much more of it
_SO_MUCH: Final = 64 * 1024
TAKEN: Final = 30.0  # seconds for a browser to take something of its answer
_FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class HttpConnection(HttpToolsProtocol):
    """For an application whose outermost door is the poll. `crowd` is all the lines of a server, if they are
    counted."""

    crowd: ConnectionLimiter | None = None
    held: PendingPoll | None = None
    _is_head = _is_receiving = False
    _received = 0
    _arrival: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    @classmethod
    def among(cls, crowd: ConnectionLimiter) -> "type[HttpConnection]":
        """Lines that are counted."""
        return type("LineAmong", (cls,), {"crowd": crowd})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.crowd is None or self.crowd.admit(self):
            self._await_more()
        else:
            transport.write(_FULL)
            self.hang_up()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._is_receiving:
            return
        self._received += len(data)
        if self._is_head and self._received >= _SO_MUCH:  # no browser says so much before it comes to the point
            self.hang_up()
        elif self._arrival is None or self._received >= _SO_MUCH:
            self._await_more()

    def _await_more(self) -> None:
        self._received = 0
        self._arrival = _instead(self._arrival, self.loop.call_later(RECEIVED, self._too_slow))

    def _too_slow(self) -> None:
        if self.flow.read_paused:  # it is the room that takes its time
            self._await_more()
        else:
            self.hang_up()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_head = self._is_receiving = True
        self._received = 0

    def on_headers_complete(self) -> None:
        self._is_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._is_receiving = False
        self._arrival = _instead(self._arrival)
        if self.cycle.response_complete:  # it was answered before all of it was there
            self._unset_keepalive_if_required()
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )
        elif self.crowd:
            self.crowd.busy(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.crowd and self.timeout_keep_alive_task:
            self.crowd.idle(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_taking()

    def _await_taking(self) -> None:
        self._taking = _instead(self._taking, self.loop.call_later(TAKEN, self.transport.abort))

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taking = _instead(self._taking)

    def timeout_keep_alive_handler(self) -> None:
        self.hang_up()

    def hang_up(self) -> None:
        """Closes the line, at the latest when the browser has not taken what was sent for a while."""
        self.transport.close()
        self._await_taking()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        polls = self.config.app
        if isinstance(polls, LongPoll) and app is self.config.loaded_app and not cycle.waiting_for_100_continue:
            held = _OnLine(self, cycle, app)
            if polls.hold(cast(Scope, cycle.scope), held):
                self.held = held
                return
        super()._start_asgi_task(cycle, app)

    def shutdown(self) -> None:
        """The room closes: who waits is told that there is nothing new, and asks it when it is open again."""
        super().shutdown()
        if held := self.held:
            held.leave()
            held.answer(is_news=False)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.held:
            self.held.leave()
            self.held = None
        if self.crowd:
            self.crowd.leave(self)
        self._arrival, self._taking = _instead(self._arrival), _instead(self._taking)
        super().connection_lost(exc)


def _instead(timer: asyncio.TimerHandle | None, new: asyncio.TimerHandle | None = None) -> asyncio.TimerHandle | None:
    """The new timer, if there is one, in place of this."""
    if timer:
        timer.cancel()
    return new


class _OnLine(PendingPoll):
    """A poll that waits on its line alone."""

    __slots__ = ("app", "cycle", "line")

    def __init__(self, line: HttpConnection, cycle: RequestResponseCycle, app: Any) -> None:
        self.line, self.cycle, self.app = line, cycle, app

    def answer(self, is_news: bool) -> None:
        line, cycle = self.line, self.cycle
        line.held = None
        if is_news:
            line._start_asgi_task(cycle, self.app)
            return
        more = b"".join(b"%s: %s\r\n" % header for header in cycle.default_headers)
        if not cycle.keep_alive:
            more += b"connection: close\r\n"
        line.transport.write(STATUS_LINE[204] + self.polls.headers_as_sent + more + b"\r\n")
        cycle.response_started = cycle.response_complete = True
        if not cycle.keep_alive:
            line.transport.close()
        cycle.on_response()
