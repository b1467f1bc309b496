"""The demonstration: games in every status, a tournament under way, and a link to sit at all of it."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest
from starlette.testclient import TestClient

from app.cli import demo, serve
from app.cli.parser import main
from app.main import create_app
from app.services.context import AppContext
from app.settings import Settings
from snug.games import GAMES
from tests.pages import Page
from tests.servers import free_port

ROOT = Path(__file__).parents[2]


def test_what_the_demo_prints_is_there_to_look_at_and_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], known_chance: Random
) -> None:
    monkeypatch.setattr(demo, "AppContext", partial(AppContext, random=known_chance))
    monkeypatch.setattr(demo, "GAMES", {"life": GAMES["life"]})
    made: list[Settings] = []
    monkeypatch.setattr(serve, "serve", lambda settings, *_address: made.append(settings))
    assert main(["demo", "--data", str(tmp_path / "room"), "--port", "9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    places = {about.rstrip(): path for about, path in (line.split("http://127.0.0.1:9") for line in lines)}
    become, *tables, tournament = places
    assert tables == [f"Life, {status}" for status in demo.STATUSES]
    headers = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    with TestClient(create_app(made[0]), headers=headers) as browser:
        assert browser.post(places[become]).status_code == 200
        pages = {about: browser.get(places[about]).text for about in places}
    assert "Stage 2" in pages[tournament]
    for about, status in zip(tables, demo.STATUSES, strict=True):
        assert f"at-{status}" in Page(pages[about]).one(id="live")["class"]


@pytest.mark.dear(0.6, "a room, made twice")
def test_a_demo_that_empties_itself_is_made_anew_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Settings, float]] = []

    def serve_thrice(settings: Settings, _host: object, _port: object, seconds: float) -> bool:
        assert settings.data.is_dir()
        assert not [one for one, _ in made if one.data.exists()], "what was is gone"
        made.append((settings, seconds))
        return len(made) < 3

    monkeypatch.setattr(demo, "GAMES", {"lucky_paw": GAMES["lucky_paw"]})
    monkeypatch.setattr(demo, "STATUSES", demo.STATUSES[:1])
    monkeypatch.setattr(demo.Demo, "_tournament", lambda *_: "none")
    monkeypatch.setattr(serve, "serve", serve_thrice)
    assert main(["demo", "--reset", "24h"]) == 0
    assert len({settings.key for settings, _ in made}) == 3
    assert {seconds for _, seconds in made} == {86_400}


@pytest.mark.parametrize(
    "words", [["--reset", "0h"], ["--reset", "24"], ["--reset", "-1h"], ["--reset", "9h", "--data", "x"]]
)
def test_how_often_is_hours_or_minutes_and_then_nothing_is_kept(words: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["demo", *words])


@pytest.mark.slow
@pytest.mark.dear(4, "a room of its own is opened")
def test_a_room_closes_when_its_time_is_up_and_no_garbage_was_sought_in_what_it_is_made_of(tmp_path: Path) -> None:
    code = (
        "import gc, sys; from pathlib import Path; from app.cli.serve import serve; "
        "from app.cli.upgrade import upgraded; "
        "print(serve(upgraded(Path('data'), None), None, int(sys.argv[1]), 0.5), gc.get_freeze_count() > 100_000)"
    )
    command = [sys.executable, "-c", code, str(free_port())]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines()[-1:] == ["True True"], done.stderr


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letter").touch()
    assert main(["demo", "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"snug: {tmp_path} is not empty\n"
    assert [path.name for path in tmp_path.iterdir()] == ["letter"]
