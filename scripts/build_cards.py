"""Build static/cards.svg, one sprite with every card face, the joker, the back and the four suits, and two masks.

In:  the unpacked npm package react-playing-card-set 0.6.0 (card art by Adrian Kennard, CC0). To reproduce:
         npm pack react-playing-card-set@0.6.0 && tar xzf react-playing-card-set-0.6.0.tgz
         python scripts/build_cards.py package
Out: static/cards.svg with the symbols AS 2S .. 10S JS QS KS (and H, D, C), JK, back, suit-S suit-H suit-D suit-C.
     A page shows a card with <svg class="card"><use href="/static/cards.svg#QS"/></svg> and may set the CSS variables
     --suit-s --suit-h --suit-d --suit-c --suit-joker, --card-paper and --card-edge.
     static/ranks.svg and static/suits.svg, the ranks in a row and the suits without and with their letters: masks of
     the corners that people may wish for (static/css/looks.css), loaded by nobody else.

Courts, suit shapes and rank figures come from the package; the layout, the joker and the back are drawn here.
Nothing refers to an id by url(#..): some browsers look those up in the page instead of in the sprite.
"""

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from sprite import shrink, write

CARD_WIDTH, CARD_HEIGHT, CORNER = 250, 350, 17
INDEX_X, RANK_Y, PIP_Y = 45, 64, 153  # centres of the rank and of the small suit pip under it
RANK_HEIGHT, RANK_STROKE, PIP_HEIGHT = 96, 11.5, 62
COURT = (86, 44, 156, 262)  # frame: x, y, width, height
COURT_GRID = 2  # court art units per sprite unit: more is smaller and coarser
COURT_ART = (1300, 2000)  # size of the court art in the package
COURT_LAYERS = ((1,), (2, 3), (4, 5, 6))  # each group is laid over its own upside-down copy: the art needs this order

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = {"S": "#111111", "H": "#d4351c", "D": "#1447e6", "C": "#047857"}
JOKER_INK = "#7a2748"
INK, RED, GOLD, BLUE = "#16161d", "#c9302c", "#f2b73f", "#2b4299"
COURT_COLOURS = {"black": INK, "red": RED, "#FC4": GOLD, "#44F": BLUE}

Spot = tuple[float, float, float]  # where the middle of a shape is, and how tall it is there

PAPER = (
    f'<rect x="1" y="1" width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" rx="{CORNER}"'
    ' fill="var(--card-paper,#fffef9)" stroke="var(--card-edge,#c9c2b2)" stroke-width="2"/>'
)
FIGURE = 'fill="none" stroke-linecap="square" stroke-miterlimit="1.5"'

MARK_WIDTH = 86  # a field of the masks is as wide as a card is free at its left
MARK_RANK, MARK_STROKE, MARK_NARROW, MARK_RANKS = 116, 20, 0.86, 136
MARK_SIGN, MARK_SIGNS = 66, 68
MARK_SMALL = (24, 42), (65, 43)  # a suit and its letter side by side: the middle of each, and how tall it is

BACK_DARK, BACK_BAND, BACK_LINE = "#4a1426", "#a8475a", "#e0ab4a"
BACK_CELLS, BACK_MARGIN = (8, 12), 22  # crossings of the woven back, and how far from the card's edge they stop

LEFT, MIDDLE, RIGHT = 121, 165, 209  # the three columns of pips
TOP, BOTTOM = 52, 298


def spread(count: int) -> list[float]:
    """Heights of `count` pips spread evenly over one column."""
    return [TOP + (BOTTOM - TOP) * i / (count - 1) for i in range(count)]


# rank: height of one pip, pips in each of the two outer columns, heights of the pips in the middle column
PIPS: dict[str, tuple[float, list[float], list[float]]] = {
    "2": (82, [], [84, 266]),
    "3": (78, [], [66, 175, 284]),
    "4": (70, [82, 268], []),
    "5": (70, [76, 274], [175]),
    "6": (66, spread(3), []),
    "7": (64, spread(3), [113.5]),
    "8": (64, spread(3), [113.5, 236.5]),
    "9": (57, spread(4), [175]),
    "10": (57, spread(4), [93, 257]),
}


