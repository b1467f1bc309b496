"""What the environment decides, read once at start. See the README for what each setting is for."""

import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ANYONE: Final = "anyone"
KNOWN: Final = "known"  # who has played here
HERE: Final = "here"  # who asks on this machine
KEEPER: Final = "keeper"  # whoever came to the room first
_KEY_BYTES = 32
_LEAST_LETTERS = 8  # different ones; 32 random hexadecimal digits have 14 on average
_EXAMPLES = (
    b"changeme",
    b"complexrandomsecret",
    b"example",
    b"insecure",
    b"myscretkey",
    b"nondevsecret",
    b"password",
    b"placeholder",
    b"randomgeneratedsecret",
    b"replaceme",
    b"secretkey",
    b"thisisasecret",
    b"yoursecret",
    b"0123456789abcdef0123456789abcdef",
    b"12345678901234567890123456789012",
    b"abcdefghijklmnopqrstuvwxyz",
)


class BadSettings(ValueError):
    """A setting with which the room must not be started; the message names it."""


@dataclass(frozen=True)
class Limits:
    """What strangers may take of the room. `connections` of one address at once; in an hour, `guest_tables` opened by
    one guest and `tables` from one address, likewise `guest_tournaments`, `tournaments`, `guest_circles`, `circles`,
    `guest_bots` and `bots` in tournaments, `guest_hints` and `hints`, `guest_reviews` and `reviews` of matches, and
    `newcomers` from one address; in a minute, `moves` of records replayed for one address. At any time, `guest_open`
    tables of one guest that are not over, and `open` in the room."""

    connections: int = 40
    guest_tables: int = 20
    tables: int = 80
    guest_tournaments: int = 6
    tournaments: int = 12
    guest_circles: int = 6
    circles: int = 12
    guest_bots: int = 512
    bots: int = 1024
    guest_hints: int = 120
    hints: int = 480
    guest_reviews: int = 12
    reviews: int = 36
    newcomers: int = 300
    moves: int = 240_000
    guest_open: int = 60
    open: int = 20_000


def read_limits(text: str) -> Limits:
    """The limits with those in place that the text names, as in "tables=40 open=500". Raises BadSettings."""
    limits = Limits()
    for part in text.replace(",", " ").split():
        name, _, number = part.partition("=")
        if not (hasattr(limits, name) and number.isascii() and number.isdecimal() and len(number) < 10 and int(number)):
            names = ", ".join(field.name for field in fields(Limits))
            raise BadSettings(f"SNUG_LIMITS: {part!r} is not a limit; they are {names}, each with = and a number")
        limits = replace(limits, **{name: int(number)})
    return limits


