"""The sentences of the room for translators, and whether one escapes them.

python scripts/words.py check               names every sentence that is not marked
python scripts/words.py extract > snug.pot  writes the catalogue that translations start from
"""

import ast
import json
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po
from jinja2 import Environment, nodes

ROOT = Path(__file__).parent.parent
_SECOND = {"or_not_found", "EventRefused", "IllegalMove", "InvalidMove", "PlanRefused", "Refused", "RefusedMove"}
_FIRST = {"gettext", "gettext_noop", "described", "html", "word", "NotFound", "Forbidden", "Conflict", "TooOften"}
_FIRST_TWO = {"ngettext", "Plural", "html_of_several"}
_AFTER_CONTEXT = {"pgettext", "html_in_context"}
KEYWORDS: dict[str, Any] = {
    **dict.fromkeys(_FIRST | {"_", "N_"}),
    **dict.fromkeys(_FIRST_TWO, (1, 2)),
    **dict.fromkeys(_AFTER_CONTEXT, ((1, "c"), 2)),
    **dict.fromkeys(_SECOND, (2,)),
    "BadSetup": (3,),
    "option": (2,),
    "Activity": (1,),
}
# A second text, which Babel would take for the plural of the first.
_MEANINGS: dict[str, Any] = {"option": (3,), "Activity": (2,)}
_FOR_MACHINES = {
    "ValueError",
    "TypeError",
    "RuntimeError",
    "AssertionError",
    "KeyError",
    "ImportError",
    "MalformedRecord",
    "BadSettings",
    "Broken",
    "NoThought",
    "compile",
    "text",
    "write",
    "writeline",
}
_SPEAK = ("snug", "app/services", "app/web")
_OF_RECORDS = {"record.py", "decoding.py", "position.py", "chance.py"}  # what is said of records stays English
_FOR_MAKERS = {
    ROOT / "snug/testing",
    ROOT / "app/testing.py",
    ROOT / "app/web/drawing.py",
    ROOT / "app/web/metrics.py",
    ROOT / "app/services/readiness.py",
}  # nobody else reads them
_PROMISES = "app/web/pages/promises.json"
_SENTENCE = re.compile(r"[A-Za-z’']{2,},? [a-z]{2,}")
_TAG = re.compile(r"<[^>]*>")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_READ_ALOUD = {"aria-label", "title", "placeholder", "alt", "label"}
_SILENT = {"script", "style"}
_KEPT = ROOT / "scripts/words_kept.txt"
_HOLES = re.compile(r"%\(\w+\)s")
_HOLE = "\x00"  # where a template puts something
_ADDRESSES = {"back", "body_class", "game", "main_class", "main_id"}  # blocks of templates that hold no words


class Extracted(NamedTuple):
    """A marked sentence where it stands: the text, or singular and plural; its context; file and line."""

    text: str | tuple[str, ...]
    context: str | None
    where: tuple[str, int]
    comments: list[str]