def suit_paint(suit: str) -> str:
    """The paint of one suit: a CSS variable the page may set, with a colour to fall back on."""
    return f"var(--suit-{suit.lower()},{SUITS[suit]})"


def printed(outline: str, spots: Iterable[Spot], digits: int = 1) -> str:
    """Path data of a shape drawn around 0,0 and 1000 units tall, at every spot; a negative size turns it upside down.
    One path is cheaper to show than a shape that is used many times, however small it is."""
    text = ""
    for x, y, size in spots:
        d = shrink(outline, scale=size / 1000, move=(x, y), digits=digits)
        rest = d[1:].lstrip(" -.0123456789")
        start = d[1 : len(d) - len(rest)]
        text += f"M{start}{rest}"
    return text


class Art:
    """The card files of the package's big-index four-colour deck."""

    def __init__(self, package: Path) -> None:
        """Take the unpacked npm package's folder."""
        self.folder = package / "src" / "images" / "4color-bf"

    def symbols(self, card: str) -> dict[str, ElementTree.Element]:
        """The symbols inside one card file, by id."""
        text = (self.folder / f"{card}.svg").read_text(encoding="utf-8").replace("xlink:href", "href")
        root = ElementTree.fromstring(re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text))
        return {symbol.attrib["id"]: symbol for symbol in root.iter("symbol")}

    def outline(self, card: str, symbol: str) -> str:
        """Path data of a symbol that holds a single path (a suit shape or a rank figure)."""
        path = self.symbols(card)[symbol].find("path")
        assert path is not None
        return path.attrib["d"]

    def pip(self, suit: str) -> str:
        """The sign of a suit."""
        return self.outline(f"A{suit}", f"S{suit}A")

    def figure(self, rank: str) -> str:
        """The strokes of a rank."""
        outline = self.outline(f"{rank.replace('10', 'T')}S", f"VS{rank.replace('10', 'T')}")
        # these strokes are thicker than the package's: without this the K's arm would stick out of its stem
        return outline.replace("-170 155", "-150 121") if rank == "K" else outline

    def court(self, rank: str, suit: str) -> str:
        """One court picture: groups of layers of its upper half, each followed by the same group upside down."""
        picture, layers = "", self.symbols(rank + suit)
        for group in COURT_LAYERS:
            half = ""
            for number in group:
                layer = layers[f"{suit}{rank}{number}"]
                mirror = layer.find("g") is not None  # the only group in these files flips a picture left to right
                for element in layer.iter():
                    if element.tag == "path":
                        half += court_path(element, mirror)
                    elif element.tag == "use":
                        half += court_pip(element, suit, mirror)
            name = f"half-{rank}{suit}{group[0]}"
            picture += f'<g id="{name}">{half}</g><use href="#{name}" transform="rotate(180)"/>'
        width, height = (round(side / COURT_GRID) for side in COURT_ART)
        x, y, w, h = COURT
        return (
            f'<svg x="{x}" y="{y}" width="{w}" height="{h}" preserveAspectRatio="none"'
            f' viewBox="{-width / 2:g} {-height / 2:g} {width} {height}"'
            f' stroke-linecap="round" stroke-linejoin="round">{picture}</svg>'
            f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="4" fill="none" stroke="{BLUE}" stroke-width="2"/>'
        )


def court_path(path: ElementTree.Element, mirror: bool) -> str:
    """One coloured layer of a court picture."""
    middle = (COURT_ART[0] / COURT_GRID / 2 * (1 if mirror else -1), -COURT_ART[1] / COURT_GRID / 2)
    d = shrink(path.attrib["d"], scale=1 / COURT_GRID, move=middle, mirror=mirror)
    if (stroke := path.get("stroke")) is not None:
        width = float(path.attrib["stroke-width"]) / COURT_GRID
        return f'<path fill="none" stroke="{COURT_COLOURS[stroke]}" stroke-width="{width:g}" d="{d}"/>'
    return f'<path fill="{COURT_COLOURS[path.attrib["fill"]]}" d="{d}"/>'


