"""What the sprite builders share: a sprite is checked, and written."""

from pathlib import Path
from xml.etree import ElementTree


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
