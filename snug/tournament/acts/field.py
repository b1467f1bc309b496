"""What the organiser says of the field: its order, and who is to sit apart or together."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from snug.tournament import events as log
from snug.tournament.meetings import pairs
from snug.tournament.state import EventRefused, Tournament

MOST_IN_A_WISH: Final = 16


def seeded(tournament: Tournament, event: log.Seeded) -> Tournament:
    """The field is in this order until the first stage has begun, or in none. Raises EventRefused."""
    if tournament.stages:
        raise EventRefused("BEGUN", "The tournament has begun: the order of the field stays as it is.")
    if event.entries and not tournament.plan.goes_by_order:
        raise EventRefused("NO_ORDER", "In this format nothing goes by an order of the field.")
    _check_named(tournament, event.entries)
    if event.entries == tournament.seeds:
        raise EventRefused("ALREADY_SO", "That is so already.")
    return replace(tournament, seeds=event.entries)


def wished(tournament: Tournament, event: log.Wished) -> Tournament:
    """Each two of these are to sit apart or together from the next stage on, or as it comes. Raises EventRefused."""
    if tournament.plan.format == "series":
        raise EventRefused("ONE_TABLE", "A series has one table: everybody sits together.")
    if not 2 <= len(event.entries) <= MOST_IN_A_WISH:
        raise EventRefused("BAD_WISH", "A wish is about 2 to %(count)s people.", count=MOST_IN_A_WISH)
    _check_named(tournament, event.entries, gone=event.wish == "none")
    wishes = dict(tournament.wishes)
    for pair in pairs(event.entries):
        one, other = map(tournament.entry, pair)
        if event.wish == "together" and one.team and one.team == other.team:
            raise EventRefused(
                "TEAM_MATES",
                "%(name)s and %(other)s are team mates, who sit at different tables.",
                name=one.name,
                other=other.name,
            )
        if event.wish == "none":
            wishes.pop(pair, None)
        else:
            wishes[pair] = event.wish
    if wishes == tournament.wishes:
        raise EventRefused("ALREADY_SO", "That is so already.")
    return replace(tournament, wishes=wishes)


def _check_named(tournament: Tournament, numbers: Sequence[int], *, gone: bool = False) -> None:
    """Raises EventRefused unless each is on the list, or has been if they may be `gone`, and is named once."""
    named = set[int]()
    for number in numbers:
        entry = tournament.entry(number)
        if not gone and entry.status not in ("in", "bot", "reserve"):
            raise EventRefused("NOT_IN", "%(name)s is not in the tournament any more.", name=entry.name)
        if number in named:
            raise EventRefused("TWICE", "%(name)s is there twice.", name=entry.name)
        named.add(number)
