"""Build static/cards.svg, our own deck: every face, the joker, the back and the four suits, and two masks.

    python -m scripts.build_cards

static/cards.svg has the symbols AS 2S .. 10S JS QS KS (and H, D, C), JK, back, suit-S suit-H suit-D suit-C. A page
shows a card with <svg class="card"><use href="/static/cards.svg#QS"/></svg> and may set the CSS variables --suit-s
--suit-h --suit-d --suit-c --suit-joker, --card-paper and --card-edge. static/ranks.svg and static/suits.svg, the ranks
in a row and the suits without and with their letters, are masks of the corners that people may wish for
(static/css/corners.css), loaded by nobody else.

Nothing refers to an id by url(#..): some browsers look those up in the page instead of in the sprite.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from scripts.sprite import write

WIDTH, HEIGHT, ROUND = 250, 350, 17
MIDDLE_X, MIDDLE_Y = WIDTH / 2, HEIGHT / 2
CORNER_X, RANK_Y, SIGN_Y = 36, 48, 103  # the middle of the rank, and of the suit under it
RANK, SIGN, STROKE = 59, 37, 10

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = {"S": "#111111", "H": "#d4351c", "D": "#1447e6", "C": "#047857"}
INK, GOLD, BRASS, CREAM, LIPS = "#1d1a17", "#d9a648", "#6b4717", "#f6ead0", "#a8402f"
WINE, WINE_LIT, DEEP = "#7a2748", "#8c3048", "#5c1a30"
LOZENGES = (8, 12)  # how many half lozenges stand on the back beside and above each other

Spot = tuple[float, float, float]  # where the middle of a shape is, and how tall it is there: below 0 upside down

PAPER = (
    f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="{ROUND}"'
    ' fill="var(--card-paper,#fffef9)" stroke="var(--card-edge,#c9c2b2)" stroke-width="2"/>'
)
LINE = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'


def circle(x: float, y: float, r: float) -> str:
    """The outline of a circle."""
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 1 {2 * r:g} 0a{r:g} {r:g} 0 1 1 {-2 * r:g} 0z"


# Shapes are drawn around 0,0 and 100 units tall; rank figures are strokes of a sixth of that.
PIPS = {
    "S": "M0 -50C11 -30 43 -10 43 16C43 31 33 39 22 39C14 39 7 35 4 28C5 38 9 45 17 50L-17 50C-9 45 -5 38 -4 28"
    "C-7 35 -14 39 -22 39C-33 39 -43 31 -43 16C-43 -10 -11 -30 0 -50Z",
    "H": "M0 50C-13 29 -47 12 -47 -19C-47 -37 -36 -48 -23 -48C-12 -48 -4 -42 0 -31C4 -42 12 -48 23 -48"
    "C36 -48 47 -37 47 -19C47 12 13 29 0 50Z",
    "D": "M0 -50C11 -30 24 -13 40 0C24 13 11 30 0 50C-11 30 -24 13 -40 0C-24 -13 -11 -30 0 -50Z",
    "C": circle(0, -27, 22.5) + circle(-23.5, 8, 22.5) + circle(23.5, 8, 22.5) + "M-10 -14L10 -14L10 10L-10 10Z"
    "M-4 6L4 6C5 32 8 44 17 50L-17 50C-8 44 -5 32 -4 6Z",
}
_SIX = "M15 -42C-10 -28 -27 -8 -27 15C-27 31 -15 42 0 42C15 42 27 31 27 15C27 -1 15 -11 0 -11C-12 -11 -22 -4 -26 6"
FIGURES = {
    "A": "M-29 42L0 -42L29 42M-19 16L19 16",
    "2": "M-26 -20C-26 -34 -15 -42 0 -42C16 -42 27 -33 27 -20C27 2 -26 14 -27 42L28 42",
    "3": "M-25 -42L24 -42L-3 -9C15 -9 27 2 27 16C27 32 15 42 -1 42C-15 42 -25 35 -28 24",
    "4": "M14 42L14 -42L-30 20L30 20",
    "5": "M24 -42L-20 -42L-24 -4C-18 -10 -10 -13 -1 -13C16 -13 28 -3 28 14C28 31 16 42 -1 42C-14 42 -24 36 -28 27",
    "6": _SIX,
    "7": "M-28 -42L28 -42C10 -18 -2 10 -6 42",
    "8": "M0 -42C14 -42 23 -34 23 -23C23 -12 14 -4 0 -4C-14 -4 -23 -12 -23 -23C-23 -34 -14 -42 0 -42Z"
    "M0 -4C16 -4 28 6 28 19C28 33 16 42 0 42C-16 42 -28 33 -28 19C-28 6 -16 -4 0 -4Z",
    "9": re.sub(r"-?\d+", lambda number: str(-int(number[0])), _SIX),
    "10": "M-31 -30L-20 -42L-20 42M14 -42C26 -42 32 -27 32 0C32 27 26 42 14 42C2 42 -4 27 -4 0C-4 -27 2 -42 14 -42Z",
    "J": "M18 -42L18 16C18 32 9 42 -4 42C-17 42 -26 34 -27 21",
    "Q": "M0 -42C18 -42 29 -26 29 0C29 26 18 42 0 42C-18 42 -29 26 -29 0C-29 -26 -18 -42 0 -42ZM6 20L29 44",
    "K": "M-24 -42L-24 42M26 -42L-22 9M-6 -8L28 42",
}
LETTERS = {
    "S": "M25 -27C22 -37 12 -42 0 -42C-14 -42 -25 -34 -25 -22C-25 6 27 -8 27 20C27 33 15 42 0 42C-14 42 -24 36 -27 26",
    "H": "M-25 -42L-25 42M25 -42L25 42M-25 0L25 0",
    "D": "M-24 -42L-5 -42C16 -42 28 -28 28 0C28 28 16 42 -5 42L-24 42Z",
    "C": "M27 -22C24 -35 14 -42 2 -42C-17 -42 -28 -26 -28 0C-28 26 -17 42 2 42C14 42 24 35 27 22",
    "O": "M0 -42C18 -42 29 -26 29 0C29 26 18 42 0 42C-18 42 -29 26 -29 0C-29 -26 -18 -42 0 -42Z",
    "E": "M24 -42L-23 -42L-23 42L24 42M-23 0L16 0",
    "R": "M-23 42L-23 -42L4 -42C19 -42 27 -33 27 -20C27 -7 19 2 4 2L-23 2M4 2L27 42",
}

LEFT, RIGHT = 88, 162  # the columns of pips; the third is the middle
TOP, BOTTOM = 56, 294


def spread(count: int) -> list[float]:
    """Heights of `count` pips spread evenly over one column."""
    return [TOP + (BOTTOM - TOP) * i / (count - 1) for i in range(count)]


# rank: height of one pip, heights of the pips in both outer columns, and in the middle
PLACES: dict[str, tuple[float, list[float], list[float]]] = {
    "A": (124, [], [MIDDLE_Y]),
    "2": (62, [], [66, 284]),
    "3": (62, [], [66, 175, 284]),
    "4": (54, [66, 284], []),
    "5": (54, [66, 284], [175]),
    "6": (50, spread(3), []),
    "7": (48, spread(3), [115.5]),
    "8": (48, spread(3), [115.5, 234.5]),
    "9": (46, spread(4), [175]),
    "10": (46, spread(4), [95.5, 254.5]),
}


def suit_paint(suit: str) -> str:
    """The paint of one suit: a CSS variable the page may set, with a colour to fall back on."""
    return f"var(--suit-{suit.lower()},{SUITS[suit]})"


def printed(outline: str, spots: Iterable[Spot], digits: int = 1) -> str:
    """Path data of a shape at every spot, in relative coordinates, which pack well. One path is cheaper to show than a
    shape that is used many times, however small it is."""
    text = ""
    x = y = 0.0
    for middle_x, middle_y, size in spots:
        for command, numbers in re.findall(r"([MLCaZz])([^MLCaZz]*)", outline):
            values = [float(number) * size / 100 for number in numbers.split()]
            if command == "a":  # half a circle
                radius, across = abs(round(values[0], digits)), round(values[5], digits)
                text += f"a{radius:g} {radius:g} 0 1 1 {across:g} 0".replace(" -", "-")
                continue
            points = [
                (round(px + middle_x, digits), round(py + middle_y, digits))
                for px, py in zip(values[::2], values[1::2], strict=True)
            ]
            if not points:
                text += "z"
            elif command == "M":
                text += f"M{points[0][0]:g} {points[0][1]:g}"
            else:
                text += command.lower() + " ".join(f"{px - x:.4g} {py - y:.4g}" for px, py in points).replace(" -", "-")
            x, y = points[-1] if points else (x, y)
    return text


def turned(shapes: str, name: str) -> str:
    """What is drawn around the card's middle, and again upside down."""
    middle = f"translate({MIDDLE_X:g} {MIDDLE_Y:g})"
    return f'<g transform="{middle}"><g id="{name}">{shapes}</g><use href="#{name}" transform="rotate(180)"/></g>'


