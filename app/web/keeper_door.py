"""Who may see what only whoever keeps the room may: who sits at this machine, or came by a link that the command made.

A proxy may stand on this machine, too, and hand on what strangers ask: where a request bears any sign of one, or is not
for this machine by name, or the room has an address of its own for the world, being here counts for nothing.
"""

import hmac
from ipaddress import ip_address
from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.house import house_of
from app.services.players.players import hash_of
from app.web.deps import ContextDep
from snug.words import gettext

COOKIE: Final = "snug-keeper"
NOBODY: Final = gettext("There is nothing at this address but brooms. Perhaps a letter of the link got lost?")
_SIGNS: Final = ("x-forwarded-", "forwarded", "x-real-", "via", "cf-", "true-client-ip", "x-client-ip")


def is_here(request: Request) -> bool:
    """Whether a request was made on this machine, to this machine, by nobody in between."""
    headers = request.headers
    if request.client is None or any(name.startswith(_SIGNS) for name in headers):
        return False
    return _is_this_machine(request.client.host) and _is_this_machine(
        urlsplit(f"//{headers.get('host', '')}").hostname or ""
    )


def _is_this_machine(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def link_works(context: AppContext, token: str) -> bool:
    """Whether this is the keeper's link that the command made last, and it has not ended."""
    if not token:
        return False
    with context.database.reading() as connection:
        house = house_of(context, connection)
    is_it = house.link_hash is not None and hmac.compare_digest(house.link_hash, hash_of(context, token))
    return is_it and context.now() < (house.link_until or 0.0)


def let_in(request: Request, context: ContextDep) -> AppContext:
    """The context, for the keeper. Raises NotFound for anybody else."""
    public_url: str = request.app.state.settings.public_url
    is_private = not public_url or _is_this_machine(urlsplit(public_url).hostname or "")
    if (is_private and is_here(request)) or link_works(context, request.cookies.get(COOKIE, "")):
        return context
    raise NotFound(NOBODY)


KeeperDep = Annotated[AppContext, Depends(let_in)]
