"""`snug loadtest` against a room on a free port of this machine."""

import re
import socket
from collections.abc import Iterator

import pytest

from app.cli.parser import main
from app.settings import Settings
from snug.games import GAMES
from tests.servers import Served, serving


@pytest.fixture
def room(settings: Settings) -> Iterator[Served]:
    with serving(settings) as served:
        yield served


def loadtest(*arguments: str) -> int:
    return main(["loadtest", *arguments])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_guests_play_what_the_pages_offer(room: Served, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    flags = "--game", game, "--tables", "2", "--seats", "3", "--moves", "12", "--seconds", "60"
    assert loadtest(room.url, *flags) == 0
    printed = capsys.readouterr()
    assert f"{GAMES[game].name}, 2 tables of 3" in printed.out
    assert re.search(r"1[2-5] moves in \d+\.\d s", printed.out)
    assert "0 errors" in printed.out
    (times,) = re.findall(r"answer to the mover +│ +([\d.]+) │ +([\d.]+) │ +([\d.]+)", printed.out)
    assert sorted(times, key=float) == list(times)
    assert printed.err == ""


def test_where_nobody_answers_the_status_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        assert loadtest(f"http://127.0.0.1:{silent.getsockname()[1]}") == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("room.example.org",), "Name the room by its address"),
        (("ftp://127.0.0.1",), "Name the room by its address"),
        (("http://127.0.0.1:x",), "Name the room by its address"),
        (("http://127.0.0.1", "--seats", "14", "--game", "lucky_paw"), "Lucky Paw is for 2 to 6 players, not 14"),
        (("http://127.0.0.1", "--tables", "200", "--seats", "6", "--game", "lucky_paw"), "1,200 guests are too many"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert loadtest(*arguments) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(complaint)
    assert printed.count("\n") == 1


@pytest.mark.parametrize("flags", [("--tables", "201"), ("--seconds", "601"), ("--seats", "1"), ("--moves", "0"), ()])
def test_absurd_numbers_end_with_the_usage(flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        loadtest(*(("http://127.0.0.1", *flags) if flags else ()))
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith("usage: snug loadtest")
