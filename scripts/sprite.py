"""Helpers shared by the sprite builders: shrink SVG path data, wrap and write a sprite."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}
TOKEN = re.compile(r"([MLHVCSQAZmlhvcsqaz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")

Segment = tuple[str, list[float]]


def segments(d: str) -> Iterator[Segment]:
    """Yield path data as absolute M, L, C, Q, A and Z segments (H, V and S are expanded). T is not supported."""
    tokens = TOKEN.findall(d)
    index, command = 0, ""
    x = y = start_x = start_y = 0.0
    handle = (0.0, 0.0)
    while index < len(tokens):
        if tokens[index][0]:
            command = tokens[index][0]
            index += 1
        kind, relative = command.upper(), command.islower()
        values = [float(number) for _, number in tokens[index : index + ARITY[kind]]]
        index += len(values)
        if kind == "Z":
            yield "Z", []
            x, y = start_x, start_y
            handle = (x, y)
            continue
        if relative:
            offsets = {"H": [x], "V": [y], "A": [0, 0, 0, 0, 0, x, y]}.get(kind, [x, y] * 3)
            values = [value + offset for value, offset in zip(values, offsets, strict=False)]
        if kind == "H":
            kind, values = "L", [values[0], y]
        elif kind == "V":
            kind, values = "L", [x, values[0]]
        elif kind == "S":
            kind, values = "C", [2 * x - handle[0], 2 * y - handle[1], *values]
        yield kind, values
        x, y = values[-2:]
        handle = (values[2], values[3]) if kind == "C" else (x, y)
        if kind == "M":
            start_x, start_y = x, y
            command = "l" if relative else "L"


def number(value: float) -> str:
    """A number as short SVG text: 0.50 becomes .5, -0 becomes 0."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", text) if text not in ("-0", "") else "0"


def joined(values: list[float]) -> str:
    """Numbers with a separator only where the next one would otherwise run into the last."""
    text = ""
    for part in map(number, values):
        glued = not text or part[0] == "-" or (part[0] == "." and "." in re.split(r"[ -]", text)[-1])
        text += part if glued else " " + part
    return text


def shrink(
    d: str, *, scale: float = 1, move: tuple[float, float] = (0, 0), mirror: bool = False, digits: int = 0
) -> str:
    """Shorter path data: mirrored in x if asked, scaled (and turned, if that is negative), moved, rounded to `digits`
    decimals."""
    flip = -scale if mirror else scale

    def place(px: float, py: float) -> tuple[float, float]:
        return round(px * flip + move[0], digits), round(py * scale + move[1], digits)

    text, last = "", ""
    x = y = start_x = start_y = 0.0
    handle: tuple[float, float] | None = None

    def emit(kind: str, absolute: list[float], relative: list[float]) -> None:
        nonlocal text, last
        options = []
        for command, values in ((kind.lower(), relative), (kind, absolute)):
            body = joined([round(value, digits) for value in values])
            implied = command == last or (command == "l" and last == "m") or (command == "L" and last == "M")
            spacer = "" if body[:1] == "-" else " "
            options.append((spacer + body if implied else command + body, command))
        best, last = min(options, key=lambda option: len(option[0]) - option[1].islower())  # what repeats packs better
        text += best

    for kind, values in segments(d):
        if kind == "Z":
            if last not in ("z", ""):
                text, last = text + "z", "z"
            x, y, handle = start_x, start_y, None
            continue
        if kind == "A":
            rx, ry, turn, large, sweep, px, py = values
            end = place(px, py)
            if end == (x, y):
                continue
            radii = [max(round(radius * abs(scale), digits), 10.0**-digits) for radius in (rx, ry)]
            turn = 0 if rx == ry else -turn if mirror else turn
            shape = [*radii, turn, large, 1 - sweep if mirror else sweep]
            emit("A", [*shape, *end], [*shape, end[0] - x, end[1] - y])
            handle = None
        else:
            points = [place(*values[i : i + 2]) for i in range(0, len(values), 2)]
            end = points[-1]
            if kind != "M" and all(point == (x, y) for point in points):
                continue
            if kind == "C" and straight((x, y), points, 0.5 * 10.0**-digits):
                kind, points = "L", [end]
            if kind == "C" and handle is not None and near(points[0], (2 * x - handle[0], 2 * y - handle[1]), digits):
                kind, points = "S", points[1:]
            if kind == "L" and end[1] == y:
                emit("H", [end[0]], [end[0] - x])
            elif kind == "L" and end[0] == x:
                emit("V", [end[1]], [end[1] - y])
            else:
                flat = [value for point in points for value in point]
                emit(kind, flat, [value - (x, y)[i % 2] for i, value in enumerate(flat)])
            handle = points[-2] if kind in "CS" else None
        x, y = end
        if kind == "M":
            start_x, start_y = x, y
    return text


def straight(start: tuple[float, float], points: list[tuple[float, float]], slack: float) -> bool:
    """True if a curve's two handles lie on its chord to within `slack`."""
    dx, dy = points[-1][0] - start[0], points[-1][1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5
    if not length:
        return False
    for px, py in points[:2]:
        along = ((px - start[0]) * dx + (py - start[1]) * dy) / length
        away = abs((px - start[0]) * dy - (py - start[1]) * dx) / length
        if away > slack or not -slack <= along <= length + slack:
            return False
    return True


def near(one: tuple[float, float], other: tuple[float, float], digits: int) -> bool:
    """True if two points differ by no more than one step of the rounding grid."""
    step = 1.01 * 10.0**-digits
    return abs(one[0] - other[0]) <= step and abs(one[1] - other[1]) <= step


def write(path: Path, comment: str, body: str, size: tuple[int, int] | None = None) -> None:
    """Write `body` as an SVG with `comment` on top, a picture of this `size` or else a hidden sprite, after checking
    XML, unique ids and the strict CSP."""
    box = ' width="{0}" height="{1}" viewBox="0 0 {0} {1}"'.format(*size) if size else ""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"{box}>\n<!-- {comment} -->\n{body}</svg>\n'
    root = ElementTree.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    if len(ids) != len(set(ids)):
        raise ValueError(f"{path.name}: an id is used twice")
    missing = {ref[1:] for element in root.iter() if (ref := element.get("href"))} - set(ids)
    if missing:
        raise ValueError(f"{path.name}: nothing has the id {sorted(missing)}")
    for element in root.iter():
        if element.tag.rpartition("}")[2] in ("style", "script") or "style" in element.attrib:
            raise ValueError(f"{path.name}: inline style or script would break the content security policy")
    path.write_text(svg, encoding="utf-8")
