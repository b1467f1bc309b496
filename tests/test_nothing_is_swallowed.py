"""Whoever catches what he does not know tells it: he raises it on, logs it with where it came from, or hands it on."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import snug
from app.paths import APP

_ANYTHING = {"Exception", "BaseException"}


def _is_anything(kind: ast.expr | None) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(one is None or (isinstance(one, ast.Name) and one.id in _ANYTHING) for one in kinds)


def _tells(handler: ast.ExceptHandler) -> bool:
    within = [node for statement in handler.body for node in ast.walk(statement)]
    return any(
        isinstance(node, ast.Raise)
        or (isinstance(node, ast.Name) and node.id == handler.name)
        or (isinstance(node, ast.Attribute) and node.attr == "exception")
        for node in within
    )


def swallowed(source: str) -> Iterator[int]:
    """The lines in which anything may be caught without a word."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler) and _is_anything(node.type) and not _tells(node):
            yield node.lineno
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            yield from (kind.lineno for kind in node.args if _is_anything(kind))


@pytest.mark.dear(1.5, "every file is parsed")
def test_nobody_swallows_what_he_does_not_know() -> None:
    files = [*APP.rglob("*.py"), *Path(snug.__file__).parent.rglob("*.py")]
    found = {str(path): [*swallowed(path.read_text(encoding="utf-8"))] for path in files}
    assert not {path: lines for path, lines in found.items() if lines}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("try: f()\nexcept Exception: pass", [2]),
        ("try: f()\nexcept: pass", [2]),
        ("try: f()\nexcept (OSError, BaseException) as error: g()", [2]),
        ("with suppress(KeyError, Exception): f()", [1]),
        ("with contextlib.suppress(Exception): f()", [1]),
        ("try: f()\nexcept Exception: _log.exception('what was done')", []),
        ("try: f()\nexcept Exception as error: future.set_exception(error)", []),
        ("try: f()\nexcept Exception:\n  g()\n  raise", []),
        ("try: f()\nexcept OSError: pass", []),
    ],
)
def test_what_is_swallowed_is_found(body: str, found: list[int]) -> None:
    assert list(swallowed(body)) == found
