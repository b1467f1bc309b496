"""What pages say, word for word, beside what was read and approved."""

import base64
import random
import re
import secrets
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from starlette.testclient import TestClient

from app.jobs.reviewer import Reviewer
from app.jobs.scheduler import Scheduler
from app.services.context import AppContext
from snug.games import GAMES
from tests.approved import approve
from tests.conftest import Clock
from tests.factories import begin
from tests.pages import Page
from tests.pictures.scenes import Scenes
from tests.web.conftest import Visit, forget_who_tried
from tests.web.scenes import SCENES, Stage
from tests.web.views import VIEWS, View

_ONLY_HEARD = ("aria-label", "title", "alt", "placeholder")
_BY_A_SCRIPT = re.compile(r"[A-Z][a-z]{2}|{.+} ")  # tells words of attributes from marks
_HOLD_NO_WORDS = ("checkbox", "hidden", "radio")
_STATES = ("aria-current", "aria-invalid", "checked", "disabled", "open", "selected")
_WITHIN_A_LINE = {"a", "abbr", "b", "bdi", "br", "em", "i", "small", "span", "strong", "svg", "time", "use"}
_OF_ITS_FILE = re.compile(r"\?v=[\w-]+")
_BY_CHANCE = re.compile(r"\b[0-9a-f]{16,}\b|(?<=/)[\w-]{22}(?![\w-])")  # what seals a deal, and addresses


class Read(Page):
    """A page as a text: a line for each block, and in brackets what is only heard, shown on a hover or said by a
    script, what a field holds, and how it or a panel is; then how often there is which attribute."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        self._break(tag)
        self._text.extend(f"[{value}]" for name, value in attrs if value and _is_told(name, value))
        if tag == "input" and dict(attrs).get("type") not in _HOLD_NO_WORDS:
            self._text.extend(f"[{value}]" for name, value in attrs if name == "value" and value)
        self._text.extend(f"[{name}]" for name, _ in attrs if name in _STATES)

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        self._break(tag)

    def _break(self, tag: str) -> None:
        self._text.append("" if tag in _WITHIN_A_LINE else "\0")

    @property
    def lines(self) -> str:
        blocks = (" ".join(block.split()) for block in "".join(self._text).split("\0"))
        attributes = Counter(name for element in self.elements for name in element.attributes)
        counted = " ".join(f"({name} {count})" for name, count in sorted(attributes.items()))
        return _BY_CHANCE.sub("…", "".join(f"{block}\n" for block in (*blocks, counted) if block))


def _is_told(name: str, value: str) -> bool:
    return name in _ONLY_HEARD or (name.startswith("data-") and bool(_BY_A_SCRIPT.match(value)))


def _of_game(key: str, name: str) -> bool:
    return name.startswith(f"{key}-")


def _of_none(name: str) -> bool:
    return not any(_of_game(key, name) for key in GAMES)


def _a_token(chance: random.Random, size: int = 32) -> str:
    return base64.urlsafe_b64encode(chance.randbytes(size)).decode().rstrip("=")


def _read(html: str) -> str:
    if "<main" in html:
        html = html[html.index("<main") : html.rindex("</main>") + 7]
    return Read(html).lines


def lines_of(html: str) -> list[str]:
    """What a page says, without how often there is what."""
    return _read(html).splitlines()[:-1]


def _around(html: str) -> str:
    """What stands before and after the page itself, as it is sent."""
    before, _, rest = html.partition("<main")
    return _BY_CHANCE.sub("…", _OF_ITS_FILE.sub("…", before + rest.rpartition("</main>")[2]))


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """What addresses and codes are made of, which are the same each time."""
    chance = random.Random()
    monkeypatch.setattr(secrets, "choice", chance.choice)
    monkeypatch.setattr(secrets, "token_urlsafe", partial(_a_token, chance))
    return chance


@pytest.mark.dear(9, "every page there is")
@pytest.mark.always
@pytest.mark.parametrize("wanted", [_of_none, *(partial(_of_game, key) for key in GAMES)], ids=["room", *GAMES])
def test_pages_say_what_was_approved(
    chance: random.Random,
    wanted: Callable[[str], bool],
    app_context: AppContext,
    client: TestClient,
    visit: Visit,
) -> None:
    chance.seed(wanted.args[0] if isinstance(wanted, partial) else "")  # other tables, other addresses
    found = {}
    for scene in Scenes(app_context).all(wanted):
        found[scene.name] = _read(visit(scene.guest).get(scene.path).text)
    for name, text in found.items():
        approve(f"pages/{name}", text.splitlines())


@pytest.fixture
def nobody_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots think of nothing, nor does who reviews."""
    for who in (Scheduler, Reviewer):
        monkeypatch.setattr(who, "start", lambda _self: None)


def _room_of(path: str) -> str:
    room = path.split("/")[1]
    return room if room in ("c", "keeper", "me", "t", "tournaments") else "door"


@pytest.mark.dear(9, "every form there is")
@pytest.mark.always
@pytest.mark.parametrize("room", sorted({_room_of(path) for path in SCENES}))
def test_pages_with_forms_and_what_comes_of_them_say_what_was_approved(
    nobody_moves: None, chance: random.Random, app_context: AppContext, visit: Visit, room: str
) -> None:
    app_context.webhooks = True
    said, lines = set[str](), []
    for path, scene in ((path, scene) for path, scenes in SCENES.items() for scene in scenes if _room_of(path) == room):
        chance.seed(scene.__name__)
        app_context.random.seed(scene.__name__)
        forget_who_tried()
        stage = Stage(app_context, visit)
        press = scene(stage)
        assert stage.browser
        page = _read(stage.browser.get(stage.page).text) if stage.page else ""
        data = {name: value if name == "seen" else "" for name, value in press.data.items()}
        answer = stage.browser.post(press.path, data=data, follow_redirects=False)
        told = [f"# {scene.__name__.strip('_')}: {path}", *page.splitlines()]
        told += [f"## {answer.status_code}", *_read(answer.text).splitlines()]
        done = stage.browser.post(press.path, data=press.data, follow_redirects=True)
        told += [f"## then {done.status_code}", *_read(done.text).splitlines()]
        told += lines_of(visit(None).get(stage.page).text) if room == "t" and stage.page else []
        lines += [line for line in told if line not in said or line.startswith("#")]  # each sentence once
        said.update(told)
    approve(f"forms/{room}", lines)


@pytest.mark.usefixtures("nobody_looks_around")
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_pages_that_are_only_read_say_what_was_approved(
    nobody_moves: None, chance: random.Random, app_context: AppContext, clock: Clock, visit: Visit, view: View
) -> None:
    chance.seed(view.__name__)
    pages = view(Stage(app_context, visit), clock)
    approve(f"pages/{view.__name__}", (line for html in pages for line in (*_read(html).splitlines(), "")))


@pytest.mark.usefixtures("nobody_looks_around")
def test_what_stands_around_pages_is_what_was_approved(
    nobody_moves: None, chance: random.Random, app_context: AppContext, visit: Visit
) -> None:
    chance.seed("around")
    party = begin(app_context, 2)
    ann, bob = map(visit, party.guests)
    pages = [visit(None).get("/").text, ann.get("/").text]
    for page, looks in (
        ("/me", {"theme": "auto", "letters": "on", "indices": "usual"}),
        (f"/t/{party.slug}", {"theme": "light", "letters": "off", "indices": "large"}),
    ):
        bob.post("/preferences", data=looks)
        pages.append(bob.get(page).text)
    approve("pages/around", "\n".join(map(_around, pages)).splitlines())