@dataclass(frozen=True)
class Settings:
    """`data` holds the database and the key; `public_url` (no trailing slash, may be empty) is how friends reach us;
    `webhooks` lets hosts name an address that is told what happens at their table; `direct_url` is PostgreSQL itself
    where `database_url` is that of a pooler in front of it, else empty; `any_push` lets notices go to any public
    address that a browser names, not only to the push services that browsers have; after `forget_after` days the room
    forgets what nobody has touched, never if that is 0; `thinkers` processes think about the moves of sharp bots, with
    none it is done in between; with `json_log` every line of the log is JSON; `openers` may
    open tables; `metrics` is the token with which others read them, `HERE` or, where nothing is counted, empty;
    `errors_to` is an address to which errors are posted, if any; `pages` is a folder of what whoever runs the room has
    to say."""

    data: Path
    database_url: str
    key: bytes
    public_url: str = ""
    trusted_proxies: str = "127.0.0.1"
    webhooks: bool = False
    direct_url: str = ""
    any_push: bool = False
    limits: Limits = Limits()
    forget_after: int = 30
    thinkers: int = 0
    json_log: bool = False
    openers: str = ANYONE
    metrics: str = ""
    errors_to: str = ""
    pages: Path | None = None

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
    environ: Mapping[str, str] = os.environ,
    data: Path | None = None,
    database_url: str | None = None,
    *,
    is_unused: Callable[[str], bool] = lambda _url: True,
    with_key: bool = True,
) -> Settings:
    """Settings from SNUG_DATA, SNUG_DATABASE_URL, SNUG_DIRECT_URL, SNUG_SECRET_KEY, SNUG_PUBLIC_URL,
    SNUG_TRUSTED_PROXIES, SNUG_WEBHOOKS, SNUG_PUSH, SNUG_LIMITS, SNUG_FORGET_AFTER, SNUG_THINKERS, SNUG_LOG,
    SNUG_OPENERS, SNUG_METRICS, SNUG_ERRORS and SNUG_PAGES; the arguments win over the environment. Makes the data
    folder and, for a database that nobody has played in, the key: `is_unused` tells. Without `with_key` there is only
    that of the environment, if any. Raises BadSettings."""
    folder = data or Path(environ.get("SNUG_DATA", "data"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    public_url = environ.get("SNUG_PUBLIC_URL", "").rstrip("/")
    if public_url and not public_url.startswith(("http://", "https://")):
        raise BadSettings(f"SNUG_PUBLIC_URL must begin with http:// or https://, not {public_url!r}")
    webhooks = _one_of(environ, "SNUG_WEBHOOKS", "off", "on")
    push = _one_of(environ, "SNUG_PUSH", "known", "any")
    log = _one_of(environ, "SNUG_LOG", "text", "json")
    openers = _one_of(environ, "SNUG_OPENERS", ANYONE, KNOWN, KEEPER)
    days = environ.get("SNUG_FORGET_AFTER", "30")
    if not (days.isascii() and days.isdecimal() and len(days) < 6):
        raise BadSettings(f"SNUG_FORGET_AFTER must be a number of days, 0 for never, not {days!r}")
    thinkers = environ.get("SNUG_THINKERS", "") or str(max(1, _cores() - 1))
    if not (thinkers.isascii() and thinkers.isdecimal() and len(thinkers) < 4):
        raise BadSettings(f"SNUG_THINKERS must be a number of processes, 0 for none, not {thinkers!r}")
    is_file = bool(database_url and database_url.startswith("sqlite"))  # whatever the environment says
    direct_url = "" if is_file else environ.get("SNUG_DIRECT_URL", "")
    database_url = database_url or environ.get("SNUG_DATABASE_URL") or f"sqlite:///{folder / 'snug.db'}"
    if not database_url.startswith(("sqlite://", "postgresql://", "postgresql+psycopg://")):
        raise BadSettings("the database must be sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME")
    if direct_url and not all(url.startswith("postgresql") for url in (direct_url, database_url)):
        raise BadSettings(
            "SNUG_DIRECT_URL and SNUG_DATABASE_URL must both begin with postgresql: two ways to one database"
        )
    given = environ.get("SNUG_SECRET_KEY", "")
    key = _given_key(given) if given or not with_key else _read_key(key_path(folder), lambda: is_unused(database_url))
    return Settings(
        data=folder,
        database_url=database_url,
        key=key,
        public_url=public_url,
        trusted_proxies=environ.get("SNUG_TRUSTED_PROXIES", "127.0.0.1"),
        webhooks=webhooks == "on",
        direct_url=direct_url,
        any_push=push == "any",
        limits=read_limits(environ.get("SNUG_LIMITS", "")),
        forget_after=int(days),
        thinkers=int(thinkers),
        json_log=log == "json",
        openers=openers,
        errors_to=_address(environ, "SNUG_ERRORS"),
        metrics=_metrics(environ.get("SNUG_METRICS", "off")),
        pages=Path(environ["SNUG_PAGES"]) if environ.get("SNUG_PAGES") else None,
    )


def _one_of(environ: Mapping[str, str], name: str, usual: str, *others: str) -> str:
    """The setting's word, the usual one if there is none."""
    given = environ.get(name, usual)
    if given not in (usual, *others):
        raise BadSettings(f"{name} must be {' or '.join((usual, *others))}, not {given!r}")
    return given


def _address(environ: Mapping[str, str], name: str) -> str:
    given = environ.get(name, "")
    if given and not given.startswith(("http://", "https://")):
        raise BadSettings(f"{name} must begin with http:// or https://")  # the rest may be a secret
    return given


def _metrics(given: str) -> str:
    """Who may read what is counted."""
    if given == "off":
        return ""
    if given != HERE and (len(given) < _KEY_BYTES or is_guessable(given.encode())):
        raise BadSettings(
            "SNUG_METRICS must be off, here, or a token that nobody guesses: take what `openssl rand -hex 32` prints"
        )
    if find_spec("prometheus_client") is None:
        raise BadSettings("SNUG_METRICS needs the Prometheus client: pip install prometheus-client")
    return given


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def key_path(data: Path) -> Path:
    """Where the key is kept that nobody gave."""
    return data / "signing.key"


def is_guessable(key: bytes) -> bool:
    """Whether a key is one that stands in examples, or was typed by somebody in a hurry."""
    plain = bytes(letter for letter in key.lower() if chr(letter).isalnum())
    return len(set(key)) < _LEAST_LETTERS or any(word in plain for word in _EXAMPLES)


def kept_key(path: Path) -> bytes:
    """The key in a file. Raises BadSettings for one that is not safe, and OSError."""
    if path.stat().st_mode & 0o077:
        raise BadSettings(f"{path} can be read by others: run chmod 600 on it")
    key = path.read_bytes()
    if len(key) < _KEY_BYTES:
        raise BadSettings(f"{path} is too short to be a key: restore it from a backup, or set SNUG_SECRET_KEY")
    if is_guessable(key):
        raise BadSettings(f"{path} can be guessed: put in it what `openssl rand -hex 32` prints")
    return key


def _given_key(given: str) -> bytes:
    if given and len(given) < _KEY_BYTES:
        raise BadSettings(f"SNUG_SECRET_KEY is too short: at least {_KEY_BYTES} characters")
    if given and is_guessable(given.encode()):
        raise BadSettings("SNUG_SECRET_KEY can be guessed: take what `openssl rand -hex 32` prints, or unset it")
    return given.encode()


def _read_key(path: Path, may_be_new: Callable[[], bool]) -> bytes:
    if not path.exists() and not may_be_new():
        raise BadSettings(
            f"{path} is missing, and without it nobody who played here is known any more: put it back from a backup. "
            "Where it is lost for good, set SNUG_SECRET_KEY to what `openssl rand -hex 32` prints"
        )
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return kept_key(path)
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_hex(_KEY_BYTES).encode())
    return path.read_bytes()