def path(fill: str, d: str, line: str = "", width: float = 1) -> str:
    """One flat shape, or with a `line` around it."""
    edge = f' stroke="{line}" stroke-width="{width:g}"' if line else ""
    return f'<path fill="{fill}"{edge} d="{d}"/>'


def stroke(colour: str, width: float, d: str) -> str:
    """One line."""
    return f'<path {LINE} stroke="{colour}" stroke-width="{width:g}" d="{d}"/>'


# A court is the upper half of a figure, around the card's middle: within 62 to each side and 146 up.
FRAME = (62, 147)
# skin, hair, and whether it looks the other way
LOOKS = {
    "S": ("#eec49a", "#b5521c", False),
    "H": ("#f4d0a8", "#35201a", True),
    "D": ("#8f5a36", "#1d1613", False),
    "C": ("#d79c68", "#5a3216", True),
}
FACE = "M-22 -104L22 -104L22 -82C22 -66 12 -57 0 -57C-12 -57 -22 -66 -22 -82Z"


def face(skin: str) -> str:
    """Neck, face, cheeks, eyes, nose and mouth."""
    eyes = circle(-9, -88, 2.8) + circle(9, -88, 2.8)
    return (
        path(skin, "M-10 -66L10 -66L10 -46L-10 -46Z" + FACE)
        + stroke(INK, 2, "M-14 -96C-11 -98 -8 -98 -5 -96M5 -96C8 -98 11 -98 14 -96")
        + path(INK, eyes)
        + stroke(BRASS, 2, "M0 -88L-3 -78L1 -77")
    )


