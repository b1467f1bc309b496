"""Moves as forms send them."""

from typing import Any

from app.engine.game import Move, plain

Fields = tuple[tuple[str, Any], ...]


def move_fields(move: Move) -> Fields:
    """A move as the fields of a form: `to.meld` is a part of a part, a list has its name once for each text in it."""
    return tuple(_fields("", plain(move)))


def _fields(name: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        inner = [(f"{name}.{key}" if name else key, part) for key, part in value.items()]
    elif isinstance(value, tuple | list):
        inner = [(f"{name}.{at}" if isinstance(part, dict) else name, part) for at, part in enumerate(value)]
    else:
        return [] if value is None else [(name, value)]
    return [field for key, part in inner for field in _fields(key, part)]
