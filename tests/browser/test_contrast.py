"""Whatever is drawn on a table can be read in both lights: measured where it lies, on the picture itself, since cards,
chips and ladders lie on felt, on gradients and on one another."""

import io
import random
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

from app.games import GAMES
from tests.browser.conftest import LAPTOP, PHONE
from tests.pictures.scenes import Scenes
from tests.servers import Served, stand_still

_NOW = 1_795_000_000.0
_ELSEWHERE = ("new", "rules", "learn", "replay", "two", "their-turn", "watching", "scores", "finished")
_LOOKS = ((PHONE, "dark", "four"), (PHONE, "light", "two"), (LAPTOP, "dark", "two"), (LAPTOP, "light", "four"))
_SHARPNESS = 2

# Every text and sign that is seen, with its box and the contrast that it needs (WCAG 1.4.3 and 1.4.11). Of a card it is
# the corner, of which a fan shows no more: rank and suit, both large.
_SIGNS = r"""() => {
  const signs = [];
  for (const one of document.querySelectorAll("#live *")) {
    const card = one.matches("svg.card") && one.querySelector("use").getAttribute("href").split("#").at(-1);
    const isSign = (card && card !== "back") || one.matches("svg.pip, svg.icon");
    const text = [...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const isMarked = ["::before", "::after"].some((which) => /"\s*\S.*"/.test(getComputedStyle(one, which).content));
    if (!(isSign || text || isMarked) || one.closest("option, select, :disabled, .sr")) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    let box = one.getBoundingClientRect();
    if (card) box = new DOMRect(box.x, box.y, box.width * 0.32, box.height * 0.5);
    if (text) {
      const range = document.createRange();
      range.selectNodeContents(text);
      box = range.getClientRects()[0] ?? box;
    }
    const { x, y, width, height } = box;
    if (width < 3 || height < 3 || x < 0 || y < 0 || x + width > innerWidth || y + height > innerHeight) continue;
    const found = document.elementsFromPoint(x + width / 2, y + height / 2);
    const seen = found.find((other) => getComputedStyle(other).opacity > 0);
    const { fontSize, fontWeight, clipPath, pointerEvents } = getComputedStyle(one);
    const isHit = seen && (one.contains(seen) || (pointerEvents === "none" && seen.contains(one)));
    if (clipPath !== "none" || !isHit) continue;
    const isLarge = isSign || parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && fontWeight >= 700);
    const name = `${one.localName}.${one.getAttribute("class")} in .${one.parentElement.className}`;
    const words = card || one.textContent.trim().slice(0, 30);
    signs.push({ name: `${name} ${words}`, box: [x, y, width, height], needs: isLarge ? 3 : 4.5 });
  }
  return signs;
}"""
_INKS = " ".join(f"--suit-{suit}: var(--card-paper);" for suit in ("s", "h", "d", "c", "joker"))
_WITHOUT_INK = f"""*, *::before, *::after {{ color: transparent !important; transition: none !important; }}
  svg.card {{ {_INKS} }}
  svg text {{ fill: transparent !important; }}
  svg.pip, svg.icon {{ visibility: hidden !important; }}"""
_UNFADED = ".log { mask-image: none !important; }"  # what scrolls fades out at its edge
_WEAR = """(rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
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
    page.evaluate(_WEAR, _UNFADED)
    signs = page.evaluate(_SIGNS)
    with_ink = _picture(page)
    page.evaluate(_WEAR, _UNFADED + _WITHOUT_INK)
    ground = _picture(page)
    page.evaluate(_WEAR, "")
    faults = []
    for sign in signs:
        x, y, width, height = (round(number * _SHARPNESS) for number in sign["box"])
        part = (x, y, x + width, y + height)
        pairs = zip(with_ink.crop(part).get_flattened_data(), ground.crop(part).get_flattened_data(), strict=True)
        found = max((_contrast(ink, under) for ink, under in set(pairs) if ink != under), default=1.0)
        if found < sign["needs"] - 0.05:
            faults.append(f"{found:.2f} of {sign['needs']}: {' '.join(sign['name'].split())}")
    return faults


@pytest.fixture
def sharp(chromium: Browser, room: Served) -> Iterator[Page]:
    """A page on a screen of two pixels to one of CSS, so that thin strokes have a core."""
    page = chromium.new_page(base_url=room.url, reduced_motion="reduce", device_scale_factor=_SHARPNESS)
    yield page
    page.close()


@pytest.mark.parametrize("key", GAMES)
def test_cards_and_signs_on_a_table_can_be_read_in_both_lights(key: str, sharp: Page, room: Served) -> None:
    stand_still(room.context, lambda: _NOW)
    room.context.random = random.Random(key)
    page, faults = sharp, {}
    page.add_init_script(f"localStorage.setItem('coached-{key}', 'yes')")
    for scene in Scenes(room.context).all(lambda name: name.startswith(f"{key}-") and not name.endswith(_ELSEWHERE)):
        assert scene.guest
        page.context.add_cookies([{"name": "snug", "value": scene.guest.token, "url": room.url}])
        page.goto(scene.path)
        for (width, height), theme, deck in _LOOKS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(
                "looks => Object.assign(document.documentElement.dataset, looks)", {"theme": theme, "deck": deck}
            )
            if found := _unreadable(page):
                faults[f"{scene.name}, {width}, {theme}, {deck}"] = found
    assert not faults, faults
