"""Fields of the same name in a game's state, its views and its positions, written down once."""

from functools import cache
from typing import Any, TypeVar

import msgspec

StructT = TypeVar("StructT", bound=msgspec.Struct)


def like(kind: type[StructT], source: msgspec.Struct, **own: Any) -> StructT:
    """A `kind` whose fields are those of the source by the same name, but for its `own`: a state that looks like a
    view, or is what a position says."""
    for name in _shared(kind, source.__struct_fields__, tuple(own)):
        own[name] = getattr(source, name)
    return kind(**own)


@cache  # worlds are made by the thousand
def _shared(kind: type[msgspec.Struct], given: tuple[str, ...], own: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_fields__ if name in given and name not in own)


def as_position(kind: type[msgspec.Struct], state: object, **own: Any) -> dict[str, Any]:
    """The state in the keys of a position, which `kind` declares, and in their order: each the field of that name, but
    for what the position has of its `own`."""
    keys = zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True)
    return {key: own[name] if name in own else getattr(state, name) for key, name in keys}


def check_seats(seats: int, **named: int | None) -> None:
    """Raises ValueError where a key of a position names a seat that is not at this table."""
    for key, seat in named.items():
        if seat is not None and not 1 <= seat <= seats:
            raise ValueError(f"{key}: there is no seat {seat} at a table of {seats}")
