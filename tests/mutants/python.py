"""Small bugs in Python, found in its syntax tree and made in its text, each within a line."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from tests.mutants.change import Change

_COMPARISONS: Final = {
    ast.Lt: (r"<", "<="),
    ast.LtE: (r"<=", "<"),
    ast.Gt: (r">", ">="),
    ast.GtE: (r">=", ">"),
    ast.Eq: (r"==", "!="),
    ast.NotEq: (r"!=", "=="),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
}
_SIGNS: Final = {ast.Add: (r"\+", "-"), ast.Sub: (r"-", "+")}
_WORDS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_GUARDS: Final = (ast.Raise, ast.Return, ast.Continue)
_TOLD: Final = ("_log.", "print", "warnings.")
"""What only tells the operator or the maker something."""
_WITHOUT_EFFECT: Final = ("dataclass", "lru_cache", "cache", "Field", "deque", "zip", "LRU", "TypeVar", "String")
"""Whose numbers and flags keep programmers from mistakes, make things quicker or tell of columns that migrations make,
and do nothing else."""


def changes(source: str) -> Iterator[Change]:
    """Every small bug of a module."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    yield from finder.found


class _Finder(ast.NodeVisitor):
    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")
        self.found: list[Change] = []

    # What is passed over: nothing that anybody could notice depends on it.

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Words; and this version of Python tells their places wrong."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_types(node.annotation)
        for part in (node.target, node.value):
            if part:
                self.visit(part)

    def visit_arg(self, node: ast.arg) -> None:
        if node.annotation:
            self._visit_types(node.annotation)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Frozen, by what name: flags of a class keep programmers from mistakes."""
        for part in node.body:
            self.visit(part)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name not in ("__repr__", "__str__"):  # what a debugger shows
            for part in (*node.decorator_list, node.args, *node.body):
                self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def _visit_types(self, annotation: ast.expr) -> None:
        """Types are for the checker; what they are annotated with does something."""
        for part in ast.walk(annotation):
            if isinstance(part, ast.Call):
                self.visit(part)

    # The bugs.

    def visit_Compare(self, node: ast.Compare) -> None:
        left = node.left
        for sign, right in zip(node.ops, node.comparators, strict=True):
            self._between("comparison", left, right, *_COMPARISONS[type(sign)])
            left = right
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        words = (r"\band\b", "or") if isinstance(node.op, ast.And) else (r"\bor\b", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between("and-or", left, right, *words)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if signs := _SIGNS.get(type(node.op)):
            self._between("sign", node.left, node.right, *signs)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace("condition", node, self._text(node.operand))
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'"):
            return
        if len(node.body) == 1 and isinstance(node.body[0], _GUARDS) and not node.orelse:
            self._replace("guard", node.test, "False")
        self._turn(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._turn(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._turn(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._turn(test)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        called = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(called, ast.Call) and not ast.unparse(called.func).startswith(_TOLD):
            self._replace("call", node.value, "pass")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func)
        if name.startswith(_TOLD) or name.rpartition(".")[2] in _WITHOUT_EFFECT:
            return
        if name in _WORDS and len(node.args) + len(node.keywords) > 0:
            self._replace("word", node.func, _WORDS[name])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace("flag", node, str(not node.value))
        elif isinstance(node.value, int):
            self._replace("number", node, str(node.value + 1))
        elif isinstance(node.value, float):
            self._replace("number", node, repr(node.value * 2 or 1.0))

    def _turn(self, test: ast.expr) -> None:
        if not isinstance(test, ast.UnaryOp):
            self._replace("condition", test, f"not ({self._text(test)})")

    def _between(self, kind: str, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        line = right.lineno - 1
        start = self._column(line, left.end_col_offset or 0) if left.end_lineno == right.lineno else 0
        stop = self._column(line, right.col_offset)
        if match := re.compile(old).search(self.lines[line], start, stop):
            self.found.append(Change(kind, line, *match.span(), new))

    def _replace(self, kind: str, node: ast.expr, text: str) -> None:
        if node.end_lineno == node.lineno and node.end_col_offset:
            line = node.lineno - 1
            start, end = (self._column(line, offset) for offset in (node.col_offset, node.end_col_offset))
            self.found.append(Change(kind, line, start, end, text))

    def _text(self, node: ast.expr) -> str:
        if node.end_lineno != node.lineno:
            return ""
        line = node.lineno - 1
        return self.lines[line].encode()[node.col_offset : node.end_col_offset].decode()

    def _column(self, line: int, offset: int) -> int:
        """The tree counts bytes."""
        return len(self.lines[line].encode()[:offset].decode())
