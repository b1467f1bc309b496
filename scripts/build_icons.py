"""Build static/icons.svg, one sprite of the line icons the pages use.

In:  the unpacked npm package lucide-static 1.62.0 (ISC licence). To reproduce:
         npm pack lucide-static@1.62.0 && tar xzf lucide-static-1.62.0.tgz
         python -m scripts.build_icons package
Out: static/icons.svg; a symbol's id is the icon's Lucide name, drawn in the text colour:
         <svg class="icon"><use href="/static/icons.svg#crown"/></svg>
To add an icon, add its name to ICONS and run this again.
"""

import argparse
import re
from pathlib import Path
from xml.etree import ElementTree

from scripts.sprite import write

ICONS = [
    "arrow-down",
    "arrow-up",
    "arrow-up-down",
    "bell",
    "bell-off",
    "book-open",
    "bot",
    "check",
    "chevron-right",
    "circle-help",
    "clock",
    "copy",
    "crown",
    "door-closed",
    "download",
    "eye",
    "graduation-cap",
    "lamp",
    "lightbulb",
    "link",
    "lock",
    "log-out",
    "menu",
    "message-circle",
    "palette",
    "pause",
    "play",
    "qr-code",
    "rotate-ccw",
    "send",
    "settings",
    "share-2",
    "shuffle",
    "skip-back",
    "skip-forward",
    "smartphone",
    "trophy",
    "user-plus",
    "users",
    "volume-2",
    "volume-x",
    "x",
]

PAINT = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'


def icon(package: Path, name: str) -> str:
    """One icon of the package as a symbol."""
    text = (package / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(re.sub(r'\sxmlns="[^"]*"', "", text))
    shapes = "".join(ElementTree.tostring(shape, encoding="unicode").strip() for shape in root)
    return f'<symbol id="{name}" viewBox="0 0 24 24" {PAINT}>{shapes.replace(" />", "/>")}</symbol>\n'


def main() -> None:
    """Read the package folder from the command line and write the sprite."""
    parser = argparse.ArgumentParser(description="Build static/icons.svg from lucide-static 1.62.0.")
    parser.add_argument("package", type=Path, help="the unpacked npm package folder")
    package = parser.parse_args().package
    target = Path(__file__).resolve().parent.parent / "static" / "icons.svg"
    comment = "Built by scripts/build_icons.py. Icons from Lucide, ISC licence: see static/vendor/lucide/."
    write(target, comment, "".join(icon(package, name) for name in ICONS))


if __name__ == "__main__":
    main()
