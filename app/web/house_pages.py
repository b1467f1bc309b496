"""What whoever runs the room has to say: whom to write to, what is kept of guests, who answers for it. Plain Markdown
in a folder, read when the room opens."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from markdown_it import MarkdownIt
from markupsafe import Markup

from app.settings import BadSettings
from snug.words import Message, gettext

TITLES: Final[Mapping[str, Message]] = {
    "contact": gettext("Contact"),
    "privacy": gettext("Privacy"),
    "imprint": gettext("Imprint"),
}
_LARGEST: Final = 200_000
# No HTML of its own, no addresses that run anything, no pictures: a page sends nobody elsewhere by being looked at.
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_EXPIRES: Final = re.compile(r"^Expires:\s*(\S+)\s*$", re.MULTILINE | re.IGNORECASE)


class HousePages(msgspec.Struct, frozen=True):
    """The pages there are by their names, in the order of `TITLES`, and `security.txt`, empty if there is none."""

    pages: Mapping[str, Markup] = {}
    security: str = ""

    @property
    def links(self) -> tuple[tuple[str, Message], ...]:
        """The address and the title of each."""
        return tuple((f"/about/{name}", TITLES[name]) for name in self.pages)


def read_house_pages(folder: Path | None) -> HousePages:
    """What is in the folder, nothing where none is named. Raises BadSettings, which names the file at fault."""
    if folder is None:
        return HousePages()
    if not folder.is_dir():
        raise BadSettings(f"SNUG_PAGES: there is no folder {folder}")
    for file in sorted(folder.glob("*.md")):
        if file.stem not in TITLES:
            raise BadSettings(f"SNUG_PAGES: {file} is none of {', '.join(f'{name}.md' for name in TITLES)}")
    texts = {name: _read(folder / f"{name}.md") for name in TITLES}
    security = _read(folder / "security.txt")
    if security:
        _check_security(folder / "security.txt", security)
    return HousePages({name: Markup(_MARKDOWN.render(text)) for name, text in texts.items() if text}, security)


def _read(file: Path) -> str:
    """The text of a file, empty where there is none."""
    if not file.exists():
        return ""
    try:
        if file.stat().st_size > _LARGEST:
            raise BadSettings(f"SNUG_PAGES: {file} has more than {_LARGEST:,} bytes")
        return file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        raise BadSettings(f"SNUG_PAGES: {file} cannot be read: {error}") from error


def _check_security(file: Path, text: str) -> None:
    """RFC 9116: whom to write to, and until when that holds."""
    expires = _EXPIRES.findall(text)
    if not re.search(r"^Contact:\s*(mailto:|https:|tel:)\S", text, re.MULTILINE | re.IGNORECASE) or len(expires) != 1:
        raise BadSettings(f"SNUG_PAGES: {file} needs a line “Contact: mailto:…” or “https:…” and one “Expires: …”")
    try:
        until = datetime.fromisoformat(expires[0])
    except ValueError as error:
        raise BadSettings(f"SNUG_PAGES: {file} expires at {expires[0]!r}; write 2027-12-31T00:00:00Z") from error
    if (until if until.tzinfo else until.replace(tzinfo=UTC)) < datetime.now(UTC):
        raise BadSettings(f"SNUG_PAGES: {file} expired at {expires[0]}: see whether it still holds, and say until when")
