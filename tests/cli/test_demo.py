"""The demonstration: games in every status, a tournament under way, and a link to sit at all of it."""

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


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letter").touch()
    assert main(["demo", "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"snug: {tmp_path} is not empty\n"
    assert [path.name for path in tmp_path.iterdir()] == ["letter"]
