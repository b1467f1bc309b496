"""`/metrics`: what the process has counted, in the format of Prometheus, for whoever measures the room. It is told on
this machine, and to who has the token; nothing of it is of a table or a person."""

import hmac
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.quotas import count_open
from app.settings import HERE
from app.storage.counts import UP_TO, Times, counts
from app.web.deps import ContextDep
from app.web.keeper_door import NOBODY, is_here
from app.web.middleware.request_log import Noted

router = APIRouter()


@router.get("/metrics")
def show(request: Request, context: ContextDep) -> Response:
    """Everything that is counted. Raises NotFound for who may not read it."""
    if not _may_read(request):
        raise NotFound(NOBODY)
    client: Any = import_module("prometheus_client")
    registry = client.CollectorRegistry(auto_describe=False)
    registry.register(_Counted(context))
    return PlainTextResponse(client.generate_latest(registry), media_type=client.CONTENT_TYPE_LATEST)


def _may_read(request: Request) -> bool:
    wanted: str = request.app.state.settings.metrics
    if not counts.wanted:
        return False
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    has_token = wanted != HERE and hmac.compare_digest(given.encode(), wanted.encode())
    return has_token or is_here(request)


class _Counted:
    """The collector: the counts as the library's families."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    def collect(self) -> Iterator[Any]:
        """What is counted now."""
        core: Any = import_module("prometheus_client.core")
        for name, about, number in (
            ("snug_moves", "Moves that were committed, of people, bots and the dealer", counts.moves),
            ("snug_commits", "Transactions, or groups of them, that were committed", counts.commits),
            ("snug_thrown_back", "Transactions, or groups of them, that were undone", counts.thrown_back),
        ):
            yield core.CounterMetricFamily(name, about, value=number)
        answers = core.CounterMetricFamily("snug_answers", "Requests by kind and status", labels=("kind", "status"))
        for (kind, status), number in list(counts.answers.items()):
            answers.add_metric((kind, str(status)), number)
        yield answers
        took = core.HistogramMetricFamily("snug_answer_seconds", "Until a request was answered", labels=("kind",))
        for kind, times in list(counts.took.items()):
            took.add_metric((kind,), list(_buckets(times)), times.sum)
        yield took
        late = core.HistogramMetricFamily("snug_late_seconds", "How late bots and clocks were attended")
        late.add_metric((), list(_buckets(counts.late)), counts.late.sum)
        yield late
        held = self._context.pubsub.waiting
        yield core.GaugeMetricFamily("snug_polls_held", "Pages that wait for news", value=held)
        with self._context.database.reading() as connection:
            number = count_open(self._context, connection)
        yield core.GaugeMetricFamily("snug_tables_open", "Tables that are not over, a minute old at most", value=number)


def _buckets(times: Times) -> Iterable[tuple[str, float]]:
    total = 0
    for step, number in zip((*map(str, UP_TO), "+Inf"), times.numbers, strict=True):
        total += number
        yield step, total


def kind_of(scope: Scope) -> str:
    """What kind of request it is, by the end of its address."""
    path, is_read = scope["path"], scope["method"] in ("GET", "HEAD")
    if path.startswith("/static/"):
        return "file"
    if path in ("/livez", "/readyz", "/healthz", "/metrics"):
        return "health"
    if is_read:
        return "poll" if path.endswith("/live") else "page"
    return "move" if path.endswith("/moves") else "form"


class Measured(Noted):
    """Counts what an application answers, and how long it took."""

    def note(self, scope: Scope, status: int, seconds: float) -> None:
        """Counts it; what was not answered is a failure."""
        counts.answered(kind_of(scope), status or 500, seconds)
