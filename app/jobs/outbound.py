"""Requests to addresses that guests gave us: https only, to public machines only, no redirects, and briefly.

The name is looked up once, every address it has must be public, and the connection goes to the very address that was
looked at: a name that answers differently the next time leads nowhere else.
"""

import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from http.client import HTTPException, HTTPSConnection
from ipaddress import IPv4Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from snug.words import gettext_noop

_PORT = 443
_PATIENCE = 3.0  # seconds for each step
_DEADLINE = 6.0  # seconds for all of them
# Of the public IPv6 space: what only wraps an IPv4 address, and what is kept for documents and experiments.
_UNICAST = IPv6Network("2000::/3")
_WRAPPED = tuple(map(IPv6Network, ("2001::/23", "2002::/16", "2001:db8::/32", "3fff::/20")))


class BadAddress(ValueError):
    """An address to which nothing is sent; the message is a sentence about it."""


class NotSent(Exception):
    """Nobody answered in time, or not as a web server does."""


def split_address(url: str) -> tuple[str, str]:
    """Host and path of an https address as it may be stored. Raises BadAddress."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(gettext_noop("That is not a web address.")) from error
    if not (url.isascii() and url.isprintable() and " " not in url and "\\" not in url):
        raise BadAddress(gettext_noop("That is not a web address."))
    if parts.scheme != "https" or not parts.hostname:
        raise BadAddress(gettext_noop("The address must begin with https://."))
    if parts.username is not None or parts.password is not None or port not in (None, _PORT):
        raise BadAddress(gettext_noop("The address must be plain: no password and no port in it."))
    try:
        public = is_public(parts.hostname)
    except ValueError:
        public = "." in parts.hostname.strip(".")  # a name; where it leads is looked at when something is sent
    if not public:
        raise BadAddress(gettext_noop("The address must be one that the whole internet can reach."))
    return parts.hostname, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the open internet: not to this machine, its network, or a special use.
    Raises ValueError where it is none."""
    ip = ip_address(address)
    if isinstance(ip, IPv4Address):
        return ip.is_global and not ip.is_multicast and not ip.is_reserved
    return ip in _UNICAST and not any(ip in network for network in _WRAPPED) and ip.is_global


def look_up(host: str) -> Sequence[str]:
    """Every address of a name. Raises OSError."""
    found = socket.getaddrinfo(host, _PORT, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Post:
    """Calling it posts a body and gives the answer's status. Raises BadAddress and NotSent."""

    def __init__(
        self,
        addresses_of: Callable[[str], Sequence[str]] = look_up,
        allowed: Callable[[str], bool] = is_public,
        port: int = _PORT,
        trust: ssl.SSLContext | None = None,
        deadline: float = _DEADLINE,
    ) -> None:
        self._addresses_of = addresses_of
        self._allowed = allowed
        self._port = port
        self._given_trust = trust
        self._deadline = deadline

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        """Whom to believe: the machine's list, which takes a while to read, is read when something is first sent."""
        return self._given_trust or ssl.create_default_context()

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        host, path = split_address(url)
        try:
            addresses = self._addresses_of(host)
        except (OSError, UnicodeError) as error:
            raise NotSent(f"{host} has no address") from error
        if not addresses or not all(map(self._allowed, addresses)):
            raise BadAddress(gettext_noop("The address must be one that the whole internet can reach."))
        try:
            with socket.create_connection((addresses[0], self._port), _PATIENCE) as line:
                return self._ask(line, host, path, body, headers)
        except (OSError, HTTPException, ValueError) as error:
            raise NotSent(f"{host} did not answer: {type(error).__name__}") from error

    def _ask(self, line: socket.socket, host: str, path: str, body: bytes, headers: Mapping[str, str]) -> int:
        with self._trust.wrap_socket(line, server_hostname=host, do_handshake_on_connect=False) as sealed:
            # Who answers a byte at a time is never late in a single step: the clock runs over all of them.
            hang_up = threading.Timer(self._deadline, socket.socket.shutdown, (sealed, socket.SHUT_RDWR))
            hang_up.daemon = True
            hang_up.start()
            try:
                sealed.do_handshake()
                connection = HTTPSConnection(host)
                connection.sock = sealed
                connection.request("POST", path, body, {**headers, "User-Agent": "Snug", "Connection": "close"})
                return connection.getresponse().status
            finally:
                hang_up.cancel()
