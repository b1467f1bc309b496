"""Curves as an SVG file: one panel for each thing that grows, both axes logarithmic."""

from collections.abc import Mapping
from html import escape
from math import floor, log10
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 340, 260, 56, 40, 44
COLOURS = ("#1f6f50", "#b4552d", "#2d4d8b", "#7a4a8c")
Curves = Mapping[str, Mapping[int, float]]


def write_plot(path: Path, panels: Mapping[str, Curves]) -> None:
    """Writes the panels (by the words under them) with their curves (by name; milliseconds by size) side by side."""
    drawn = [
        f'<g transform="translate({number * WIDTH} 0)">{_panel(words, curves)}</g>'
        for number, (words, curves) in enumerate(panels.items())
    ]
    size = f'width="{WIDTH * len(panels)}" height="{HEIGHT}"'
    style = "text{font:12px sans-serif}path{fill:none;stroke-width:2}line{stroke:#ccc}"
    sheet = f'<style>{style}</style><rect width="100%" height="100%" fill="#fff"/>'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{sheet}{"".join(drawn)}</svg>\n', "utf-8")


def _panel(words: str, curves: Curves) -> str:
    sizes = [size for curve in curves.values() for size in curve]
    values = [value for curve in curves.values() for value in curve.values()]
    low, high = floor(log10(min(values))), floor(log10(max(values))) + 1
    first, last = log10(min(sizes)), log10(max(sizes))

    def x(size: float) -> float:
        return LEFT + (WIDTH - LEFT - 20) * (log10(size) - first) / ((last - first) or 1)

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - log10(value)) / (high - low)

    parts = [f'<text x="{LEFT}" y="{HEIGHT - 8}">{escape(words)}</text>']
    for power in range(low, high + 1):
        height = y(10.0**power)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{height:.1f}" y2="{height:.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{10.0**power:g} ms</text>')
    for size in sorted({min(sizes), max(sizes)}):
        parts.append(f'<text x="{x(size):.1f}" y="{HEIGHT - 26}" text-anchor="middle">{size:,}</text>')
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        line = " L".join(f"{x(size):.1f} {y(value):.1f}" for size, value in curve.items())
        parts.append(f'<path d="M{line}" stroke="{colour}"/>')
        parts.append(f'<text x="{LEFT + 90 * number}" y="22" fill="{colour}">{escape(name)}</text>')
    return "".join(parts)
