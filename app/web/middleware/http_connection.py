"""A browser's connection as uvicorn serves it, but that a poll which waits is no task: just its place among those who
wait, and a timer; and that what the fast path answers is written in one piece. Whatever else comes, or comes through
another server, is answered as everywhere.

Nobody may take his time over a request, nor over the answer: with a few bytes a minute anybody could hold all the
connections there are.
"""

import asyncio
from typing import Any, Final, cast

from starlette.responses import Response
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from app.web.middleware.connection_limit import ConnectionLimiter
from app.web.middleware.fast_path import FastPath
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
        if not isinstance(polls, LongPoll) or app is not self.config.loaded_app or cycle.waiting_for_100_continue:
            super()._start_asgi_task(cycle, app)
            return
        scope, path = cast(Scope, cycle.scope), polls.behind
        held = _OnLine(self, cycle, app)
        if polls.hold(scope, held):
            self.held = held
            return
        if not isinstance(path, FastPath) or self.flow.write_paused:  # then somebody has to wait until it is taken
            super()._start_asgi_task(cycle, app)
        elif (wanted := path.wanted(scope, is_direct=True)) == "live":
            self.loop.call_soon(self._show, path, cycle, app)
        elif wanted:
            task = self.loop.create_task(self._move(path, cycle, app))
            task.add_done_callback(self.tasks.discard)
            self.tasks.add(task)
        else:
            super()._start_asgi_task(cycle, app)

    def _show(self, path: FastPath, cycle: RequestResponseCycle, app: Any) -> None:
        if cycle.disconnected:
            return
        if response := path.live(cast(Scope, cycle.scope)):
            self._send(cycle, response)
        else:
            super()._start_asgi_task(cycle, app)

    async def _move(self, path: FastPath, cycle: RequestResponseCycle, app: Any) -> None:
        while cycle.more_body and not cycle.disconnected:
            await cycle.message_event.wait()
            cycle.message_event.clear()
        cycle.message_event.set()  # for whoever reads it once more
        response = None if cycle.disconnected else await path.move(cast(Scope, cycle.scope), bytes(cycle.body))
        if response is None:
            await cycle.run_asgi(app)
        elif not cycle.disconnected:
            self._send(cycle, response)

    def _send(self, cycle: RequestResponseCycle, response: Response) -> None:
        head = b"".join([b"%s: %s\r\n" % header for header in response.raw_headers])
        self.write(cycle, response.status_code, head, bytes(response.body))

    def write(self, cycle: RequestResponseCycle, status: int, head: bytes, body: bytes = b"") -> None:
        """Writes a whole answer, whose headers are there as they are sent."""
        more = b"".join([b"%s: %s\r\n" % header for header in cycle.default_headers])
        if not cycle.keep_alive:
            more += b"connection: close\r\n"
        self.transport.write(b"".join((STATUS_LINE[status], more, head, b"\r\n", body)))
        cycle.response_started = cycle.response_complete = True
        if not cycle.keep_alive:
            self.transport.close()
        cycle.on_response()

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
        else:
            line.write(cycle, 204, self.polls.headers_as_sent)
