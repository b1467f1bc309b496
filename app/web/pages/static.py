"""Static files and their addresses: the stylesheet is joined from `static/css`, a game's own lies in its folder."""

import gzip
import hashlib
import re
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Receive, Scope, Send

from app.games import GAMES, package_of
from app.paths import STATIC

_TEXTS: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_REMARK: Final = re.compile(rb"^ *//.*\n", re.MULTILINE)
_PARTS = ("tokens", "base", "components", "cards", "pages", "table", "motion", "last")


@cache
def static_url(path: str) -> str:
    """The address of a static file, changing with its content, so that browsers may keep it for ever."""
    sheet = stylesheets().get(path)
    return f"/static/{path}?v={_digest((STATIC / path).read_bytes() if sheet is None else sheet)}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


@cache
def stylesheets() -> dict[str, bytes]:
    """`site.css`, and `games/<key>.css` for every game: nothing, if a game has no styles of its own."""
    sheets = {"site.css": b"\n".join((STATIC / "css" / f"{part}.css").read_bytes() for part in _PARTS)}
    for key in GAMES:
        own = files(package_of(key)) / "game.css"
        sheets[f"games/{key}.css"] = own.read_bytes() if own.is_file() else b""
    return sheets


class KeptForEver(StaticFiles):
    """Static files under addresses that change with their content; texts are compressed once."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_kept(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start" and b"v=" in scope["query_string"]:
                headers = message["headers"]
                assert isinstance(headers, list)
                headers.append((b"cache-control", b"public, max-age=31536000, immutable"))
            await send(message)

        await super().__call__(scope, receive, send_kept)  # type: ignore[arg-type]

    async def get_response(self, path: str, scope: Scope) -> Response:
        sheet = stylesheets().get(path)
        file = STATIC / path
        if scope["method"] not in ("GET", "HEAD") or not (sheet or (file.suffix in _TEXTS and file.is_file())):
            return await super().get_response(path, scope)
        if sheet is None:
            _full_path, found = self.lookup_path(path)
            if found is None:
                return await super().get_response(path, scope)
            plain, packed = _packed(path, found.st_mtime)
        else:
            plain, packed = sheet, _compressed(sheet)
        asked = Headers(scope=scope)
        is_packed = "gzip" in asked.get("accept-encoding", "")
        headers = {"ETag": f'"{_digest(plain)}{"-gzip" if is_packed else ""}"', "Vary": "Accept-Encoding"}
        if is_packed:
            headers["Content-Encoding"] = "gzip"
        answer = Response(packed if is_packed else plain, media_type=_TEXTS[Path(path).suffix], headers=headers)
        return NotModifiedResponse(answer.headers) if self.is_not_modified(answer.headers, asked) else answer


@lru_cache(200)
def _packed(path: str, _changed_at: float) -> tuple[bytes, bytes]:
    """A file and the same compressed; a script without the lines that are remarks, a fifth of its bytes."""
    plain = (STATIC / path).read_bytes()
    if path.endswith(".js"):
        plain = _REMARK.sub(b"", plain)
    return plain, _compressed(plain)


@lru_cache(200)
def _compressed(plain: bytes) -> bytes:
    return gzip.compress(plain, 9, mtime=0)
