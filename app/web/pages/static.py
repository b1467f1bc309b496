"""Static files and their addresses: the stylesheet is joined from `static/css`, a script from its modules, a game's own
lie in its folder."""

import gzip
import hashlib
import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from app.paths import STATIC
from app.web.pages.scripts import joined
from app.web.styles import for_older
from snug.games import GAMES, package_of

_TEXTS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_REMARKS: Final = {
    ".css": re.compile(rb"^ */\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL),
    ".js": re.compile(rb"^ *//[^\n]*\n|^ */\*\*(?:(?!\*/).)*\*/\n|/\*\*(?:(?!\*/).)*\*/ ", re.MULTILINE | re.DOTALL),
}
_IN_BOTH: Final = re.compile(rb"(--[\w-]+): light-dark\(([^(),]+), ([^(),]+)\)(?=;)")
_PAPER: Final = re.compile(rb':root\[data-theme="light"\](:not\(\[data-contrast="more"\]\)[^{]*\{[^}]*\})')
_MORE: Final = re.compile(rb':root\[data-contrast="more"\] \{([^}]*)\}')
_KINDS: Final = {**_TEXTS, ".png": "image/png"}
_OF_GAMES: Final[dict[str, Callable[[], bytes]]] = {
    "game.css": bytes,
    "emblem.svg": (STATIC / "emblem.svg").read_bytes,
    "preview.png": (STATIC / "home" / "preview.png").read_bytes,
}
_PARTS = (
    "tokens",
    "base",
    "components",
    "cards",
    "pages",
    "table",
    "stage",
    "looks",
    "hand",
    "motion",
    "large",
    "last",
)


@cache
def static_url(path: str) -> str:
    """The address of a static file, changing with its content, so that browsers may keep it for ever."""
    made = made_here().get(path)
    return f"/static/{path}?v={_digest((STATIC / path).read_bytes() if made is None else made)}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:8]


@cache
def made_here() -> dict[str, bytes]:
    """`site.css`, the scripts, and for every game `games/<key>.css`, `.svg` and `.png`: its styles (nothing, if it has
    none of its own), its emblem and its picture for links (the room's, if it has none of its own)."""
    sheets = b"\n".join((STATIC / "css" / f"{part}.css").read_bytes() for part in _PARTS)
    plain = _MORE.sub(b"", sheets)
    made = {"site.css": _sent(".css", plain) + _by_daylight(plain) + _by_contrast(sheets)}
    made |= {script.name: _sent(".js", joined(script)) for script in STATIC.glob("*.js")}
    for key in GAMES:
        folder = files(package_of(key))
        for own, usual in _OF_GAMES.items():
            file = folder / own
            suffix = Path(own).suffix
            made[f"games/{key}{suffix}"] = _sent(suffix, file.read_bytes() if file.is_file() else usual())
    return made


def _sent(suffix: str, text: bytes) -> bytes:
    """A file without its lines of remarks; styles by lamp light, and in words that older browsers know."""
    if suffix not in _REMARKS:
        return text
    told = _REMARKS[suffix].sub(b"", text)
    return for_older(_IN_BOTH.sub(rb"\1: \3", told).decode()).encode() if suffix == ".css" else told


def _by_daylight(sheets: bytes) -> bytes:
    """Each colour that is told for both lights, as it is by daylight, and where that shines: browsers from before 2024
    know no `light-dark()`."""
    colours = b" ".join(b"%b: %b;" % found[:2] for found in _IN_BOTH.findall(sheets))
    paper = b"".join(_PAPER.findall(sheets))
    return b"""@layer tokens {
  @media screen and (prefers-contrast: no-preference) and (prefers-color-scheme: light) {
    :root[data-theme="auto"]%b
  }
  :root[data-theme="light"] { %b }
  @media (prefers-color-scheme: light) { :root[data-theme="auto"] { %b } }
  @media print { :root[data-theme] { %b } }
}
""" % (paper, colours, colours, colours)


def _by_contrast(sheets: bytes) -> bytes:
    """The colours of more contrast, in both lights: where they are chosen, and where the browser asks for them."""
    pairs = _IN_BOTH.findall(b" ".join(_MORE.findall(sheets)))
    light = b" ".join(b"%b: %b;" % (name, one) for name, one, _ in pairs)
    dark = b" ".join(b"%b: %b;" % (name, other) for name, _, other in pairs)
    return b"""@media screen { @layer tokens {
  :root[data-contrast="more"] { %(dark)b }
  :root[data-contrast="more"][data-theme="light"] { %(light)b }
  @media (prefers-color-scheme: light) { :root[data-contrast="more"][data-theme="auto"] { %(light)b } }
  @media (prefers-contrast: more) { :root[data-contrast][data-theme] { %(dark)b } }
  @media (prefers-contrast: more) { :root[data-contrast][data-theme="light"] { %(light)b } }
  @media (prefers-contrast: more) and (prefers-color-scheme: light) {
    :root[data-contrast][data-theme="auto"] { %(light)b }
  }
} }
""" % {b"dark": dark, b"light": light}


@cache
def wall_colour() -> str:
    """The colour of the room before a page of it is there."""
    found = re.search(rb"--wall: (#\w+);", made_here()["site.css"])
    assert found
    return found[1].decode()


class KeptForEver(StaticFiles):
    """Static files under addresses that change with their content; texts are compressed once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await self._response(path, scope)
        if b"v=" in scope["query_string"]:
            response.headers["Cache-Control"] = ", ".join(("public", "max-age=31536000", "immutable"))
        return response

    async def _response(self, path: str, scope: Scope) -> Response:
        made = made_here().get(path)
        file = STATIC / path
        if scope["method"] not in ("GET", "HEAD") or not (made or (file.suffix in _TEXTS and file.is_file())):
            return await super().get_response(path, scope)
        if made is None:
            _full_path, found = self.lookup_path(path)
            if found is None:
                return await super().get_response(path, scope)
            plain, packed = _packed(path, found.st_mtime)
        else:
            plain, packed = made, _compressed(made)
        asked = Headers(scope=scope)
        is_packed = len(packed) < len(plain) and "gzip" in asked.get("accept-encoding", "")
        headers = {"ETag": f'"{_digest(plain)}{"-gzip" if is_packed else ""}"', "Vary": "Accept-Encoding"}
        if is_packed:
            headers["Content-Encoding"] = "gzip"
        answer = Response(packed if is_packed else plain, media_type=_KINDS[Path(path).suffix], headers=headers)
        return NotModifiedResponse(answer.headers) if self.is_not_modified(answer.headers, asked) else answer


@lru_cache(200)
def _packed(path: str, _changed_at: float) -> tuple[bytes, bytes]:
    plain = _sent(Path(path).suffix, (STATIC / path).read_bytes())
    return plain, _compressed(plain)


@lru_cache(200)
def _compressed(plain: bytes) -> bytes:
    return gzip.compress(plain, 9, mtime=0)
