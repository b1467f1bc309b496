"""A posted move as plain data: repeated fields are lists, dotted names nest, numbered ones make lists."""

from typing import Any

from starlette.datastructures import FormData

_DEEPEST = 4
_Tree = dict[str, Any]


def move_of(form: FormData) -> _Tree:
    """The fields of a move by the names of the rules: `card=7H&card=8H` is a list, `to.meld=2` a part of `to`,
    `melds.0.kind=set` a part of the first of `melds`. What was left empty is left out."""
    tree: _Tree = {}
    for name, value in form.multi_items():
        if isinstance(value, str) and value and name != "seen":
            _put(tree, name, value)
    return {name: _with_lists(value) for name, value in tree.items()}


def _put(tree: _Tree, name: str, value: str) -> None:
    *path, last = name.split(".", _DEEPEST)
    place = tree
    for part in path:
        inner = place.setdefault(part, {})
        if not isinstance(inner, dict):  # `to=1&to.meld=2` means nothing: the rules will refuse the odd name
            place, last = tree, name
            break
        place = inner
    known = place.get(last)
    if isinstance(known, list):
        known.append(value)
    else:
        place[last] = value if known is None else [known, value]


def _with_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {key: _with_lists(part) for key, part in value.items()}
    if all(key.isdecimal() and key.isascii() and len(key) < 4 for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner
