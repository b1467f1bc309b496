"""Gathers the pages of the documentation into build/site-src, from where MkDocs makes the site: what lies in docs/, the
guide for makers of games and a few pages of the root, and the rules as players read them in a room.

A link to one of these pages stays one; of a link to a file of the checkout, which the site has not, the words stay."""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = {
    "README.md": "index.md",
    "docs/players.md": "players/index.md",
    "docs/hosts.md": "hosts.md",
    "docs/organisers.md": "organisers.md",
    "docs/operations.md": "operations.md",
    "docs/commands.md": "commands.md",
    "docs/fairness.md": "fairness.md",
    "docs/record.md": "record.md",
    "docs/opponents.md": "opponents.md",
    "docs/design.md": "design.md",
    "docs/look.md": "look.md",
    "docs/languages.md": "languages.md",
    "docs/browsers.md": "browsers.md",
    "docs/ears.md": "ears.md",
    "starter/GUIDE.md": "makers.md",
    "examples/hearts/RULES.md": "makers-rules.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "RELEASING.md": "releasing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changes.md",
} | {f"docs/rules/{path.name}": f"rules/{path.name}" for path in sorted((ROOT / "docs/rules").glob("*.md"))}
PICTURES: Final = (
    "static/readme/tables.webp",
    "static/favicon.svg",
    *(f"docs/pictures/{path.name}" for path in sorted((ROOT / "docs/pictures").iterdir())),
)
_LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_FENCE: Final = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_OUTSIDE: Final = ("http://", "https://", "mailto:")


def relinked(text: str, source: str) -> str:
    """The page with its links as the site has them; code stays as it is."""
    pieces = _FENCE.split(text)
    pieces[::2] = [_LINK.sub(lambda link: _link(link, source), piece) for piece in pieces[::2]]
    return "".join(pieces)


def _link(link: re.Match[str], source: str) -> str:
    mark, words, address = link.groups()
    path, hash_mark, anchor = address.partition("#")
    if address.startswith(_OUTSIDE) or not path:
        return link[0]
    named = os.path.normpath(Path(source).parent / path)
    named = f"{named}/README.md" if (ROOT / named).is_dir() else named
    if not (ROOT / named).exists():
        raise SystemExit(f"{source}: there is no {path}")
    there = named if named in PICTURES else PAGES.get(named)
    if there is None:
        return words
    way = os.path.relpath(there, Path(PAGES[source]).parent)
    return f"{mark}[{words}]({way}{hash_mark}{anchor})"


def rules_of(key: str) -> tuple[str, str]:
    """The name of a game, and its rules as a page of a room says them, without the pictures of cards."""
    from app.web.drawing import rules
    from app.web.pages.render import HOSTED

    (main,) = re.findall(r"<main.*?>(.*?)</main>", rules(key), re.DOTALL)
    for useless in (
        r'<div class="examples">.*?</div>\s*(?=</section>|<p|<ul|<div)',
        r"<figure.*?</figure>",
        r"<svg.*?</svg>",
        r'<img class="emblem"[^>]*>',
    ):
        main = re.sub(useless, "", main, flags=re.DOTALL)
    main = re.sub(r'<p class="buttons">.*?</p>', "", main, flags=re.DOTALL)
    main = main.replace("</strong><small>", "</strong>: <small>")
    main = re.sub(r'<a [^>]*href="/[^"]*"[^>]*>(.*?)</a>', r"\1", main, flags=re.DOTALL)
    return HOSTED[key].name, "\n".join(line.strip() for line in main.splitlines() if line.strip())


def main(folder: Path) -> None:
    """Writes everything into the folder, which is made anew."""
    from snug.games import GAMES

    shutil.rmtree(folder, ignore_errors=True)
    for source, page in PAGES.items():
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(relinked((ROOT / source).read_text(encoding="utf-8"), source), encoding="utf-8")
    for picture in PICTURES:
        target = folder / picture
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / picture, target)
    for key in GAMES:
        name, text = rules_of(key)
        lesson = f"![A lesson of {name} on a phone](../docs/pictures/{key}.webp){{ .lesson }}"
        (folder / f"players/{key}.md").write_text(f"---\ntitle: {name}\n---\n\n{text}\n\n{lesson}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
