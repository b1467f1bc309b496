"""Data as browsers send it: one ticked box of several is a single value, not a list of one."""

from functools import cache
from typing import Any

from msgspec import inspect

_type_info = cache(inspect.type_info)


def with_lists(raw: object, kind: type) -> Any:
    """Plain data with a single value made a list of one wherever `kind` has a list there."""
    return _fitted(raw, _type_info(kind))


def _fitted(raw: object, kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata():
            return _fitted(raw, kind.type)
        case inspect.UnionType():
            return _fitted(raw, _branch(raw, kind.types))
        case inspect.VarTupleType() | inspect.ListType():
            items = raw if isinstance(raw, list) else [raw]
            return [_fitted(item, kind.item_type) for item in items]
        case inspect.StructType() if isinstance(raw, dict):
            kinds = {field.encode_name: field.type for field in kind.fields}
            return {name: _fitted(value, kinds[name]) if name in kinds else value for name, value in raw.items()}
    return raw


def _branch(raw: object, kinds: tuple[inspect.Type, ...]) -> inspect.Type:
    """The kind of a union that the data means to be: the struct of its tag, else a list."""
    for kind in kinds:
        if isinstance(kind, inspect.StructType) and isinstance(raw, dict):
            if kind.tag_field and raw.get(kind.tag_field) == kind.tag:
                return kind
        elif isinstance(kind, inspect.VarTupleType | inspect.ListType):
            return kind
    return inspect.AnyType()
