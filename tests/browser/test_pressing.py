"""Whatever notice is shown, every control of a table can be pressed at its centre, at every size."""

import pytest
from playwright.sync_api import Page

from app.games import GAMES
from tests.browser.conftest import Friend
from tests.browser.stage import SIZES
from tests.pictures.scenes import Scene, Scenes
from tests.servers import Served, stand_still

# The controls of which something else lies over the centre, or that are out of reach, with what lies there.
_UNREACHABLE = """async (notice) => {
  for (const id of ["unsent", "offline"]) document.getElementById(id).hidden = id !== notice;
  const words = document.querySelector("#unsent p");
  words.textContent = words.dataset.again;
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame); // the callout follows the window
  const called = (one) => one && (one.id || one.textContent.trim().slice(0, 20) || one.outerHTML.slice(0, 60));
  const faults = [];
  const isDrawn = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.getClientRects().length;
  for (const one of document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")) {
    if (one.disabled || one.closest("[inert], .skip, #flights")) continue;
    const drawn = [one, ...(one.labels ?? [])].filter(isDrawn);
    if (!drawn.length) continue;
    const isHit = (part) => {
      const { x, y, width, height } = part.getClientRects()[0]; // of a link in two lines, the first
      if (width < 2 || height < 2) return drawn.length === 1;
      const across = part.closest("#hand") ? [0.12, 0.3, 0.5] : [0.5]; // cards of a hand lie over one another
      const down = part.closest("#hand") ? [0.1, 0.25, 0.5] : [0.5];
      const hits = across.flatMap((at) => down.map((to) => document.elementFromPoint(x + width * at, y + height * to)));
      if (part.closest("#board") && hits[0]?.closest(".messages a")) return true; // it lies over the board
      return hits.some((hit) => drawn.some((other) => other.contains(hit)));
    };
    if (drawn.some(isHit)) continue;
    drawn[0].scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    if (drawn.some(isHit)) continue;
    const { x, y, width, height } = drawn.at(-1).getBoundingClientRect();
    faults.push(`${called(one)} under ${called(document.elementFromPoint(x + width / 2, y + height / 2))}`);
  }
  const boxes = (parts) =>
    [...document.querySelectorAll(parts)].filter(isDrawn).map((one) => one.getBoundingClientRect());
  for (const one of boxes(".callout")) {
    for (const other of boxes(".messages > *, .notes > *, #unsent, #offline")) {
      const isBeside = one.right <= other.left || other.right <= one.left;
      if (!isBeside && one.bottom > other.top && other.bottom > one.top) faults.push("the callout lies over an answer");
    }
  }
  return faults;
}"""

_MOVE_WRONGLY = """() => {
  const form = document.querySelector('form[action$="/moves"]');
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "move", value: "nothing-known" }));
  form.requestSubmit();
}"""


def _faults(page: Page, room: Served, scene: Scene) -> list[str]:
    assert scene.guest
    page.context.add_cookies([{"name": "snug", "value": scene.guest.token, "url": room.url}])
    page.goto(scene.path)
    found = _at_all_sizes(page, scene.name)
    if page.locator('form[action$="/moves"]').count():
        page.evaluate(_MOVE_WRONGLY)
        page.locator("#refusal").wait_for()
        found += _at_all_sizes(page, f"{scene.name}, refused")
    return found


def _at_all_sizes(page: Page, name: str) -> list[str]:
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for notice in ("", "unsent", "offline"):
            found += [f"{name} {width}x{height} {notice}: {fault}" for fault in page.evaluate(_UNREACHABLE, notice)]
    return found


@pytest.mark.parametrize("key", GAMES)
def test_every_control_can_be_pressed_whatever_notice_is_shown(key: str, friend: Friend, room: Served) -> None:
    now = room.context.now()
    stand_still(room.context, lambda: now)
    page = friend()
    moments = (f"{key}-my-turn", f"{key}-their-turn", f"{key}-full")
    found = [fault for scene in Scenes(room.context).all(moments.__contains__) for fault in _faults(page, room, scene)]
    assert not found, "\n".join(found)
