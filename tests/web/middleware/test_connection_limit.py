"""Who counts as one address, and who goes when there is no room."""

import pytest

from app.web.middleware.connection_limit import ConnectionLimiter, most_connections, network_of


class Line:
    """A connection from an address."""

    def __init__(self, host: str) -> None:
        self.client: tuple[str, int] | None = (host, 1)
        self.is_open = True

    def hang_up(self) -> None:
        """Closes it."""
        self.is_open = False


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("testclient", ""),
        ("", ""),
        ("1." * 50_000, ""),
        ("fe80::1%" + "a" * 70_000, ""),
        ("192.0.2.7:80", ""),
        ("\0", ""),
    ],
)
def test_a_household_is_one(host: str, network: str) -> None:
    assert network_of(host) == network


def test_an_address_has_a_limit_and_a_proxy_has_none() -> None:
    crowd = ConnectionLimiter(each=2, most=100, trusted_proxies="10.0.0.1")
    lines = [Line(f"2001:db8::{number}") for number in range(3)]
    assert all(map(crowd.admit, lines))
    assert [line.is_open for line in lines] == [False, True, True]
    for line in lines[1:]:
        crowd.busy(line)
    assert not crowd.admit(Line("2001:db8::9"))
    assert crowd.admit(Line("2001:db8:0:1::9"))
    assert all(crowd.admit(Line("10.0.0.1")) for _ in range(50))
    crowd.idle(lines[1])
    assert crowd.admit(Line("2001:db8::9"))
    assert not lines[1].is_open


def test_in_all_the_longest_idle_go_first() -> None:
    crowd = ConnectionLimiter(each=100, most=3, trusted_proxies="127.0.0.1")
    lines = [Line("127.0.0.1") for _ in range(3)]
    assert all(map(crowd.admit, lines))
    crowd.busy(lines[0])
    crowd.idle(lines[0])
    newest = Line("192.0.2.1")
    assert crowd.admit(newest)
    assert [line.is_open for line in lines] == [True, False, True]
    for line in (*lines, newest):
        crowd.busy(line)
    assert not crowd.admit(Line("192.0.2.2"))
    crowd.leave(newest)
    crowd.leave(newest)
    assert crowd.admit(Line("192.0.2.2"))
    assert len(crowd) == 3


def test_some_files_are_kept_for_the_room_itself() -> None:
    assert most_connections() >= 64