def python_escapes(path: Path, known: Collection[str] | None) -> Iterator[tuple[int, str]]:
    """Line and text of every sentence in a module that nobody can translate: it is not marked, or translators do not
    get it all the same, as what stands in a tuple within another marked call. They get what is `known`; None: nothing,
    nor need they."""
    tree = ast.parse(path.read_text())
    free: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            free.update(id(line.value) for line in body if isinstance(line, ast.Expr))
        if isinstance(node, ast.Call):
            marked = _arguments_for_translators(node)
            free.update(map(id, marked))
            if known is not None and _name(node) in _FIRST | _FIRST_TWO:
                texts = [(one.lineno, str(one.value)) for one in marked if isinstance(one, ast.Constant) and one.value]
                yield from ((line, text) for line, text in texts if text not in known)
            if _name(node) in _FOR_MACHINES or _is_log(node):
                free.update(id(part) for part in ast.walk(node))
        if isinstance(node, ast.Assert) and node.msg:
            free.update(id(part) for part in ast.walk(node.msg))
    for node in ast.walk(tree):
        if id(node) in free:
            continue
        if isinstance(node, ast.JoinedStr):
            words = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
            free.update(id(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value
        else:
            continue
        if _SENTENCE.search(_TAG.sub("", words)):
            yield node.lineno, words


def _arguments_for_translators(call: ast.Call) -> list[ast.expr]:
    """The texts of a call that are found by Babel; the reason of a BadSetup is for records."""
    name = _name(call)
    if name in _FIRST:
        places = call.args[:1]
    elif name in _FIRST_TWO | _AFTER_CONTEXT or name == "Activity":
        places = call.args[:2]
    elif name in _SECOND:
        places = call.args[1:2]
    elif name == "option":
        places = call.args[1:3]
    elif name == "BadSetup":
        return [part for reason in call.args[1:2] for part in ast.walk(reason)] + call.args[2:3]  # type: ignore[return-value]
    else:
        return []
    return [place for place in places if isinstance(place, ast.Constant)]


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _is_log(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "_log"
    )


class _Reader(HTMLParser):
    """Finds what a reader of a page would read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT
        given = dict(attrs)
        for name, value in attrs:
            if name in _READ_ALOUD or (tag == "meta" and name == "content" and given.get("name") == "description"):
                self._look(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._look(data)

    def _look(self, text: str) -> None:
        if _LETTERS.search(text.replace("Snug", "").replace("https://", "")):
            self.found.append((self.getpos()[0], text.replace(_HOLE, "…").strip()))


def template_escapes(path: Path, environment: Environment) -> Iterator[tuple[int, str]]:
    """Line and text of every sentence that a template writes by itself."""
    source, page, inside, block = path.read_text(), "", False, ""
    before = ""
    for _line, kind, value in environment.lex(source):
        if kind == "name":
            block = value if before == "block" else "" if value == "endblock" else block
            before = value
        if kind == "data" and not inside and block not in _ADDRESSES:
            page += value
        else:
            page += "\n" * value.count("\n")
        if kind == "name" and value in ("trans", "endtrans"):
            inside = value == "trans"
        if kind in ("variable_end", "block_end"):
            page += f" {_HOLE}" if page.endswith(tuple("abcdefghijklmnopqrstuvwxyz")) and _in_tag(page) else _HOLE
    reader = _Reader()
    reader.feed(page)
    reader.close()
    yield from reader.found
    tree = environment.parse(source)
    marked = {id(part) for call in tree.find_all(nodes.Call) if _is_marker(call) for part in call.args}
    for constant in tree.find_all(nodes.Const):
        text = constant.value
        if isinstance(text, str) and id(constant) not in marked and _is_said(text):
            yield constant.lineno, text


def _in_tag(page: str) -> bool:
    """Whether a page ends inside a tag."""
    return page.rfind("<") > page.rfind(">")


def _is_marker(call: nodes.Call) -> bool:
    return isinstance(call.node, nodes.Name) and call.node.name in ("_", "gettext", "ngettext", "pgettext", "N_")


def _is_said(text: str) -> bool:
    """Whether a text in an expression is for readers; class names, addresses and options are not."""
    return bool(_SENTENCE.search(text) or re.search(r"\b[A-Z][a-z]", text)) and "/" not in text


def folders() -> list[Path]:
    """Where sentences are."""
    return [
        *(ROOT / name for name in _SPEAK),
        ROOT / "templates",
        *ROOT.glob("examples/*/snug_*"),
        *ROOT.glob("starter/snug_*"),
    ]


def _forms(message: Message) -> tuple[str, ...]:
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def _hard(catalogue: Catalog) -> Iterator[str]:
    """Sentences that are hard to translate: what programs look for in a page stands in them, or a single word is read
    in several places and may mean something else in each."""
    for message in catalogue:
        text = message.id if isinstance(message.id, str) else message.id[0] if message.id else ""
        files = {file for file, _ in message.locations if not file.startswith(("examples/", "starter/"))}
        is_bare = " " not in text and len(files) > 1 and not message.context and _LETTERS.search(_HOLES.sub("", text))
        if " id=" in text or " class=" in text or is_bare:
            yield text


def in_two_ways(messages: Iterable[Extracted]) -> set[str]:
    """Sentences that are asked for alone, and with a number as well: translations have them with the number only, where
    an older Python (3.11.2) does not look for what is asked alone."""
    alone, counted = set(), set()
    for message in messages:
        if isinstance(message.text, str):
            alone.add((message.text, message.context))
        else:
            counted.add((message.text[0], message.context))
    return {text for text, _ in alone & counted}


def hard_ones() -> int:
    """Prints those that are not among the ones that we had; that list only gets shorter. How many are wrong."""
    found, kept = set(_hard(catalogue_of_all())), set(_KEPT.read_text(encoding="utf-8").splitlines())
    for text in sorted(found - kept):
        print(f"{text[:100]!r}: a single word needs a context (pgettext), markup with an id or a class stays outside.")
    for text in sorted(kept - found):
        print(f"{text[:100]!r} is gone: take it out of {_KEPT.relative_to(ROOT)}.")
    twice = in_two_ways(_extracted())
    for text in sorted(twice):
        print(f"{text[:100]!r} is also the singular of a plural: ask for it with ngettext and 1.")
    return len(found ^ kept) + len(twice)


def check() -> int:
    """Prints what escapes; the exit status."""
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    known, count = {form for message in catalogue_of_all() for form in _forms(message)}, 0
    for folder in folders():
        for path in sorted(folder.rglob("*")):
            if _FOR_MAKERS & {path, *path.parents}:
                continue
            if path.suffix == ".py" and path.name not in _OF_RECORDS:
                found = python_escapes(path, None if ROOT / "starter" in path.parents else known)
            elif path.suffix == ".html":
                found = template_escapes(path, environment)
            else:
                continue
            for line, text in found:
                count += 1
                print(f"{path.relative_to(ROOT)}:{line}: {text[:100]!r}")
    if count:
        print(f"{count} texts cannot be translated: mark them as snug/words.py says.")
    return int(count + hard_ones() > 0)


@cache
def _extracted() -> list[Extracted]:
    """Every marked sentence of modules and templates, at every place where it stands."""
    options = {"**.html": {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}}
    meanings = [("**/options.py", "python"), ("**/activity.py", "python")]
    found = []
    for folder in (
        ROOT / "app",
        *(one for one in folders() if not {ROOT / "app", ROOT / "starter"} & set(one.parents)),
    ):
        for keywords, methods in ((KEYWORDS, [("**.py", "python"), ("**.html", "jinja2")]), (_MEANINGS, meanings)):
            for file, line, message, comments, context in extract_from_dir(folder, methods, options, keywords):
                where = (folder / file).relative_to(ROOT).as_posix()
                found.append(Extracted(message, context, (where, line), comments))
    return found


def catalogue_of_all() -> Catalog:
    """Everything that can be asked of a translation."""
    catalogue = Catalog(project="snug", charset="utf-8")
    for one in _extracted():
        catalogue.add(one.text, None, [one.where], auto_comments=one.comments, context=one.context)
    told = json.loads((ROOT / _PROMISES).read_text(encoding="utf-8"))
    for sentence in [one["promise"] for one in told["promises"]] + [
        one["sentence"] for one in told["figures"].values()
    ]:
        catalogue.add(sentence, None, [(_PROMISES, 1)])
    return catalogue


def extract() -> None:
    """Writes the catalogue."""
    write_po(sys.stdout.buffer, catalogue_of_all(), width=120)


if __name__ == "__main__":
    if sys.argv[1:] == ["extract"]:
        extract()
    else:
        sys.exit(check())
