"""How many connections there may be, of one address and in all, and whose make room when it gets full."""

import ipaddress
import resource
from functools import lru_cache
from typing import Protocol

from uvicorn.middleware.proxy_headers import _TrustedHosts

_RESERVED = 128  # files that are no connections: the database's, the log, those that are sent
_LONGEST = 64  # characters of an address
_IPV6_HOME = 64  # bits: what a provider gives one household, which chooses the rest as it likes


def network_of(host: str) -> str:
    """Whom an address stands for: an IPv6 address for its /64, any other for itself; empty for this machine itself and
    what is no address."""
    return _network_of(host) if len(host) <= _LONGEST else ""


@lru_cache(4096)
def _network_of(host: str) -> str:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if address.is_loopback:
        return ""
    return str(address) if address.version == 4 else str(ipaddress.ip_network((address, _IPV6_HOME), strict=False))


def most_connections() -> int:
    """As many as this process may have open files, which it takes all it can get of, but for some that it needs
    itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (ValueError, OSError):  # the system says it does, and does not
            pass
    return max(64, soft - _RESERVED)


class Connection(Protocol):
    """What a crowd is made of."""

    client: tuple[str, int] | None

    def hang_up(self) -> None:
        """Closes it."""


class ConnectionLimiter:
    """The connections of a process: at most `each` of an address, `most` in all. Where one more comes, the one that has
    been idle longest goes; idle is who is not being answered. Trusted proxies bring everybody and have no limit of
    their own."""

    def __init__(self, each: int, most: int, trusted_proxies: str) -> None:
        self._each, self._most = each, most
        self._trusted = _TrustedHosts(trusted_proxies)
        self._all: dict[Connection, str] = {}
        self._of: dict[str, dict[Connection, None]] = {}
        self._idle: dict[Connection, None] = {}

    def __len__(self) -> int:
        return len(self._all)

    def admit(self, connection: Connection) -> bool:
        """Counts it, as idle. False where there is no room."""
        host = connection.client[0] if connection.client else ""
        network = "" if host in self._trusted else network_of(host)
        mine = self._of.get(network, {}) if network else {}
        if len(mine) >= self._each and not self._make_room(next((one for one in mine if one in self._idle), None)):
            return False
        if len(self._all) >= self._most and not self._make_room(next(iter(self._idle), None)):
            return False
        self._all[connection] = network
        if network:
            self._of.setdefault(network, {})[connection] = None
        self._idle[connection] = None
        return True

    def _make_room(self, idle: Connection | None) -> bool:
        if idle is None:
            return False
        self.leave(idle)
        idle.hang_up()
        return True

    def busy(self, connection: Connection) -> None:
        """It is being answered."""
        self._idle.pop(connection, None)

    def idle(self, connection: Connection) -> None:
        """It has been answered."""
        if connection in self._all:
            self._idle[connection] = None

    def leave(self, connection: Connection) -> None:
        """It is gone."""
        network = self._all.pop(connection, "")
        self._idle.pop(connection, None)
        if mine := self._of.get(network):
            del mine[connection]
            if not mine:
                del self._of[network]