def court_pip(pip: ElementTree.Element, suit: str, mirror: bool) -> str:
    """A small suit sign in a court's clothes."""
    found = re.match(r"translate\(([\d.]+),([\d.]+)\)scale\(1,0\.8\)rotate\((-?[\d.]+)\)", pip.attrib["transform"])
    assert found
    x, y, turn = map(float, found.groups())
    x, y = x - COURT_ART[0] / 2, y - COURT_ART[1] / 2
    x, turn = (-x, -turn) if mirror else (x, turn)
    size = float(pip.attrib["height"]) / 120 / COURT_GRID  # the package draws a pip in a box of 120, we around 0,0
    place = f"translate({x / COURT_GRID:g} {y / COURT_GRID:g})scale(1 .8)rotate({turn:g})scale({size:.3g})"
    return f'<use href="#pip-{suit}" transform="{place}"/>'


def diamond(x: float, y: float, half: float) -> str:
    """A small square standing on its corner."""
    return f"M{x:g} {y - half:g}l{half} {half}l{-half} {half}l{-half} {-half}z"


SPADE_INSET = (
    "M-60 215A150 150 0 0 1 -355 185C-355 -100 -100 -250 0 -500C100 -250 355 -100 355 185A150 150 0 0 1 60 215"
)


def face(rank: str, suit: str, art: Art) -> str:
    """One card as a symbol."""
    figure = printed(art.figure(rank), [(INDEX_X, RANK_Y, RANK_HEIGHT)])
    index = f'<path {FIGURE} stroke="{suit_paint(suit)}" stroke-width="{RANK_STROKE}" d="{figure}"/>'
    spots: list[Spot] = [(INDEX_X, PIP_Y, PIP_HEIGHT)]
    centre = ""
    if rank in "JQK":
        centre = art.court(rank, suit)
    elif rank == "A":
        spots.append((158, 202, 180 if suit == "S" else 144))
        if suit == "S":  # the ace of spades traditionally gets some ornament
            d = shrink(SPADE_INSET, scale=0.14, move=(158, 201), digits=1)
            line = 'fill="none" stroke="var(--card-paper,#fffef9)" stroke-width="2.5" stroke-linecap="round"'
            gems = diamond(158, 188, 9) + diamond(145, 205, 7) + diamond(171, 205, 7)
            centre = f'<path {line} d="{d}"/><path fill="{GOLD}" d="{gems}"/>'
    else:
        size, outer, inner = PIPS[rank]
        places = [(x, y) for y in outer for x in (LEFT, RIGHT)] + [(MIDDLE, y) for y in inner]
        spots += [(x, y, -size if y > CARD_HEIGHT / 2 else size) for x, y in places]
    pips = printed(art.pip(suit), spots, 1 if rank == "A" else 0)
    return symbol(rank + suit, f'{index}<path fill="{suit_paint(suit)}" d="{pips}"/>{centre}')


# The letters of JOKER, in the strokes of the rank figures
LETTERS = {
    "J": "M-40 -460L180 -460L180 260A190 200 0 0 1 -200 260L-200 220",
    "O": "M-210 0L-210 -250A210 210 0 0 1 210 -250L210 250A210 210 0 0 1 -210 250Z",
    "K": "M-200 -460L-200 460M210 -460L-150 20M-60 -70L220 460",
    "E": "M220 -460L-200 -460L-200 460L220 460M-200 0L130 0",
    "R": "M-200 460L-200 -460L30 -460A230 230 0 0 1 30 0L-200 0M40 40L220 460",
}

