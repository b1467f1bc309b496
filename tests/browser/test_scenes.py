"""Every page that there is a picture of, on phone and laptop: nothing is cut, nothing lies over something else, every
control can be pressed, whatever notice is shown, and what is drawn on a table can be read in both lights."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Page

from app.services.players.languages import catalogues, spoken
from snug.games import GAMES
from tests.browser.accessibility import without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.contrast import SHARPNESS, unreadable
from tests.browser.layout import MESSY, UNPRESSABLE, Lettered, Size, resize
from tests.browser.stage import SIZES
from tests.languages import Long
from tests.pictures.scenes import Scene, Scenes
from tests.servers import Served, stand_still

_NOW = 1_795_000_000.0
_READ_ALWAYS = ("my-turn", "full")  # the others are read in every look, as depth
_READ_ELSEWHERE = ("new", "rules", "learn", "replay", "two", "their-turn", "watching", "scores", "finished")
_SIZES = (PHONE, LAPTOP)
_SMALL = (360, 640)
_LARGE: Lettered = (390, 844, 200)
_OPENS = {"lives-name-a-suit": "#hand .pick input", "liverpool-going-down": "#offers > summary"}
_BEHIND_A_LIST = re.compile(r"(?:draw-card|take-card|discard-here|Hand \d|You have all)\b.* under ")
# Under the sorters comes the mark of a new card in the sixth column, in English as well, where cards are so dealt. On
# the smallest phone sorters can be touched a few pixels into the acts above, and what the bar tells last ends in dots.
_AS_IT_IS = re.compile(r": new .* and sort-|360x640: (?:.*sort-\w+ .* by (?:5|11)|span .* is cut by line)$")
_LOOKS = (("dark", "four"), ("light", "two"), ("dark", "two"), ("light", "four"))
"""Theme and deck: one for the phone, one for the laptop. The next scene has them the other way round."""
_MOVE_WRONGLY = """() => {
  const form = document.querySelector('form[action$="/moves"]');
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "move", value: "nothing-known" }));
  form.requestSubmit();
}"""


class _Measured:
    """A page that shows one scene after the other, and what is wrong with them."""

    def __init__(self, page: Page, room: Served, wanted: Callable[[str], bool]) -> None:
        stand_still(room.context, lambda: _NOW)
        room.context.random = random.Random("scenes")
        self.page, self._room = page, room
        self.session: CDPSession = page.context.new_cdp_session(page)
        # All at once, since what an open page asks for would take chance away from the next scene.
        self.scenes = list(Scenes(room.context).all(wanted))
        self.faults: list[str] = []

    def open(self, scene: Scene, language: str = "en") -> None:
        """Shows a scene to who is to see it, in a language."""
        self.page.context.clear_cookies()
        if language != "en":
            chosen = f"language:{language}"
            self.page.context.add_cookies([{"name": "looks", "value": chosen, "url": self._room.url}])
        if scene.guest:
            self.page.context.add_cookies([{"name": "snug", "value": scene.guest.token, "url": self._room.url}])
        self.page.goto(scene.path)

    def note(self, where: str, faults: list[str]) -> None:
        """Takes down what is wrong there."""
        self.faults += [f"{where}: {fault}" for fault in faults]

    def done(self) -> None:
        """Whether anything was wrong."""
        faults = [fault for fault in self.faults if not _AS_IT_IS.search(fault)]
        assert not faults, "\n".join(faults)

    def lay_out(self, name: str, *also: Size) -> None:
        """Whether all is tidy and can be pressed on phone and laptop, and tidy at these sizes, too."""
        # What is to be pressed is scrolled to, and would be measured there afterwards.
        sizes = ((PHONE, (MESSY,)), (LAPTOP, (MESSY, UNPRESSABLE)), (PHONE, (UNPRESSABLE,)))
        for size, scripts in (*((one, (MESSY,)) for one in also), *sizes):
            resize(self.session, size)
            for script in scripts:
                self.note(f"{name} {size[0]}x{size[1]}", self.page.evaluate(script, ""))

    def press(self, name: str) -> None:
        """Whether everything can be pressed at every size, whatever notice is shown."""
        for size in SIZES:
            resize(self.session, size)
            for notice in ("", "unsent", "offline"):
                self.note(f"{name} {size[0]}x{size[1]} {notice}", self.page.evaluate(UNPRESSABLE, notice))

    def choose(self, name: str) -> None:
        """Whether what is offered, and what is read of it, can be seen at every size."""
        sizes: tuple[Size | Lettered, ...] = (*SIZES, _LARGE)
        for size in sizes:
            resize(self.session, size)
            faults = self.page.evaluate(UNPRESSABLE, "")
            # A list that is open lies over the board.
            self.note(f"{name} {size}", [fault for fault in faults if not _BEHIND_A_LIST.match(fault)])

    def read(self, name: str, looks: tuple[tuple[str, str], ...]) -> None:
        """Whether everything can be read, on the phone in the first of these looks, on the laptop in the other."""
        for size, (theme, deck) in zip(_SIZES, looks, strict=True):
            resize(self.session, size, SHARPNESS)
            dress = "looks => Object.assign(document.documentElement.dataset, looks)"
            self.page.evaluate(dress, {"theme": theme, "deck": deck})
            self.note(f"{name} {size[0]}x{size[1]} {theme} {deck}", unreadable(self.page, self.session))


def _is_of(key: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(f"{key}-")


def _to_read(measured: _Measured) -> list[Scene]:
    return [scene for scene in measured.scenes if not scene.name.endswith(_READ_ELSEWHERE)]


@pytest.mark.dear(20, "fourteen pages at two sizes, and pictures of two of them")
@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("key", GAMES)
def test_the_pages_of_a_game_are_whole_and_can_be_pressed_and_read(key: str, friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, _is_of(key))
    to_read = [scene for scene in measured.scenes if scene.name.endswith(_READ_ALWAYS)]
    for scene in measured.scenes:
        measured.open(scene)
        measured.lay_out(scene.name)
        if scene.name == f"{key}-rules":
            without_violations(measured.page)
            resize(measured.session, SIZES[0])
            assert measured.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if scene in to_read:
            turned = to_read.index(scene) % 2
            measured.read(scene.name, _LOOKS[1::-1] if turned else _LOOKS[:2])
    measured.done()


@pytest.mark.dear(16, "fourteen pages in two lights")
@pytest.mark.thorough
@pytest.mark.parametrize("key", GAMES)
def test_the_pages_of_a_game_can_be_read_with_more_contrast(key: str, friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, _is_of(key))
    for scene in measured.scenes:
        measured.open(scene)
        resize(measured.session, PHONE)
        measured.page.evaluate("document.documentElement.dataset.contrast = 'more'")
        without_violations(measured.page)


@pytest.mark.dear(20, "every page of a game at two sizes")
@pytest.mark.thorough
@pytest.mark.parametrize("key", sorted(GAMES.keys() - {"hearts"}))
@pytest.mark.parametrize("language", [key for key in spoken() if key != "en"])
def test_the_pages_of_a_game_are_whole_in_every_language(language: str, key: str, friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, _is_of(key))
    for scene in measured.scenes:
        measured.open(scene, language)
        assert measured.page.evaluate("document.documentElement.lang") == language
        measured.lay_out(scene.name, _SMALL)
    measured.done()


@pytest.mark.dear(11, "every page there is but the games'")
@pytest.mark.thorough
@pytest.mark.parametrize("language", [key for key in spoken() if key != "en"])
def test_the_other_pages_are_whole_in_every_language(language: str, friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, lambda name: not any(_is_of(key)(name) for key in GAMES))
    for scene in measured.scenes:
        measured.open(scene, language)
        measured.lay_out(scene.name, _SMALL)
    measured.done()


@pytest.fixture
def long_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for German reads words two fifths longer than English ones."""
    monkeypatch.setitem(catalogues(), "de", Long())


