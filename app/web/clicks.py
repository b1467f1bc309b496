"""What is clicked at a table, in a circle, at a tournament: a service with all that it is given but where and who."""

from collections.abc import Callable, Mapping
from typing import Concatenate

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.responses import Response

from app.services.context import AppContext, Given, Result, Service
from app.services.idempotent import idempotent
from app.services.players import players
from app.storage.writer import Transaction
from app.web.deps import UNKNOWN, FormDep, KeyDep, Visit, VisitDep, known
from snug.words import Message

Click = Callable[[AppContext, Transaction, str, int], object]
"""It is given the slug and the player when their form is done."""


Act = Callable[[Visit, Click, str | None], Response]
"""How a click is done at a place, once for a key, and what it answers with."""


def add_clicks(
    router: APIRouter,
    act: Act,
    once: Mapping[str, Callable[[FormData], Click]] = {},
    again: Mapping[str, Callable[[FormData], Click]] = {},
) -> None:
    """Takes forms, each at its address: those that are done `once`, however often they are sent, and those that do no
    more when they are done `again`. What is clicked is read out of the form."""
    for path, read in once.items():
        router.post(path)(_keyed(act, read))
    for path, read in again.items():
        router.post(path)(_unkeyed(act, read))


def _keyed(act: Act, read: Callable[[FormData], Click]) -> Callable[..., Response]:
    def take(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
        return act(visit, read(form), key)

    return take


def _unkeyed(act: Act, read: Callable[[FormData], Click]) -> Callable[..., Response]:
    def take(visit: VisitDep, form: FormDep) -> Response:
        return act(visit, read(form), None)

    return take


def bound(
    service: Callable[Concatenate[AppContext, Transaction, str, int, Given], object],
    /,
    *args: Given.args,
    **kwargs: Given.kwargs,
) -> Click:
    """The click that runs the service with these."""
    return lambda context, transaction, slug, player_id: service(context, transaction, slug, player_id, *args, **kwargs)


def do(visit: Visit, click: Click, key: str | None, *, unknown: Message = UNKNOWN) -> None:
    """Does a click where it was made, once for a `key`. Raises Forbidden with the sentence `unknown` for somebody whom
    the room does not know, and whatever the service raises."""
    player_id = known(visit.me, unknown).id
    visit.context.write(idempotent(click, player_id, key), visit.slug, player_id)


def at(slug: str, click: Click) -> Callable[[AppContext, Transaction, int], object]:
    """The click where it is done, whoever does it."""
    return lambda context, transaction, player_id: click(context, transaction, slug, player_id)


def by_newcomer(
    context: AppContext,
    transaction: Transaction,
    key: str | None,
    made: str,
    name: str,
    service: Service[[int], Result],
) -> tuple[Result, str]:
    """What a service gives for somebody whom the room does not know, done once for a `key`, and the guest's token,
    `made` for it: first a guest of this name is made."""
    player_id, token = players.welcome(context, transaction, name, made)
    return idempotent(service, player_id, key)(context, transaction, player_id), token


def by_anybody(
    context: AppContext,
    transaction: Transaction,
    player_id: int | None,
    key: str | None,
    made: str,
    name: str,
    service: Service[[int], Result],
    *,
    renames: bool = False,
) -> tuple[Result, str | None]:
    """The same for somebody whom the room may know: then there is no new token, and where a name `renames`, that is
    what they are called from now on."""
    if player_id is None:
        return by_newcomer(context, transaction, key, made, name, service)
    if renames and name:
        players.rename(context, transaction, player_id, name)
    return idempotent(service, player_id, key)(context, transaction, player_id), None