JESTER = f"""
<g stroke="{BLUE}" stroke-width="4" stroke-linejoin="round" stroke-linecap="round">
<path fill="{GOLD}" d="M136 160C142 120 146 92 172 66C186 96 194 128 192 160Z"/>
<circle cx="164" cy="208" r="45" fill="#fdebd3"/>
<path fill="{RED}" d="M121 190C122 164 114 154 96 156C96 116 134 92 160 134L166 180Z"/>
<path fill="{BLUE}" d="M207 190C206 164 214 154 232 156C232 116 194 92 168 134L162 180Z"/>
<path fill="{RED}" d="M164 244 112 262 90 290l26-2 12 26 18-22 18 30 18-30 18 22 12-26 26 2-22-28Z"/>
<path fill="{GOLD}" d="M164 244L116 288L128 314L146 292ZM164 244L182 292L200 314L212 288Z"/>
<path fill="{GOLD}" d="M116 182Q164 156 212 182L211 201Q164 176 117 201Z"/>
<path fill="{RED}" d="M143 225Q164 235 185 225Q182 246 164 246Q146 246 143 225Z"/>
<path fill="none" d="M140 207Q147 199 154 207M174 207Q181 199 188 207"/>
<g fill="{GOLD}"><circle cx="96" cy="162" r="10"/><circle cx="173" cy="58" r="10"/><circle cx="232" cy="162" r="10"/>
</g></g>
<g fill="{RED}" fill-opacity=".35"><circle cx="134" cy="222" r="8"/><circle cx="194" cy="222" r="8"/></g>
"""


def joker() -> str:
    """Our own joker: the word down the left edge and a smiling jester."""
    word = "".join(printed(LETTERS[letter], [(INDEX_X - 3, 51 + 62 * i, 50)]) for i, letter in enumerate("JOKER"))
    index = f'<path {FIGURE} stroke="var(--suit-joker,{JOKER_INK})" stroke-width="8.3" d="{word}"/>'
    return symbol("JK", index + JESTER.replace("\n", ""))


def back() -> str:
    """Our own back: a closed woven panel, every strand going over and under the others in turn."""
    columns, rows = BACK_CELLS
    step_x = (CARD_WIDTH - 2 * BACK_MARGIN) / columns
    step_y = (CARD_HEIGHT - 2 * BACK_MARGIN) / rows

    def spot(x: float, y: float) -> str:
        return f"{BACK_MARGIN + x * step_x:.4g} {BACK_MARGIN + y * step_y:.4g}"

    def stroke(colour: str, width: int, d: str) -> str:
        return f'<path stroke="{colour}" stroke-width="{width}" d="{d}"/>'

    strands = ""
    for row in range(rows):
        for column in range(columns):  # each cell holds one diagonal; they cross, or turn back, in its corners
            ends = (row, row + 1) if (row + column) % 2 == 0 else (row + 1, row)
            strands += f"M{spot(column, ends[0])}L{spot(column + 1, ends[1])}"
    crossings = [(x, y) for y in range(1, rows) for x in range(1, columns) if (x + y) % 2 == 0]
    holes = [(x, y) for y in range(1, rows) for x in range(1, columns) if (x + y) % 2]

    def over(reach: float) -> str:
        leans = [(x, y, reach if y % 2 else -reach) for x, y in crossings]
        return "".join(f"M{spot(x - reach, y - lean)}L{spot(x + reach, y + lean)}" for x, y, lean in leans)

    dots = "".join(f"M{spot(x, y)}h0" for x, y in holes)
    inner = 10
    panel = f'x="{inner}" y="{inner}" width="{CARD_WIDTH - 2 * inner}" height="{CARD_HEIGHT - 2 * inner}" rx="10"'
    body = f'<rect {panel} fill="{BACK_DARK}" stroke="{BACK_LINE}" stroke-width="3"/>'
    body += f'<g fill="none" stroke-linecap="round">{stroke(BACK_DARK, 15, strands)}{stroke(BACK_BAND, 9, strands)}</g>'
    body += f'<g fill="none">{stroke(BACK_DARK, 15, over(0.33))}{stroke(BACK_BAND, 9, over(0.45))}</g>'
    body += f'<path fill="none" stroke="{BACK_LINE}" stroke-width="6" stroke-linecap="round" d="{dots}"/>'
    return symbol("back", body)


