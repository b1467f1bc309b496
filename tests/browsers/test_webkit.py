"""A round of every game in WebKit: GTK's, which is Safari's nearest relative on this machine."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from selenium import webdriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from app.settings import Settings
from snug.games import GAMES
from tests.factories import SHORT, against_bots
from tests.servers import Served, serving

pytestmark = [
    pytest.mark.webkit,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),  # Selenium warns of itself
]

_NEXT = Path(__file__).with_name("next.js").read_text()
_LONGEST = 240.0  # seconds for a round, on a busy machine
_PAUSE = 0.05

# Presses what is next, by script: the driver itself clicks 26 px too low. Gives the classes of the page.
_PRESS = f"""
  const next = {_NEXT};
  next()?.click();
  return document.getElementById("live").className;
"""

# Whose names lie beneath something: what is found at a point is what is painted there last.
_COVERED = """
  return [...document.querySelectorAll("#others .rival .name")].filter((name) => {
    const { x, y, width, height } = name.getBoundingClientRect();
    return !name.contains(document.elementFromPoint(x + Math.min(width, 16) / 2, y + height / 2));
  }).map((name) => name.textContent);
"""


@pytest.fixture
def webkit(tmp_path: Path) -> Iterator[webdriver.WebKitGTK]:
    """WebKit on a screen of its own, without motion: it draws all by itself."""
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    if not driver or not screen:
        pytest.skip("no WebKit on this machine: apt install webkit2gtk-driver xvfb")
    reading, writing = os.pipe()
    shown = subprocess.Popen(
        [screen, "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as said:
        display = said.readline().strip()
    try:
        settings = tmp_path / "gtk-3.0" / "settings.ini"
        settings.parent.mkdir()
        settings.write_text("[Settings]\ngtk-enable-animations=0\n")
        own = {"DISPLAY": f":{display}", "XDG_CONFIG_HOME": str(tmp_path), "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        service = Service(driver, env={**os.environ, **own})
        browser = webdriver.WebKitGTK(options=Options(), service=service)
        yield browser
        browser.quit()
    finally:
        shown.terminate()
        shown.wait()


@pytest.fixture
def room(settings: Settings) -> Iterator[Served]:
    """The room, open on this machine."""
    with serving(settings) as served:
        yield served


def _play_a_round(browser: webdriver.WebKitGTK) -> None:
    until = monotonic() + _LONGEST
    while "at-playing" in browser.execute_script(_PRESS):
        assert monotonic() < until, browser.find_element("id", "live").text
        sleep(_PAUSE)


@pytest.mark.dear(3, "a browser that is started for it; what draws the page is no child of the test, and not counted")
@pytest.mark.thorough(one_in=len(GAMES))
@pytest.mark.parametrize("key", GAMES)
def test_a_round(webkit: webdriver.WebKitGTK, room: Served, key: str) -> None:
    party = against_bots(room.context, key, GAMES[key].seats[0], SHORT.get(key, {}))
    webkit.get(f"{room.url}/healthz")
    webkit.add_cookie({"name": "snug", "value": party.guests[0].token})
    webkit.get(f"{room.url}/t/{party.slug}")
    assert not webkit.execute_script(_COVERED)
    _play_a_round(webkit)
    assert not party.look(party.guests[0]).table.is_playing
