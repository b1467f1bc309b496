"""A browser's connection as uvicorn serves it, but that a poll which waits is no task: just its place among those who
wait, and a timer. Whatever is no such poll, or comes through another server, is answered as everywhere."""

from typing import Any, cast

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from app.web.middleware.long_poll import Held, LongPoll


class Line(HttpToolsProtocol):
    """For an application whose outermost door is the poll."""

    held: Held | None = None

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
        super().connection_lost(exc)


class _OnLine(Held):
    """A poll that waits on its line alone."""

    __slots__ = ("app", "cycle", "line")

    def __init__(self, line: Line, cycle: RequestResponseCycle, app: Any) -> None:
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