def symbol(name: str, body: str) -> str:
    """A card-sized symbol: its paper and what is printed on it."""
    return f'<symbol id="{name}" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}">{PAPER}{body}</symbol>\n'


def build(package: Path) -> str:
    """The whole sprite's body."""
    art = Art(package)
    signs = {suit: shrink(art.pip(suit), scale=0.1, digits=1) for suit in SUITS}
    pips = "".join(f'<path id="pip-{suit}" fill="{suit_paint(suit)}" d="{d}"/>\n' for suit, d in signs.items())
    body = f"<defs>\n{pips}</defs>\n"
    body += "".join(face(rank, suit, art) for suit in SUITS for rank in RANKS)
    body += joker() + back()
    for suit in SUITS:
        sign = f'<path fill="{suit_paint(suit)}" d="{signs[suit]}"/>'
        body += f'<symbol id="suit-{suit}" viewBox="-60 -60 120 120">{sign}</symbol>\n'
    return body


# The letters of the suits, in the same strokes
SUIT_LETTERS = {
    "S": "M210 -290C190 -420 110 -460 0 -460C-120 -460 -210 -380 -210 -240C-210 40 220 -50 220 230"
    "C220 380 120 460 0 460C-120 460 -200 400 -220 270",
    "H": "M-210 -460L-210 460M210 -460L210 460M-210 -20L210 -20",
    "D": "M-200 -460L-20 -460C140 -460 220 -340 220 0C220 340 140 460 -20 460L-200 460Z",
    "C": "M210 -240A215 220 0 0 0 -210 -240L-210 240A215 220 0 0 0 210 240",
}


def ranks(art: Art) -> str:
    """Every rank, large."""
    middles = [MARK_WIDTH * (at + 0.5) / MARK_NARROW for at in range(len(RANKS))]
    spots = zip(RANKS, middles, strict=True)
    figures = "".join(printed(art.figure(rank), [(x, MARK_RANKS / 2, MARK_RANK)]) for rank, x in spots)
    paint = f'stroke="{INK}" stroke-width="{MARK_STROKE}" transform="scale({MARK_NARROW} 1)"'
    return f'<path {FIGURE} {paint} d="{figures}"/>\n'


def marks(art: Art) -> str:
    """Every suit, large, and again small with its letter."""
    y = MARK_SIGNS / 2
    (sign_x, sign), (letter_x, letter) = MARK_SMALL
    pips, letters = "", ""
    for at, suit in enumerate(SUITS):
        again = MARK_WIDTH * (at + len(SUITS))
        pips += printed(art.pip(suit), [(MARK_WIDTH * (at + 0.5), y, MARK_SIGN), (again + sign_x, y, sign)])
        letters += printed(SUIT_LETTERS[suit], [(again + letter_x, y, letter)])
    return f'<path fill="{INK}" d="{pips}"/>\n<path {FIGURE} stroke="{INK}" stroke-width="10" d="{letters}"/>\n'


def main() -> None:
    """Read the package folder from the command line and write the sprite."""
    parser = argparse.ArgumentParser(description="Build static/cards.svg from react-playing-card-set 0.6.0.")
    parser.add_argument("package", type=Path, help="the unpacked npm package folder")
    package = parser.parse_args().package
    static = Path(__file__).resolve().parent.parent / "static"
    comment = "Built by scripts/build_cards.py. Card art by Adrian Kennard, CC0: see static/vendor/cards/."
    write(static / "cards.svg", comment, build(package))
    write(static / "ranks.svg", comment, ranks(Art(package)), (MARK_WIDTH * len(RANKS), MARK_RANKS))
    write(static / "suits.svg", comment, marks(Art(package)), (2 * MARK_WIDTH * len(SUITS), MARK_SIGNS))


if __name__ == "__main__":
    main()
