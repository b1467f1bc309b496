"""What surrounds the database: addresses, files, the disk, the clock, the libraries."""

import ipaddress
import os
import shutil
import statistics
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from app.cli.backup import backups_in
from app.cli.doctor.findings import FAULT, OK, WARNING, Finding, looked_at
from app.settings import BadSettings, Settings, kept_key, key_path
from app.storage.backup import path_of

FLOORS: Final = {"starlette": (1, 3, 1), "h11": (0, 16), "python-multipart": (0, 0, 30)}
_MEGABYTE: Final = 1024 * 1024
_LEAST_FREE: Final = 200 * _MEGABYTE
_LITTLE_FREE: Final = 1024 * _MEGABYTE
_SLOW: Final = 0.05  # seconds for one fsync
_DAY: Final = 24 * 3600.0
_BUILT: Final = 1_790_000_000.0  # a moment before this was written: no clock may show an earlier one
_REMOTE: Final = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "glusterfs", "lustre", "afs", "fuse.sshfs")
_GONE_AFTERWARDS: Final = ("tmpfs", "ramfs")
_WIDE: Final = 65_536  # addresses: more than a house has


def of_this_version() -> Iterator[Finding]:
    """Libraries that are too old."""
    old = []
    for name, floor in FLOORS.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            continue
        if tuple(int(part) for part in found.split(".")[:3] if part.isdigit()) < floor:
            old.append(f"{name} {found}")
    if old:
        yield Finding(FAULT, f"known to be unsafe: {', '.join(old)}", "make install, or build the image again")
    else:
        yield Finding(OK, f"Snug {version('snug')}, its libraries new enough")


def of_addresses(settings: Settings) -> Iterator[Finding]:
    """How friends reach the room, and whose word about them is taken."""
    url = urlsplit(settings.public_url)
    if not settings.public_url:
        yield Finding(WARNING, "SNUG_PUBLIC_URL is not set: fine at home", "for the internet, set it to https://…")
    elif url.scheme == "https" or _is_at_home(url.hostname or ""):
        yield Finding(OK, f"friends come to {settings.public_url}")
    else:
        yield Finding(
            FAULT,
            f"friends come to {settings.public_url}, where anybody on the way reads their cookies and cards",
            "put a proxy with TLS in front, and set SNUG_PUBLIC_URL to https://…",
        )
    trusted = [part.strip() for part in settings.trusted_proxies.split(",")]
    if any(_is_wide(part) for part in trusted):
        yield Finding(
            FAULT,
            f"SNUG_TRUSTED_PROXIES is {settings.trusted_proxies}: anybody can pretend to be anybody",
            "set it to the address of your proxy alone",
        )
    else:
        yield Finding(OK, f"proxies that are believed: {settings.trusted_proxies or 'none'}")


def of_files(settings: Settings, is_played_in: bool) -> Iterator[Finding]:
    """The key, who can read what, the disk, backups, the clock."""
    yield from looked_at("the key", _of_key(settings, is_played_in))
    yield from looked_at("who can read the data folder", _of_modes(settings))
    yield from looked_at("the disk", _of_disk(settings))
    yield from looked_at("backups", _of_backups(settings, is_played_in))
    if time.time() < _BUILT:
        yield Finding(
            FAULT, "the clock shows a time before this version was made", "set the clock, and keep it (chrony)"
        )


def _of_key(settings: Settings, is_played_in: bool) -> Iterator[Finding]:
    path = key_path(settings.data)
    if settings.key:
        yield Finding(OK, "the key is that of SNUG_SECRET_KEY")
    elif path.exists():
        try:
            kept_key(path)
            yield Finding(OK, f"the key is {path}")
        except (BadSettings, OSError) as error:
            yield Finding(FAULT, str(error))
    elif is_played_in:
        yield Finding(FAULT, f"{path} is missing: nobody who played here is known", "put it back from a backup")
    else:
        yield Finding(OK, "the key will be made at the first start")


def _of_modes(settings: Settings) -> Iterator[Finding]:
    """Nobody else may read what holds hands in play."""
    database = path_of(settings.database_url)
    private = [settings.data, *backups_in(settings.data / "backups")]
    if database:
        private += database.parent.glob(f"{database.name}*")
    opened = [str(path) for path in private if path.exists() and path.stat().st_mode & 0o077]
    if opened:
        yield Finding(FAULT, f"others can read {', '.join(opened)}", f"chmod go= {' '.join(opened)}")
    else:
        yield Finding(OK, "nobody else can read the data folder")


def _of_disk(settings: Settings) -> Iterator[Finding]:
    place = settings.data
    database = path_of(settings.database_url)
    if database and database.parent.exists():
        place = database.parent
    kind = _file_system(place)
    if kind in _REMOTE:
        level = FAULT if database else WARNING
        yield Finding(
            level, f"{place} is on a network ({kind}), where locks are not to be relied on", "take a local disk"
        )
    elif kind in _GONE_AFTERWARDS:
        yield Finding(FAULT, f"{place} is in memory ({kind}) and gone after a restart", "take a disk")
    free = shutil.disk_usage(place).free
    said = f"{free // _MEGABYTE:,} MB free at {place}"
    if free < _LEAST_FREE:
        yield Finding(FAULT, said, "make room: a full disk stops every game")
    else:
        yield Finding(WARNING if free < _LITTLE_FREE else OK, said)
    seconds = _time_of_a_commit(place)
    if seconds > _SLOW:
        yield Finding(WARNING, f"the disk takes {seconds * 1000:.0f} ms to keep something", "moves will feel slow")
    else:
        yield Finding(OK, f"the disk keeps something in {seconds * 1000:.1f} ms")


def _of_backups(settings: Settings, is_played_in: bool) -> Iterator[Finding]:
    made = backups_in(settings.data / "backups")
    if not made:
        level = FAULT if is_played_in else OK
        yield Finding(level, "there is no backup yet", "run snug backup, and let a timer do it every hour")
        return
    age = (time.time() - made[-1].stat().st_mtime) / _DAY
    if age < 0:
        yield Finding(WARNING, f"the newest backup, {made[-1].name}, is from the future", "look at the clock")
        return
    level = FAULT if age > 7 else WARNING if age > 1 else OK
    mend = "" if level == OK else "let a timer run snug backup every hour"
    yield Finding(level, f"the newest backup is {age * 24:.0f} hours old", mend)


def _is_at_home(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith((".localhost", ".local", ".lan"))


def _is_wide(part: str) -> bool:
    if part == "*":
        return True
    try:
        return ipaddress.ip_network(part, strict=False).num_addresses > _WIDE
    except ValueError:
        return False


def _file_system(place: Path) -> str:
    """The kind of the file system that holds a folder; empty where that is not to be learnt."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return ""
    parts = (line.split() for line in mounts.read_text().splitlines())
    points = {part[1].replace("\\040", " "): part[2] for part in parts}
    folder = place.resolve()
    return next((points[str(each)] for each in (folder, *folder.parents) if str(each) in points), "")


def _time_of_a_commit(place: Path) -> float:
    """The median of a few."""
    probe = place / f".probe-{os.getpid()}"
    took = []
    try:
        with probe.open("wb") as file:
            for _ in range(9):
                begun = time.perf_counter()
                file.write(bytes(4096))
                file.flush()
                os.fsync(file.fileno())
                took.append(time.perf_counter() - begun)
    finally:
        probe.unlink(missing_ok=True)
    return statistics.median(took)
