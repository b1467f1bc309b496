"""A game's declared options as form fields, and a table's rules in words. No game is named here."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

import msgspec

from app.services.queries.table_page import TablePage
from snug import declared
from snug.declared import Field
from snug.engine.game import Game, Options
from snug.words import Message, gettext, ngettext


def fields_of(game: Game[Any], values: Mapping[str, Any], seats: int | None = None) -> tuple[Field, ...]:
    """A game's options with `values` filled in; a seat option offers the seats of the table."""
    return declared.fields_of(game.options, values, seats or game.seats[1])


def packs_by_players(game: Game[Any]) -> tuple[tuple[int, int, int], ...]:
    """With how many packs a game is played as it is: each from so many players to so many."""
    usual, (low, high) = game.options(), game.seats
    groups = groupby(range(low, high + 1), lambda seats: game.packs(usual, seats))
    return tuple((players[0], players[-1], packs) for packs, of_packs in groups if (players := list(of_packs)))


@lru_cache(1000)
def fields_at_table(game: Game[Any], options: Options, seats: int) -> tuple[Field, ...]:
    """The rules of a table of so many seats, in the order in which the game declares them."""
    return fields_of(game, msgspec.structs.asdict(options), seats)


def minutes_of(game: Game[Any], options: Options) -> int:
    """About how long friends take for a match with these rules, in steps of five."""
    return max(5, 5 * round(game.minutes_with(options) / 5))


def invitation(page: TablePage) -> Message:
    """What one is invited to at a table, in a line: how much of the game, how long, how it goes."""
    minutes, rounds = minutes_of(page.game, page.options), getattr(page.options, "rounds", None)
    about = ngettext("about %(count)s minute", "about %(count)s minutes", minutes)
    if minutes >= 90:
        about = ngettext("about %(count)s hour", "about %(count)s hours", round(minutes / 60))
    length = (
        about if rounds is None else gettext("%(rounds)s, %(about)s", rounds=page.game.round_count(rounds), about=about)
    )
    return gettext("%(length)s. %(summary)s", length=length, summary=page.game.summary)
