"""Whatever is drawn on a table can be read in both lights: measured where it lies, on the picture itself, since cards,
chips and ladders lie on felt, on gradients and on one another."""

import io
import random
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page

from app.games import GAMES
from tests.browser.conftest import PHONE, Friend
from tests.pictures.scenes import Scenes
from tests.servers import Served, stand_still

_NOW = 1_795_000_000.0
_SCENES = ("my-turn", "must-draw", "many-melds", "offer", "last-cards", "draw-two", "name-suit", "stealing", "laying")

# Every text and sign that is seen, with its box and the contrast that it needs (WCAG 1.4.3 and 1.4.11).
_SIGNS = """() => {
  const signs = [];
  for (const one of document.querySelectorAll("#live *")) {
    const isSign = one.matches("svg.pip, svg.icon");
    const isText = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!(isSign || isText) || one.closest("option, select, :disabled")) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    let box = one.getBoundingClientRect();
    if (isText) {
      const range = document.createRange();
      range.selectNodeContents(one);
      box = range.getClientRects()[0] ?? box;
    }
    const { x, y, width, height } = box;
    const seen = document.elementFromPoint(x + width / 2, y + height / 2);
    if (width < 3 || height < 3 || x < 0 || y < 0 || x + width > innerWidth || y + height > innerHeight) continue;
    const { fontSize, fontWeight, clipPath, pointerEvents } = getComputedStyle(one);
    if (!seen || !(one.contains(seen) || (pointerEvents === "none" && seen.contains(one)))) continue;
    if (clipPath !== "none" || one.closest(".sr")) continue;
    const isLarge = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && fontWeight >= 700);
    const words = isText ? one.textContent.trim().slice(0, 30) : one.outerHTML.slice(0, 80);
    const name = one.className.baseVal ?? one.className;
    signs.push({ words: `${name}: ${words}`, box: [x, y, width, height], needs: isSign || isLarge ? 3 : 4.5 });
  }
  return signs;
}"""
_WITHOUT_INK = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`*, *::before, *::after { color: transparent !important; transition: none !important;
    -webkit-text-fill-color: transparent !important; }
    svg.pip, svg.pip *, svg.icon { visibility: hidden !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""


def _picture(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def _light(colour: tuple[int, ...]) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (one / 255 for one in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: Any, other: Any) -> float:
    darker, lighter = sorted((_light(one), _light(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _unreadable(page: Page) -> list[str]:
    """What has less contrast to what lies under it than it needs, at the core of its strokes."""
    signs = page.evaluate(_SIGNS)
    with_ink = _picture(page)
    page.evaluate(_WITHOUT_INK)
    ground = _picture(page)
    page.evaluate("() => { document.adoptedStyleSheets = []; }")
    faults = []
    for sign in signs:
        x, y, width, height = (round(number) for number in sign["box"])
        part = (x, y, x + width, y + height)
        pairs = zip(with_ink.crop(part).get_flattened_data(), ground.crop(part).get_flattened_data(), strict=True)
        found = max((_contrast(ink, under) for ink, under in set(pairs) if ink != under), default=1.0)
        if found < sign["needs"] - 0.05:
            faults.append(f"{found:.2f} of {sign['needs']}: {' '.join(sign['words'].split())}")
    return faults


@pytest.mark.parametrize("key", GAMES)
def test_cards_and_signs_on_a_table_can_be_read_in_both_lights(key: str, friend: Friend, room: Served) -> None:
    stand_still(room.context, lambda: _NOW)
    room.context.random = random.Random(key)
    wanted = {f"{key}-{name}" for name in _SCENES}
    page, faults = friend(PHONE), {}
    page.add_init_script(f"localStorage.setItem('coached-{key}', 'yes')")
    for scene in Scenes(room.context).all(lambda name: name in wanted):
        assert scene.guest
        page.context.add_cookies([{"name": "snug", "value": scene.guest.token, "url": room.url}])
        page.goto(scene.path)
        for theme in ("dark", "light"):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            if found := _unreadable(page):
                faults[f"{scene.name}, {theme}"] = found
    assert not faults, faults