@pytest.mark.dear(25, "every page of a game at two sizes")
@pytest.mark.thorough
@pytest.mark.usefixtures("long_words")
@pytest.mark.parametrize("key", ["life", "lives", "lucky_paw"])  # of the others a plate and a row are too narrow
def test_the_pages_of_a_game_are_whole_in_long_words(key: str, friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, _is_of(key))
    for scene in measured.scenes:
        measured.open(scene, "de")
        measured.lay_out(scene.name)
    measured.done()


@pytest.mark.dear(13, "every page there is but the games'")
@pytest.mark.thorough
@pytest.mark.usefixtures("long_words")
def test_the_other_pages_are_whole_in_long_words(friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, lambda name: not any(_is_of(key)(name) for key in GAMES))
    for scene in measured.scenes:
        measured.open(scene, "de")
        measured.lay_out(scene.name, _SMALL)
    measured.done()


@pytest.mark.dear(16, "pictures of six pages in six looks")
@pytest.mark.thorough
@pytest.mark.parametrize("key", GAMES)
def test_a_table_can_be_read_in_every_look(key: str, friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, _is_of(key))
    for at, scene in enumerate(_to_read(measured)):
        measured.open(scene)
        for looks in (_LOOKS[:2] if at % 2 else _LOOKS[1::-1], _LOOKS[2:], _LOOKS[:1:-1]):
            measured.read(scene.name, looks)
    measured.done()


@pytest.mark.dear(11, "every page there is but the games'")
def test_the_other_pages_are_whole_and_can_be_pressed(friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, lambda name: not any(_is_of(key)(name) for key in GAMES))
    for scene in measured.scenes:
        measured.open(scene)
        measured.lay_out(scene.name)
    measured.done()


@pytest.mark.dear(5, "42 looks")
@pytest.mark.parametrize("name", ["lives-say-it", "lives-name-a-suit", "liverpool-going-down", "life-choosing"])
def test_what_is_chosen_from_can_be_seen_whatever_notice_is_shown(name: str, friend: Friend, room: Served) -> None:
    measured = _Measured(friend(), room, name.__eq__)
    (scene,) = measured.scenes
    measured.open(scene)
    measured.choose(name)
    opens = _OPENS.get(name)
    if opens:
        measured.page.evaluate("opens => document.querySelector(opens).click()", opens)
        measured.choose(f"{name}, open")
    measured.done()


@pytest.mark.dear(5, "42 looks")
@pytest.mark.thorough(one_in=7)
@pytest.mark.parametrize("moment", ["full", "my-turn", "their-turn"])
@pytest.mark.parametrize("key", GAMES)
def test_every_control_can_be_pressed_whatever_notice_is_shown(
    key: str, moment: str, friend: Friend, room: Served
) -> None:
    measured = _Measured(friend(), room, f"{key}-{moment}".__eq__)
    (scene,) = measured.scenes
    measured.open(scene)
    measured.press(scene.name)
    if measured.page.locator('form[action$="/moves"]').count():
        measured.page.evaluate(_MOVE_WRONGLY)
        measured.page.locator("#refusal").wait_for()
        measured.press(f"{scene.name}, refused")
        measured.page.route("**/moves*", lambda route: route.abort())
        measured.page.evaluate(_MOVE_WRONGLY)
        measured.page.locator("#unsent.in-row button").wait_for()
        measured.press(f"{scene.name}, not sent")
    measured.done()
