"""What pages say, word for word, beside what was read and approved. `SNUG_APPROVE=1` writes down what they say now."""

import base64
import os
import random
import re
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from snug.games import GAMES
from tests.pages import Page
from tests.pictures.scenes import Scenes
from tests.web.conftest import Visit

_APPROVED = Path(__file__).parents[1] / "data/pages"
_ONLY_HEARD = ("aria-label", "title", "alt", "placeholder")
_WITHIN_A_LINE = {"a", "abbr", "b", "bdi", "br", "em", "i", "small", "span", "strong", "svg", "time", "use"}
_WITHOUT_A_SEED = re.compile(r"\b[0-9a-f]{16,}\b")  # what seals a deal


class _Read(Page):
    """A page as a text: a line for each block, and in brackets what is only heard or shown on a hover."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        self._break(tag)
        self._text.extend(f"[{value}]" for name, value in attrs if name in _ONLY_HEARD and value)

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        self._break(tag)

    def _break(self, tag: str) -> None:
        self._text.append("" if tag in _WITHIN_A_LINE else "\0")

    @property
    def lines(self) -> str:
        blocks = (" ".join(block.split()) for block in "".join(self._text).split("\0"))
        return _WITHOUT_A_SEED.sub("…", "".join(f"{block}\n" for block in blocks if block))


def _of_game(key: str, name: str) -> bool:
    return name.startswith(f"{key}-")


def _of_none(name: str) -> bool:
    return not any(_of_game(key, name) for key in GAMES)


def _a_token(chance: random.Random, size: int = 32) -> str:
    return base64.urlsafe_b64encode(chance.randbytes(size)).decode().rstrip("=")


@pytest.mark.dear(9, "every page there is")
@pytest.mark.parametrize("wanted", [_of_none, *(partial(_of_game, key) for key in GAMES)], ids=["room", *GAMES])
def test_pages_say_what_was_approved(
    monkeypatch: pytest.MonkeyPatch,
    wanted: Callable[[str], bool],
    app_context: AppContext,
    client: TestClient,
    visit: Visit,
) -> None:
    chance = random.Random(wanted.args[0] if isinstance(wanted, partial) else "")  # other tables, other addresses
    monkeypatch.setattr(secrets, "choice", chance.choice)
    monkeypatch.setattr(secrets, "token_urlsafe", partial(_a_token, chance))
    found = {}
    for scene in Scenes(app_context).all(wanted):
        html = visit(scene.guest).get(scene.path).text
        found[scene.name] = _Read(html[html.index("<main") : html.rindex("</main>") + 7]).lines
    if os.environ.get("SNUG_APPROVE"):
        _APPROVED.mkdir(exist_ok=True)
        for name, text in found.items():
            (_APPROVED / f"{name}.txt").write_text(text)
    for name, text in found.items():
        assert text == (_APPROVED / f"{name}.txt").read_text(), name
