"""Options and moves as records and forms send them, read and checked."""

import re
from collections.abc import Mapping
from typing import Any, cast

from snug.declared import Unreadable, field_of, marked, read
from snug.engine.game.game import BadSetup, Game, card_from, convert
from snug.engine.game.moves import InvalidMove, Move
from snug.engine.wording import in_words
from snug.words import gettext

_LONGEST_NAME = 40
_MISSING = re.compile("missing required field `([a-z]+)`")


def read_options(game: Game[Any], seats: int, raw: Mapping[str, Any], *, strict: bool = True) -> Any:
    """Checked options of `game` for a table of `seats`; what is left out has its default. Raises BadSetup."""
    low, high = game.seats
    if not low <= seats <= high:
        raise BadSetup(
            "BAD_SEATS",
            f"{game.name} is for {low} to {high} players, not {seats}",
            "%(game)s is for %(low)s to %(high)s players, not %(seats)s.",
            game=game.name,
            low=low,
            high=high,
            seats=seats,
        )
    try:
        options = read(game.options, raw, seats, strict=strict, hook=card_from)
    except Unreadable as error:
        unknown = gettext("%(game)s has no option “%(name)s”.", game=game.name, name=error.field[:_LONGEST_NAME])
        raise BadSetup("BAD_OPTION", f"options: {error}", unknown if error.is_no_such else error.sentence) from error
    game.check_options(options, seats)
    for name in marked(game.options, "seat"):
        if isinstance(seat := getattr(options, name), int) and seat > seats:
            raise BadSetup(
                "BAD_OPTION",
                f"options: {name} is seat {seat} of {seats}",
                "%(option)s: at a table of %(seats)s there is no seat %(seat)s.",
                option=field_of(game.options, name, seat, seats).title,
                seats=seats,
                seat=seat,
            )
    return options


def read_move(game: Game[Any], raw: Mapping[str, Any], *, strict: bool = True) -> Move:
    """The move written as `{"move": verb, parameter: value, …}`. Raises InvalidMove."""
    try:
        return cast(Move, convert(raw, game.moves, strict=strict))
    except ValueError as error:
        missing = _MISSING.search(str(error))
        why = gettext("choose the %(part)s first", part=missing[1]) if missing else in_words(error)
        raise InvalidMove("BAD_MOVE", "This is not a move of %(game)s: %(why)s", game=game.name, why=why) from error
