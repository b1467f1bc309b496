"""A round of every game in Firefox, with the mouse."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from app.settings import Settings
from snug.games import GAMES
from tests.factories import SHORT, against_bots
from tests.servers import serving

pytestmark = pytest.mark.firefox

_FOLDER = Path(__file__).with_name("firefox")
_LONGEST = 300  # seconds, on a busy machine


@pytest.mark.dear(25, "a browser that is started for it, and long deals")
@pytest.mark.thorough
@pytest.mark.parametrize("key", GAMES)
def test_a_round_is_played(key: str, settings: Settings) -> None:
    firefox = shutil.which("firefox-esr") or shutil.which("firefox")
    node = shutil.which("node")
    if not firefox or not node or not (_FOLDER / "node_modules").exists():
        pytest.skip("no Firefox: apt install firefox-esr npm, then npm ci --prefix tests/browsers/firefox")
    with serving(settings) as room:
        party = against_bots(room.context, key, GAMES[key].seats[0], SHORT.get(key, {}))
        table = {"path": f"/t/{party.slug}", "token": party.guests[0].token}
        wanted = {"firefox": firefox, "url": room.url, "tables": [table]}
        played = subprocess.run(
            [node, _FOLDER / "round.mjs"],
            input=json.dumps(wanted),
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
        assert played.returncode == 0, played.stderr
        assert not played.stdout
        assert not party.look().table.is_playing
