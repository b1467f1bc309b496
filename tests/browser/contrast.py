"""Whether what is drawn on a table can be read: measured where it lies, on the picture itself, since cards, chips and
ladders lie on felt, on gradients and on one another."""

import base64
import io
import sys
from functools import cache

from PIL import Image
from playwright.sync_api import CDPSession, Page

SHARPNESS = 1.5  # pixels of the screen to one of CSS, so that thin strokes have a core

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
# What scrolls fades out at its edge, and a word for newcomers lies over the table.
_UNFADED = ".log { mask-image: none !important; } .callout { display: none !important; }"
_WEAR = """(rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
}"""


def _pixels(session: CDPSession) -> Image.Image:
    """What is seen now, in a format that is quickly written."""
    shot = session.send("Page.captureScreenshot", {"optimizeForSpeed": True})
    return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGBA")


@cache
def _light(pixel: int) -> float:
    """How light a pixel is, which comes as a number of four bytes, red first."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (one / 255 for one in pixel.to_bytes(4, sys.byteorder)[:3])
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: int, other: int) -> float:
    darker, lighter = sorted((_light(one), _light(other)))
    return (lighter + 0.05) / (darker + 0.05)


def unreadable(page: Page, session: CDPSession) -> list[str]:
    """What has less contrast to what lies under it than it needs, at the core of its strokes. The session has made the
    screen as sharp as it has to be."""
    page.evaluate(_WEAR, _UNFADED)
    signs = page.evaluate(_SIGNS)
    with_ink = _pixels(session)
    page.evaluate(_WEAR, _UNFADED + _WITHOUT_INK)
    ground = _pixels(session)
    page.evaluate(_WEAR, "")
    faults = []
    for sign in signs:
        x, y, width, height = (round(number * SHARPNESS) for number in sign["box"])
        inks, grounds = (
            memoryview(picture.crop((x, y, x + width, y + height)).tobytes()).cast("I")
            for picture in (with_ink, ground)
        )
        pairs = {(ink, under) for ink, under in zip(inks, grounds, strict=True) if ink != under}
        needs = sign["needs"] - 0.05
        if not any(_contrast(ink, under) >= needs for ink, under in pairs):
            found = max((_contrast(ink, under) for ink, under in pairs), default=1.0)
            faults.append(f"{found:.2f} of {sign['needs']}: {' '.join(sign['name'].split())}")
    return faults
