"""Draw what cannot be an SVG: the icons for home screens and the pictures that messengers show beside a link.

In:  static/favicon.svg, the emblems of the games and of the room, the vendored Fraunces. To reproduce:
         pip install resvg-py==0.5.0 fonttools==4.68.0 brotli==1.2.1 pillow==13.0.0
         python scripts/build_pngs.py
Out: static/home/: icon-180.png, icon-192.png, icon-512.png, maskable-512.png, favicon.ico, preview.png;
     snug/games/<key>/preview.png.
"""

import io
import re
import struct
import sys
from pathlib import Path

import resvg_py
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from snug.games import GAMES  # noqa: E402 - found from wherever this is run

WALL, LIT, WOOD, EDGE, BRASS, TEXT, QUIET = "#1d120b", "#553620", "#2d1d13", "#5f381f", "#c99b45", "#f8ecd6", "#d3c2a6"
FONT = TTFont(ROOT / "static/vendor/fraunces/fraunces-latin-700-normal.woff2")
GLYPHS = FONT.getGlyphSet()
CMAP = FONT.getBestCmap()
EM = FONT["head"].unitsPerEm
COLOURS = 128  # of a picture for links, which is to weigh little


def text(words: str, x: float, y: float, size: float, fill: str) -> str:
    """A line of text as outlines, its baseline beginning there."""
    parts, along = [], 0.0
    for letter in words:
        glyph = GLYPHS[CMAP[ord(letter)]]
        pen = SVGPathPen(GLYPHS, lambda number: f"{number:g}")
        glyph.draw(pen)
        parts.append(f'<path transform="translate({along:g} 0)" d="{pen.getCommands()}"/>')
        along += glyph.width
    scale = size / EM
    return f'<g fill="{fill}" transform="translate({x:g} {y:g}) scale({scale:g} {-scale:g})">{"".join(parts)}</g>'


def width(words: str, size: float) -> float:
    """How wide such a line is."""
    return sum(GLYPHS[CMAP[ord(letter)]].width for letter in words) * size / EM


def placed(file: Path, x: float, y: float, size: float) -> str:
    """A square drawing at its place; its ids are its own."""
    drawn = file.read_text("utf-8")
    side = float(re.search(r'viewBox="0 0 (\d+)', drawn)[1])
    inner = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
    mark = f"{file.parent.name}-{file.stem}-"
    inner = inner.replace('id="', f'id="{mark}').replace('href="#', f'href="#{mark}')
    return f'<g transform="translate({x:g} {y:g}) scale({size / side:g})">{inner}</g>'


def png(drawing: str, wide: int, high: int) -> bytes:
    """The drawing as a picture of this size."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">{drawing}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=wide, height=high, skip_system_fonts=True))


def icon(size: int, share: float) -> bytes:
    """The door of the room before its lamp, taking up that share of a square."""
    door = placed(ROOT / "static/favicon.svg", size * (1 - share) / 2, size * (1 - share) / 2, size * share)
    glow = "".join(
        f'<circle cx="{size / 2:g}" cy="{size * 0.42:g}" r="{size * r:g}" fill="{LIT}" opacity=".5"/>'
        for r in (0.52, 0.4)
    )
    return png(f'<rect width="{size}" height="{size}" fill="{WALL}"/>{glow}{door}', size, size)


def favicon() -> bytes:
    """The door in the sizes of old browsers, in the one format they know."""
    sizes = (16, 32, 48)
    pictures = [png(placed(ROOT / "static/favicon.svg", 0, 0, size), size, size) for size in sizes]
    head, at = struct.pack("<HHH", 0, 1, len(sizes)), 6 + 16 * len(sizes)
    for size, picture in zip(sizes, pictures, strict=True):
        head += struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(picture), at)
        at += len(picture)
    return head + b"".join(pictures)


def room(drawing: str) -> bytes:
    """A picture for links: what is drawn stands before the wall of the room, above its counter."""
    glow = "".join(
        f'<ellipse cx="600" cy="0" rx="{r * 2}" ry="{r}" fill="{LIT}" opacity=".4"/>' for r in (520, 390, 260)
    )
    counter = f'<path fill="{WOOD}" d="M0 550h1200v80H0z"/><path fill="{EDGE}" d="M0 550h1200v12H0z"/>'
    rail = f'<path fill="{BRASS}" d="M0 546h1200v4H0z"/>'
    sign = placed(ROOT / "static/favicon.svg", 70, 562, 56) + text("Snug", 140, 604, 42, TEXT)
    said = text("A card room for friends", 820, 601, 28, QUIET)
    wall = f'<rect width="1200" height="630" fill="{WALL}"/>'
    drawn = Image.open(io.BytesIO(png(wall + glow + counter + rail + sign + said + drawing, 1200, 630)))
    packed = io.BytesIO()
    drawn.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def lines_of(name: str, size: float, most: float) -> list[str]:
    """The name in lines that are no wider than that."""
    lines = [""]
    for word in name.split():
        longer = f"{lines[-1]} {word}".strip()
        lines[-1:] = [longer] if width(longer, size) <= most or not lines[-1] else [lines[-1], word]
    return lines


def game_preview(key: str) -> bytes:
    """A game's emblem and name."""
    lines = lines_of(str(GAMES[key].name), 104, 560)
    top = 320 - (len(lines) - 1) * 58
    name = "".join(text(line, 590, top + at * 116, 104, TEXT) for at, line in enumerate(lines))
    return room(placed(ROOT / f"snug/games/{key}/emblem.svg", 100, 62, 430) + name)


def room_preview() -> bytes:
    """All emblems in a row."""
    keys = sorted((ROOT / "snug/games").glob("*/emblem.svg"), key=lambda file: GAMES[file.parent.name].minutes)
    mats = "".join(placed(file, 65 + at * 218, 262, 198) for at, file in enumerate(keys))
    title = "Pull up a chair"
    return room(text(title, 600 - width(title, 92) / 2, 188, 92, TEXT) + mats)


def pictures() -> dict[Path, bytes]:
    """Every file with what belongs in it."""
    home = ROOT / "static/home"
    made = {
        home / "icon-180.png": icon(180, 0.74),
        home / "icon-192.png": icon(192, 0.74),
        home / "icon-512.png": icon(512, 0.74),
        home / "maskable-512.png": icon(512, 0.56),
        home / "favicon.ico": favicon(),
        home / "preview.png": room_preview(),
    }
    for file in sorted((ROOT / "snug/games").glob("*/emblem.svg")):
        made[file.with_name("preview.png")] = game_preview(file.parent.name)
    return made


def main() -> None:
    """Write them all."""
    (ROOT / "static/home").mkdir(exist_ok=True)
    for file, content in pictures().items():
        file.write_bytes(content)


if __name__ == "__main__":
    main()