def robe(paint: str) -> str:
    """Shoulders down to the belt, where the other half begins."""
    return path(paint, "M-62 0L-62 -26C-58 -46 -36 -52 -12 -56L12 -56C36 -52 58 -46 62 -26L62 0Z") + stroke(
        GOLD, 3, "M-38 -46L-30 0M38 -46L30 0"
    )


def king(suit: str, paint: str) -> str:
    """A tall crown, a beard, an ermine collar, a sword."""
    skin, hair, _ = LOOKS[suit]
    sword = stroke(BRASS, 5, "M46 -14L46 -30") + path("#e9eef0", "M43 -38L43 -118L46 -128L49 -118L49 -38Z", INK)
    sword += stroke(GOLD, 5, "M36 -37L56 -37") + path(skin, circle(46, -24, 8))
    beard = "M-24 -90C-22 -78 -14 -76 0 -76C14 -76 22 -78 24 -90L25 -72C24 -52 12 -38 0 -34C-12 -38 -24 -52 -25 -72Z"
    return (
        robe(paint)
        + path(CREAM, "M-30 -54C-20 -60 20 -60 30 -54C30 -34 16 -14 0 -8C-16 -14 -30 -34 -30 -54Z")
        + stroke(INK, 3.5, "M-19 -42L-19 -39M19 -42L19 -39M-8 -24L-8 -21M8 -24L8 -21")
        + path(hair, "M-27 -106L27 -106L29 -66C22 -60 -22 -60 -29 -66Z")
        + face(skin)
        + path(hair, beard)
        + path(LIPS, "M-6 -67C-3 -69 3 -69 6 -67C4 -63 -4 -63 -6 -67Z")
        + path(GOLD, "M-27 -102L-31 -132L-15 -118L0 -140L15 -118L31 -132L27 -102Z")
        + path(BRASS, "M-27 -106L27 -106L27 -101L-27 -101Z")
        + path(paint, printed(PIPS[suit], [(0, -117, 13)]))
        + sword
    )


