"""A game's declared options as form fields, and a table's rules in words. No game is named here."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

import msgspec
from msgspec import inspect

from app.services.queries.table_page import TablePage
from snug.engine.game import Game, Options
from snug.words import Message, gettext, ngettext

_NUMBERS = (
    gettext("None"),
    gettext("One"),
    gettext("Two"),
    gettext("Three"),
    gettext("Four"),
    gettext("Five"),
    gettext("Six"),
    gettext("Seven"),
    gettext("Eight"),
    gettext("Nine"),
)
_MOST_TO_LIST = 20


class Field(msgspec.Struct, frozen=True):
    """One option as a form shows it. `kind` is "switch", "number" (from `low` to `high`) or "choice"; `is_fixed` when
    every table has it so."""

    name: str
    title: str
    meaning: str
    section: str
    kind: str
    value: Any
    default: Any
    low: int = 0
    high: int = 0
    choices: tuple[tuple[str, str], ...] = ()
    is_fixed: bool = False

    @property
    def words(self) -> str:
        """The value as a player reads it."""
        if self.kind == "switch":
            return gettext("On") if self.value else gettext("Off")
        return dict(self.choices).get(str(self.value), _in_words(self.value))

    @property
    def is_default(self) -> bool:
        """Whether the value is the game's own."""
        return bool(self.value == self.default)


def fields_of(game: Game[Any], values: Mapping[str, Any], seats: int | None = None) -> tuple[Field, ...]:
    """A game's options with `values` filled in; a seat option offers the seats of the table."""
    kinds = inspect.type_info(game.options)
    assert isinstance(kinds, inspect.StructType)
    return tuple(_fields(kinds, values, seats or game.seats[1]))


def _fields(kinds: inspect.StructType, values: Mapping[str, Any], seats: int) -> Iterator[Field]:
    for declared in kinds.fields:
        meta = declared.type
        assert isinstance(meta, inspect.Metadata)
        schema, extra = meta.extra_json_schema or {}, meta.extra or {}
        if extra.get("hidden"):
            continue
        field = Field(
            name=declared.name,
            title=gettext(schema["title"]),
            meaning=gettext(schema["description"]),
            section=extra["section"],
            kind="choice",
            value=values.get(declared.name, declared.default),
            default=declared.default,
            is_fixed=bool(extra.get("fixed")),
        )
        match meta.type:
            case inspect.BoolType():
                yield msgspec.structs.replace(field, kind="switch")
            case inspect.IntType(ge=int(low), le=int(high)) if high - low > _MOST_TO_LIST:
                yield msgspec.structs.replace(field, kind="number", low=low, high=high)
            case kind:
                choices = tuple(_choices(kind, extra, seats))
                if not choices:
                    raise TypeError(f"no form field for the option {declared.name}")
                yield msgspec.structs.replace(field, choices=choices)


def _choices(kind: inspect.Type, extra: Mapping[str, Any], seats: int) -> Iterator[tuple[str, str]]:
    words = extra.get("words", {})
    match kind:
        case inspect.Metadata():
            yield from _choices(kind.type, extra, seats)
        case inspect.UnionType(types=kinds):
            for each in sorted(kinds, key=lambda each: not isinstance(each, inspect.LiteralType)):
                yield from _choices(each, extra, seats)
        case inspect.LiteralType(values=values):
            ordered = sorted(values, key=list(words).index) if words else values
            yield from ((str(value), words.get(value, str(value))) for value in ordered)
        case inspect.IntType(ge=int(low), le=int(high)):
            is_seat = bool(extra.get("seat"))
            for number in range(low, (min(high, seats) if is_seat else high) + 1):
                yield str(number), gettext("Seat %(number)s", number=number) if is_seat else _in_words(number)


def _in_words(value: Any) -> str:
    return _NUMBERS[value] if isinstance(value, int) and 0 <= value < len(_NUMBERS) else str(value)


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
    """About how long friends take for a match with these rules: the game's own figure, which is that of its quick
    rules, by the number of rounds."""
    usual = getattr(game.options(), "rounds", 1)
    quick = next((preset.options for preset in game.presets[1:]), {}).get("rounds", usual)
    minutes: float = game.minutes * getattr(options, "rounds", quick) / quick
    return max(5, 5 * round(minutes / 5))


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
