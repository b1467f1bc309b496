"""The pages for developers: `docs/rules/` say whatever the code cites, refuses with and lets a host choose, and the
examples of `docs/record.md` come out as printed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from snug.engine.game import Game
from snug.engine.record import Record
from snug.games import GAMES
from snug.testing.scenarios import printed, reports_of

ROOT = Path(__file__).parents[2]
LIBRARY, PAGES = ROOT / "snug", ROOT / "docs" / "rules"
RECORD = ROOT / "docs" / "record.md"
HEADING = re.compile(r"^#+ §(\d+(?:\.\d+)*) ", re.MULTILINE)
CITED = re.compile(r"§(\d+(?:\.\d+)*)")
RULING = re.compile(r"\bQ\d+\b")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def page_of(game: Game[Any]) -> str:
    return (PAGES / f"{game.key}.md").read_text(encoding="utf-8")


def sections_of(page: str) -> dict[str, str]:
    """The text of each section by its number, without that of its subsections."""
    _, *parts = HEADING.split(page)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def package_of(game: Game[Any]) -> str:
    """The source of the game's own modules."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((LIBRARY / "games" / game.key).glob("*.py")))


def beside(package: str) -> str:
    """The source of the shared modules that a package imports from."""
    names = set(re.findall(r"^from snug\.engine\.(\w+) import", package, re.MULTILINE))
    paths = [LIBRARY / "engine" / f"{name}.py" for name in sorted(names)]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if path.exists())


def codes_in(source: str) -> set[str]:
    """Refusal codes and phases, which are texts written LIKE_THIS; a module's exports are written so, too."""
    texts = set(re.findall(r'"([A-Z]{2,}(?:_[A-Z0-9]+)+)"', source))
    return {text for text in texts if not re.search(rf'(?<!")\b{text}\b(?!")', source)}


@every_game
def test_every_section_that_is_cited_is_there(game: Game[Any]) -> None:
    page = page_of(game)
    sections, cited = sections_of(page), set(CITED.findall(package_of(game) + page))
    for number in cited - sections.keys():  # a line of a numbered list
        section, _, line = number.rpartition(".")
        assert re.search(rf"^{line}\. ", sections[section], re.MULTILINE), f"§{number}"


@every_game
def test_every_ruling_that_is_cited_is_there(game: Game[Any]) -> None:
    page = page_of(game)
    rulings = re.findall(r"^- \*\*(Q\d+)\*\* ", page, re.MULTILINE)
    assert rulings == [f"Q{number}" for number in range(1, len(rulings) + 1)]
    assert set(RULING.findall(package_of(game) + page)) == set(rulings)


@every_game
def test_every_code_and_phase_is_named(game: Game[Any]) -> None:
    page, package = page_of(game), package_of(game)
    general = page + (PAGES / "README.md").read_text(encoding="utf-8")
    assert {code for code in codes_in(package) if not re.search(rf"\b{code}\b", page)} == set()
    assert {code for code in codes_in(beside(package)) if not re.search(rf"\b{code}\b", general)} == set()


@every_game
def test_every_option_is_named(game: Game[Any]) -> None:
    assert [name for name in game.options.__struct_fields__ if f"| `{name}` |" not in page_of(game)] == []


@pytest.mark.parametrize(
    "page", [*sorted(ROOT.glob("*.md")), RECORD, *sorted(PAGES.glob("*.md"))], ids=lambda page: page.stem
)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    for pattern in re.findall(r"`((?:app|docs|static|templates|tests)/[^`<]+)`", page.read_text(encoding="utf-8")):
        assert list(ROOT.glob(pattern)), pattern


def test_the_first_page_names_every_game() -> None:
    shared = (PAGES / "README.md").read_text(encoding="utf-8")
    for game in GAMES.values():
        assert f"| [`{game.key}`]({game.key}.md) | {game.name} | {game.seats[0]}–{game.seats[1]} |" in shared


def test_the_example_of_a_record_comes_out_as_printed() -> None:
    examples = re.findall(r"^```json\n(.+?)^```", RECORD.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    record, answer = map(json.loads, examples)
    assert printed(reports_of(record["game"], record)[-1]) == answer


def test_every_key_of_a_record_and_of_an_answer_is_explained() -> None:
    page = RECORD.read_text(encoding="utf-8")
    answer = printed(reports_of("lucky_paw", {"seats": 2})[-1])
    keys = (*Record.__struct_fields__, *answer)
    assert [key for key in keys if not re.search(rf"^\| .*`{key}`.* \| ", page, re.MULTILINE)] == []