def queen(suit: str, paint: str) -> str:
    """Long hair under a small crown with pearls, a lace collar, a flower."""
    skin, hair, _ = LOOKS[suit]
    flower = stroke("#4f7a3a", 3.5, "M44 -10C44 -34 46 -50 44 -74M45 -44L34 -54M45 -36L55 -46")
    petals = "".join(circle(44 + x, -84 + y, 7) for x, y in ((0, -9), (9, -2), (5, 8), (-5, 8), (-9, -2)))
    flower += path(paint, petals) + path(GOLD, circle(44, -84, 5)) + path(skin, circle(44, -24, 8))
    return (
        path(
            hair,
            "M0 -124C22 -124 33 -110 34 -90C35 -66 42 -52 38 -30L-38 -30C-42 -52 -35 -66 -34 -90"
            "C-33 -110 -22 -124 0 -124Z",
        )
        + robe(paint)
        + path(
            hair,
            "M-34 -70C-34 -48 -40 -38 -44 -24L-26 -28C-24 -44 -22 -56 -22 -70ZM34 -70C34 -48 40 -38 44 -24L26 -28"
            "C24 -44 22 -56 22 -70Z",
        )
        + path(CREAM, "M-26 -54L-10 -58L0 -34L10 -58L26 -54L20 -36L10 -26L0 -16L-10 -26L-20 -36Z")
        + face(skin)
        + path(hair, "M-24 -80C-24 -100 -14 -106 0 -112C14 -106 24 -100 24 -80L29 -108L0 -122L-29 -108Z")
        + path(LIPS, "M-6 -69C-3 -72 -1 -71 0 -70C1 -71 3 -72 6 -69C4 -64 -4 -64 -6 -69Z")
        + path("#0002", circle(-14, -77, 4.5) + circle(14, -77, 4.5))
        + path(
            GOLD,
            "M-24 -110C-26 -118 -26 -124 -27 -128C-18 -126 -14 -122 -12 -118C-8 -124 -4 -130 0 -136"
            "C4 -130 8 -124 12 -118C14 -122 18 -126 27 -128C26 -124 26 -118 24 -110C10 -114 -10 -114 -24 -110Z",
        )
        + path(CREAM, circle(-27, -129, 3.5) + circle(0, -138, 4) + circle(27, -129, 3.5))
        + path(GOLD, circle(0, -42, 3.5))
        + flower
    )


def knave(suit: str, paint: str) -> str:
    """A cap with a feather, a page's hair, a staff with the suit on it."""
    skin, hair, _ = LOOKS[suit]
    staff = stroke(BRASS, 4, "M46 0L46 -92") + path(GOLD, circle(46, -104, 14))
    staff += path(paint, printed(PIPS[suit], [(46, -104, 19)])) + path(skin, circle(46, -24, 8))
    return (
        robe(paint)
        + path(GOLD, "M-24 -55L24 -55L0 -20Z")
        + path(CREAM, "M-16 -56L16 -56L0 -34Z")
        + path(
            hair,
            "M-27 -104L27 -104C29 -90 29 -80 33 -68C26 -62 20 -66 18 -72L-18 -72C-20 -66 -26 -62 -33 -68"
            "C-29 -80 -29 -90 -27 -104Z",
        )
        + face(skin)
        + path(hair, "M-22 -92L-22 -106L22 -106L22 -92C14 -98 8 -101 2 -101C-6 -101 -14 -98 -22 -92Z")
        + stroke(LIPS, 2.5, "M-6 -70C-2 -66 4 -66 7 -71")
        + path(paint, "M-32 -104C-34 -122 -14 -130 4 -130C24 -130 34 -118 32 -104C12 -110 -12 -110 -32 -104Z")
        + path(GOLD, "M-33 -101C-12 -109 12 -109 33 -101L32 -108C12 -115 -12 -115 -32 -108Z")
        + path(CREAM, "M-22 -112C-40 -112 -48 -124 -46 -142C-32 -140 -20 -130 -18 -114Z", BRASS)
        + staff
    )


