"""Build static/felt.png and static/wood.png, the nap of the felt and the grain of the walls: tiles of four films, two
that darken and two that lighten what they lie on.

    python -m scripts.build_grain
"""

import math
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

NAP, GRAIN = 0.04, 0.035  # how much the strongest film covers
FELT, WOOD = (96, 96), (320, 160)  # width and height; a width is a multiple of four, since four dots are a byte


def png(size: tuple[int, int], strength: float, film: Callable[[int, int], int]) -> bytes:
    """A picture of four films, of which `film` says the one at a place: 0 the darkest, 3 the lightest."""
    width, height = size
    rows = b""
    for y in range(height):
        dots = [film(x, y) for x in range(width)]
        fours = zip(dots[::4], dots[1::4], dots[2::4], dots[3::4], strict=True)
        rows += b"\0" + bytes(a << 6 | b << 4 | c << 2 | d for a, b, c, d in fours)
    strong, weak = round(255 * strength), round(255 * strength / 3)
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 2, 3, 0, 0, 0),
        b"PLTE": b"\0" * 6 + b"\xff" * 6,
        b"tRNS": bytes((strong, weak, weak, strong)),
        b"IDAT": zlib.compress(rows, 9),
        b"IEND": b"",
    }
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts.items()
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def felt() -> bytes:
    """Short fibres that lie anyhow."""
    dice = random.Random("felt")
    return png(FELT, NAP, lambda _x, _y: dice.choices(range(4), (1, 3, 3, 1))[0])


def wood() -> bytes:
    """Fibres that run across, and waver; both ends meet their other side."""
    dice = random.Random("wood")
    width, height = WOOD
    fibres = [dice.random() for _ in range(height)]
    round_about = 2 * math.pi / width

    def film(x: int, y: int) -> int:
        at = y + 1.6 * math.sin(round_about * x) + 0.9 * math.sin(2 * round_about * x + 6 * math.pi * y / height)
        above, part = int(at // 1), at % 1
        value = fibres[above % height] * (1 - part) + fibres[(above + 1) % height] * part
        return min(3, int(4 * value))

    return png(WOOD, GRAIN, film)


def drawings() -> dict[str, bytes]:
    """Both files."""
    return {"felt.png": felt(), "wood.png": wood()}


def main(folder: Path) -> None:
    """Writes them."""
    for name, picture in drawings().items():
        (folder / name).write_bytes(picture)


if __name__ == "__main__":
    main(Path(__file__).resolve().parent.parent / "static")
