"""What the environment decides, read once at start. See the README for what each setting is for."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_KEY_BYTES = 32


class BadSettings(ValueError):
    """A setting with which the room must not be started; the message names it."""


@dataclass(frozen=True)
class Settings:
    """`data` holds the database and the key; `public_url` (no trailing slash, may be empty) is how friends reach us;
    `webhooks` lets hosts name an address that is told what happens at their table; `direct_url` is PostgreSQL itself
    where `database_url` is that of a pooler in front of it, else empty; `any_push` lets notices go to any public
    address that a browser names, not only to the push services that browsers have."""

    data: Path
    database_url: str
    key: bytes
    public_url: str = ""
    trusted_proxies: str = "127.0.0.1"
    webhooks: bool = False
    direct_url: str = ""
    any_push: bool = False

    @property
    def is_https(self) -> bool:
        """Whether browsers reach the room over TLS, so that cookies may be marked secure."""
        return self.public_url.startswith("https://")

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is the built-in one: one file, one process."""
        return self.database_url.startswith("sqlite")

    @property
    def is_pooled(self) -> bool:
        """Whether two transactions may meet two connections, so that nothing can be kept on one."""
        return bool(self.direct_url)

    @property
    def session_url(self) -> str:
        """The database for whoever needs a connection to himself."""
        return self.direct_url or self.database_url


def read_settings(
    environ: Mapping[str, str] = os.environ, data: Path | None = None, database_url: str | None = None
) -> Settings:
    """Settings from SNUG_DATA, SNUG_DATABASE_URL, SNUG_DIRECT_URL, SNUG_SECRET_KEY, SNUG_PUBLIC_URL,
    SNUG_TRUSTED_PROXIES, SNUG_WEBHOOKS and SNUG_PUSH; the arguments win over the environment. Makes the data folder and
    the key. Raises BadSettings."""
    folder = data or Path(environ.get("SNUG_DATA", "data"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    public_url = environ.get("SNUG_PUBLIC_URL", "").rstrip("/")
    if public_url and not public_url.startswith(("http://", "https://")):
        raise BadSettings(f"SNUG_PUBLIC_URL must begin with http:// or https://, not {public_url!r}")
    webhooks = environ.get("SNUG_WEBHOOKS", "off")
    if webhooks not in ("on", "off"):
        raise BadSettings(f"SNUG_WEBHOOKS must be on or off, not {webhooks!r}")
    push = environ.get("SNUG_PUSH", "known")
    if push not in ("known", "any"):
        raise BadSettings(f"SNUG_PUSH must be known or any, not {push!r}")
    is_file = bool(database_url and database_url.startswith("sqlite"))  # whatever the environment says
    direct_url = "" if is_file else environ.get("SNUG_DIRECT_URL", "")
    database_url = database_url or environ.get("SNUG_DATABASE_URL") or f"sqlite:///{folder / 'snug.db'}"
    if direct_url and not all(url.startswith("postgresql") for url in (direct_url, database_url)):
        raise BadSettings(
            "SNUG_DIRECT_URL and SNUG_DATABASE_URL must both begin with postgresql: two ways to one database"
        )
    return Settings(
        data=folder,
        database_url=database_url,
        key=_read_key(folder / "signing.key", environ.get("SNUG_SECRET_KEY", "")),
        public_url=public_url,
        trusted_proxies=environ.get("SNUG_TRUSTED_PROXIES", "127.0.0.1"),
        webhooks=webhooks == "on",
        direct_url=direct_url,
        any_push=push == "any",
    )


def _read_key(path: Path, given: str) -> bytes:
    if given:
        if len(given) < _KEY_BYTES:
            raise BadSettings(f"SNUG_SECRET_KEY is too short: at least {_KEY_BYTES} characters")
        return given.encode()
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return _kept_key(path)
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_hex(_KEY_BYTES).encode())
    return path.read_bytes()


def _kept_key(path: Path) -> bytes:
    if path.stat().st_mode & 0o077:
        raise BadSettings(f"{path} can be read by others: run chmod 600 on it")
    key = path.read_bytes()
    if len(key) < _KEY_BYTES:
        raise BadSettings(f"{path} is too short to be a key: restore it from a backup, or set SNUG_SECRET_KEY")
    return key