def jester() -> str:
    """A cap with two horns and bells, and a wide smile."""
    return (
        path(WINE, "M-62 0L-62 -26C-58 -46 -36 -52 -12 -56L0 -56L0 0Z")
        + path(GOLD, "M62 0L62 -26C58 -46 36 -52 12 -56L0 -56L0 0Z")
        + path(CREAM, "M0 -60L30 -56L40 -36L20 -40L14 -22L0 -38L-14 -22L-20 -40L-40 -36L-30 -56Z")
        + face("#f4d0a8")
        + path(LIPS, "M-12 -72C-6 -69 6 -69 12 -72C10 -60 -10 -60 -12 -72Z")
        + path("#0002", circle(-15, -77, 4.5) + circle(15, -77, 4.5))
        + path(WINE, "M0 -104L-24 -96C-26 -102 -30 -104 -36 -98L-50 -84C-58 -112 -34 -142 0 -126Z")
        + path(GOLD, "M0 -104L24 -96C26 -102 30 -104 36 -98L50 -84C58 -112 34 -142 0 -126Z")
        + path(GOLD, circle(-50, -80, 7))
        + path(WINE, circle(50, -80, 7))
    )


def court(name: str, half: str) -> str:
    """A framed picture of two halves."""
    x, y = FRAME
    frame = f'x="{MIDDLE_X - x:g}" y="{MIDDLE_Y - y:g}" width="{2 * x}" height="{2 * y}"'
    return (
        f'<rect {frame} fill="{CREAM}"/>{turned(half, name)}'
        f'<path stroke="{GOLD}" stroke-width="7" d="M{MIDDLE_X - x:g} {MIDDLE_Y:g}h{2 * x}"/>'
        f'<rect {frame} rx="3" fill="none" stroke="{GOLD}" stroke-width="3"/>'
    )


def corners(figure: str, width: float, *spots: Spot) -> str:
    """A figure's strokes in both corners."""
    both = [*spots, *((WIDTH - x, HEIGHT - y, -size) for x, y, size in spots)]
    return f'stroke-width="{width:g}" d="{printed(figure, both)}"'


def card(rank: str, suit: str) -> str:
    """One card as a symbol."""
    paint = suit_paint(suit)
    index = f'<path {LINE} stroke="{paint}" {corners(FIGURES[rank], STROKE, (CORNER_X, RANK_Y, RANK))}/>'
    spots: list[Spot] = [(CORNER_X, SIGN_Y, SIGN), (WIDTH - CORNER_X, HEIGHT - SIGN_Y, -SIGN)]
    centre = ""
    if rank in "JQK":
        half = {"J": knave, "Q": queen, "K": king}[rank](suit, paint)
        if LOOKS[suit][2]:
            half = f'<g transform="scale(-1 1)">{half}</g>'
        centre = court(f"half-{rank}{suit}", half)
    else:
        size, outer, inner = PLACES[rank]
        if rank + suit == "AS":  # the ace of spades traditionally gets some ornament
            size = 160
            centre = stroke(GOLD, 2.5, printed(PIPS["S"], [(MIDDLE_X, MIDDLE_Y, 132)]))
            centre += path(GOLD, printed(PIPS["H"], [(MIDDLE_X, MIDDLE_Y + 8, 34)]))
        places = [(x, y) for y in outer for x in (LEFT, RIGHT)] + [(MIDDLE_X, y) for y in inner]
        spots += [(x, y, -size if y > MIDDLE_Y else size) for x, y in places]
    return symbol(rank + suit, f'{index}<path fill="{paint}" d="{printed(PIPS[suit], spots)}"/>{centre}')


def joker() -> str:
    """The word down both edges, and a jester."""
    word = [(one, 30 + 31 * at) for at, one in enumerate("JOKER")]
    d = "".join(
        printed((FIGURES | LETTERS)[one], [(CORNER_X - 3, y, 27), (WIDTH - CORNER_X + 3, HEIGHT - y, -27)])
        for one, y in word
    )
    index = stroke(f"var(--suit-joker,{WINE})", 5.5, d)
    return symbol("JK", index + court("half-JK", jester()))


