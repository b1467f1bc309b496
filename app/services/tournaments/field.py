"""What an organiser says of the field: its order, and who is to sit apart or together."""

import re
from collections.abc import Sequence
from typing import get_args

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.tournaments.log import organised
from app.storage.writer import Transaction
from snug.tournament.events import Seeded, Wished
from snug.tournament.state import Tournament

_NUMBERED = re.compile(r"\d+\s*[.):]?\s+")


def put_in_order(context: AppContext, transaction: Transaction, slug: str, player_id: int, typed: str) -> None:
    """The organiser names the field, best first, one a line; nobody: the lot decides. Raises Forbidden and Refused."""
    held = organised(context, transaction, slug, player_id)
    held.put(Seeded(tuple(_known(held.now, line) for line in typed.splitlines() if line.strip())), player_id)


def wish(
    context: AppContext,
    transaction: Transaction,
    slug: str,
    player_id: int,
    numbers: Sequence[int],
    typed: str,
    what: str,
) -> None:
    """The organiser wants the entries of these numbers, and whom else these names between commas name, `apart` or
    `together`, or `none` of it any more. Raises Forbidden and Refused."""
    held = organised(context, transaction, slug, player_id)
    if what not in get_args(Wished.__annotations__["wish"]):
        raise Refused("BAD_WISH", "Choose whether they sit apart or together.")
    names = (name for name in typed.replace("\n", ",").split(",") if name.strip())
    event = Wished((*numbers, *(_known(held.now, name) for name in names)), what)  # type: ignore[arg-type] # it was looked at
    held.put(event, player_id)


def _known(tournament: Tournament, line: str) -> int:
    number = named(tournament, line) or named(tournament, _NUMBERED.sub("", line.strip(), count=1))
    if number is None:
        raise Refused("BAD_NAME", "Nobody of the name “%(name)s” is on the list.", name=line.strip()[:64])
    return number


def named(tournament: Tournament, name: str, *, reserves: bool = True) -> int | None:
    """The entry of this name among those who are in or, unless told otherwise, stand by; None if there is none."""
    wanted = " ".join(name.split()).casefold()
    listed = (entry for entry in tournament.entries if entry.active or (reserves and entry.status == "reserve"))
    return next((entry.number for entry in listed if entry.name.casefold() == wanted), None)