def back() -> str:
    """A panel of lozenges, and a clover of four leaves in a ring of brass."""
    step_x, step_y = (WIDTH - 44) / LOZENGES[0], (HEIGHT - 44) / LOZENGES[1]

    def spot(column: float, row: float) -> str:
        return f"{22 + column * step_x:.4g} {22 + row * step_y:.4g}"

    lines, dots = "", ""
    for row in range(LOZENGES[1]):
        for first in (0, 1):  # down and up again, and up and down
            lines += "M" + "L".join(spot(column, row + (column + first) % 2) for column in range(LOZENGES[0] + 1))
        dots += "".join(f"M{spot(column, row + (column + row) % 2)}h0" for column in range(1, LOZENGES[0]) if row)
    leaf = printed(PIPS["H"], [(MIDDLE_X, MIDDLE_Y - 15, 27), (MIDDLE_X, MIDDLE_Y + 15, -27)])
    return symbol(
        "back",
        f'<rect x="11" y="11" width="{WIDTH - 22}" height="{HEIGHT - 22}" rx="9" fill="{DEEP}"/>'
        + stroke(WINE_LIT, 4, lines)
        + stroke(GOLD, 5, dots)
        + f'<rect x="17" y="17" width="{WIDTH - 34}" height="{HEIGHT - 34}" rx="5" fill="none" stroke="{GOLD}"'
        + ' stroke-width="3"/>'
        + path(DEEP, circle(MIDDLE_X, MIDDLE_Y, 42), GOLD, 4)
        + path(GOLD, leaf)
        + f'<path fill="{GOLD}" transform="rotate(90 {MIDDLE_X:g} {MIDDLE_Y:g})" d="{leaf}"/>',
    )


def symbol(name: str, body: str) -> str:
    """A card-sized symbol: its paper and what is printed on it."""
    return f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{PAPER}{body}</symbol>\n'


def build() -> str:
    """The whole sprite's body."""
    body = "".join(card(rank, suit) for suit in SUITS for rank in RANKS) + joker() + back()
    for suit in SUITS:
        sign = f'<path fill="{suit_paint(suit)}" d="{printed(PIPS[suit], [(0, 0, 100)])}"/>'
        body += f'<symbol id="suit-{suit}" viewBox="-60 -60 120 120">{sign}</symbol>\n'
    return body


FIELD = 86  # how wide a rank or a suit is in the masks
FIELD_RANK, FIELD_RANKS, FIELD_STROKE, FIELD_NARROW = 116, 136, 20, 0.86
FIELD_SIGN, FIELD_SIGNS = 66, 68
FIELD_SMALL = (24, 42), (65, 43)  # a suit and its letter side by side: the middle of each, and how tall it is


def ranks() -> str:
    """Every rank, large."""
    figures = ""
    for at, rank in enumerate(RANKS):
        figures += printed(FIGURES[rank], [(FIELD * (at + 0.5) / FIELD_NARROW, FIELD_RANKS / 2, FIELD_RANK)])
    paint = f'stroke="{INK}" stroke-width="{FIELD_STROKE}" transform="scale({FIELD_NARROW} 1)"'
    return f'<path {LINE} {paint} d="{figures}"/>\n'


def signs() -> str:
    """Every suit, large, and again small with its letter."""
    y = FIELD_SIGNS / 2
    (sign_x, sign), (letter_x, letter) = FIELD_SMALL
    pips, letters = "", ""
    for at, suit in enumerate(SUITS):
        again = FIELD * (at + len(SUITS))
        pips += printed(PIPS[suit], [(FIELD * (at + 0.5), y, FIELD_SIGN), (again + sign_x, y, sign)])
        letters += printed(LETTERS[suit], [(again + letter_x, y, letter)])
    return path(INK, pips) + stroke(INK, 8, letters) + "\n"


def drawings() -> dict[str, tuple[str, tuple[int, int] | None]]:
    """The files: what is in each, and how large it is unless it is a sprite."""
    return {
        "cards.svg": (build(), None),
        "ranks.svg": (ranks(), (FIELD * len(RANKS), FIELD_RANKS)),
        "suits.svg": (signs(), (2 * FIELD * len(SUITS), FIELD_SIGNS)),
    }


def main(folder: Path) -> None:
    """Writes them."""
    for name, (body, size) in drawings().items():
        write(folder / name, "Our own deck, drawn by scripts/build_cards.py.", body, size)


if __name__ == "__main__":
    main(Path(__file__).resolve().parent.parent / "static")
