"""What somebody hears who plays a round without seeing it: what live regions say, where the focus lands, and which keys
were pressed, by time.

`python -m tests.browser.ears liverpool` plays a round at a table of four and prints it, with how much was said."""

import argparse
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import ElementHandle, Page, TimeoutError

from snug.games import GAMES
from tests.browser.stage import by_hand
from tests.factories import Party, against_bots
from tests.servers import Served

_NEXT = Path(__file__).parents[1].joinpath("browsers", "next.js").read_text().partition("() =>")
_WANTED = f"() => document.querySelector('#live:not(.at-playing)') ?? ({''.join(_NEXT[1:])})()"

# As a screen reader does it: a region that changes is read whole, one that is not atomic what came to it; what is
# hidden from it is left out. What a thing is, and that it is not ticked, each reader says in its own words: not here.
_LISTEN = """() => {
  const SPOKEN = "[role=status], [role=alert], [role=log], [aria-live]";
  const isLive = (one) => one.getAttribute("aria-live") !== "off" && one.getClientRects().length > 0;
  const words = (one) => {
    const copy = one.cloneNode(true);
    for (const hidden of copy.querySelectorAll?.("[aria-hidden=true], [hidden], template") ?? []) hidden.remove();
    return copy.textContent.replace(/[\\s\\u2060]+/g, " ").trim();
  };
  const known = new WeakMap();
  const regions = () => [...document.querySelectorAll(SPOKEN)].filter(isLive);
  for (const one of regions()) known.set(one, words(one));
  window.heard = [];
  const tell = (what, text) => text && window.heard.push({ at: performance.now(), what, text });
  new MutationObserver((changes) => {
    for (const one of regions()) {
      const now = words(one);
      const before = known.get(one);
      known.set(one, now);
      if (one.getAttribute("aria-atomic") === "false") {
        const added = changes.filter(({ target }) => target === one).flatMap(({ addedNodes }) => [...addedNodes]);
        for (const node of added) tell("say", words(node));
      } else if (now !== before) tell("say", now);
    }
  }).observe(document.documentElement, { subtree: true, childList: true, characterData: true });
  const own = (one) => one.getAttribute("aria-label") ?? words(one.labels?.[0] ?? one);
  const nameOf = (target) => {
    const named = target.getAttribute("aria-labelledby")?.split(" ").map((id) => own(document.getElementById(id)));
    const from = named?.join(" ") ?? own(target);
    const described = target.getAttribute("aria-describedby");
    const more = described ? words(document.getElementById(described)) : ""; // hidden or not
    return [from.replace(/\\.$/, ""), target.checked ? "ticked" : "", more].filter(Boolean).join(", ");
  };
  document.addEventListener("focusin", ({ target }) => { // a reader asks for the name when the page is done
    const line = { at: performance.now(), what: "focus", text: "" };
    window.heard.push(line);
    queueMicrotask(() => {
      const isLed = target.getAttribute("aria-labelledby")?.startsWith("news ");
      Object.assign(line, { text: nameOf(target), led: isLed ? words(document.getElementById("news")) : "" });
    });
  });
  document.addEventListener("keydown", ({ key }) => tell("key", key === " " ? "Space" : key), true);
}"""

# Whether the focus is there; of a group of radio buttons, Tab finds one.
_HAS_FOCUS = """wanted => {
    const { activeElement } = document;
    return activeElement === wanted
        || (activeElement.type === "radio" && activeElement.name === wanted.name && activeElement.form === wanted.form);
}"""
# The key that leads there: that of a card's rank, an arrow or Tab to what is beside it, else the letter of the place.
_KEY = r"""wanted => {
    const { activeElement: now } = document;
    const [to, from] = [wanted, now].map((one) => one.closest("#hand > li"));
    if (to && from && to.previousElementSibling === from) return "ArrowRight";
    if (to && from && to.nextElementSibling === from) return "ArrowLeft";
    const [, rank] = /(?:^|-| )(10|[2-9AJQK])[SHDCK](?=-| |$)/.exec(`${wanted.value} ${wanted.id}`) ?? [];
    if (rank) return { A: "1", 10: "0" }[rank] ?? rank.toLowerCase();
    if (wanted.closest("#mine")) return now.closest("#mine") ? "Tab" : "h";
    return wanted.closest("#actions") && now.closest("#board") ? "Shift+A" : "a";
}"""
# How many keys each thing takes that may be done now, Enter among them: all that two keys lead to.
_REACH = r"""() => {
    const KEYS = [..."ah123456789jqk0", "ArrowLeft", "ArrowRight"];
    const WAYS = [...KEYS, ...KEYS.filter((key) => !key.startsWith("Arrow"))].map((key, at) => {
        const [shiftKey, isFigure] = [at >= KEYS.length, /\d/.test(key)];
        const shown = !shiftKey ? key : isFigure ? "shifted" : key.toUpperCase();
        return { key: shown, code: isFigure ? `Digit${key}` : "", shiftKey, bubbles: true, cancelable: true };
    });
    const isSeen = (one) => (one.labels?.[0] ?? one).checkVisibility({ visibilityProperty: true });
    const isThere = (one) => !one.disabled && !one.closest("[aria-hidden=true], [inert]") && isSeen(one);
    const DOES = "#actions button, .suit:is(button), #mine :is(.now, .pick input), .spot:is(button), .spot input, "
        + "#board button.lay:not([form^=why])";
    const does = new Set([...document.querySelectorAll(DOES)].filter(isThere));
    const [began, heard] = [document.activeElement, window.heard.length];
    const least = new Map([[began, 1]]);
    const from = (path) => {
        document.activeElement.blur();
        began.focus({ preventScroll: true });
        for (const way of path) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", way));
        return document.activeElement;
    };
    const first = new Map();
    for (const way of WAYS) if (!first.has(from([way]))) first.set(document.activeElement, way);
    for (const one of first.keys()) if (!least.has(one)) least.set(one, 2);
    for (const way of first.values()) {
        for (const then of WAYS) {
            if ([...does].every((one) => least.has(one))) break;
            if (!least.has(from([way, then]))) least.set(document.activeElement, 3);
        }
    }
    from([]);
    window.heard.splice(heard);
    return [...does].map((one) => [one.id || one.textContent.trim(), least.get(one) ?? 4]);
}"""
_MOST = 90  # keys to one thing
# A second Enter in a blink does nothing else than the first.
_IS_NO_BLINK = """() => {
    const entered = window.heard.findLast(({ text }) => text === "Enter");
    return performance.now() - (entered?.at ?? 0) > 350;
}"""


# Where the focus is to be: on what can be done, at the bar that says whose turn it is, on the scores.
IS_WELL = """() => {
    const { activeElement: now } = document;
    const live = document.getElementById("live");
    if (!live.matches(".at-playing")) return now.matches("[id^=sheet-of-]");
    if (live.dataset.myTurn !== "true") return now.matches("#bar");
    return now.matches("#actions *, .now, #hand, #mine :is(button, input):not(.sorter *)");
}"""


@dataclass
class Heard:
    """A round as it was heard, line by line, the keys of each move, and those that each thing would take that might be
    done on the way."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)
    reach: list[tuple[str, int]] = field(default_factory=list)

    def a_move(self) -> tuple[float, float]:
        """Announcements and words for each of one's moves, from the first key on: at the beginning the hand is told.
        What led to one's turn counts, too, where the focus says it; what the focus is on does not."""
        began = next(at for at, line in enumerate(self.lines) if line["what"] == "key")
        told = [
            line["led"] if line["what"] == "focus" else line["text"]
            for line in self.lines[began:]
            if line["what"] != "key"
        ]
        said = [words for words in told if words]
        return len(said) / len(self.keys), sum(len(text.split()) for text in said) / len(self.keys)

    def written(self) -> str:
        """A line for each thing that is heard, and for the keys that were pressed one after the other."""
        lines: list[str] = []
        for line in self.lines:
            seconds = int(line["at"] // 1000)
            if line["what"] == "key" and lines and "  key" in lines[-1]:
                lines[-1] += f" {line['text']}"
            else:
                lines.append(f"{seconds // 60}:{seconds % 60:02}  {line['what']:<5} {line['text']}")
        return "\n".join(lines)


def press(page: Page, wanted: ElementHandle) -> int:
    """Goes there by keys and presses it; how many keys. If it is gone on the way, something else is wanted by now."""
    for keys in range(_MOST):
        if not wanted.evaluate("one => one.isConnected"):
            return keys
        if wanted.evaluate(_HAS_FOCUS):
            page.wait_for_function(_IS_NO_BLINK)
            page.keyboard.press("Enter")
            return keys + 1
        page.keyboard.press(wanted.evaluate(_KEY))
    raise AssertionError(f"no key leads to {wanted.evaluate('one => one.outerHTML')}")


def _focus_is_well(page: Page) -> None:
    try:
        page.wait_for_function(IS_WELL, timeout=5_000)
    except TimeoutError as error:
        raise AssertionError(page.evaluate("document.activeElement.outerHTML")[:300]) from error


def play_by_ear(
    page: Page, room: Served, party: Party, *, think: float = 0.0, most: float = 120.0, reach: bool = False
) -> Heard:
    """Plays a round, or at most so many seconds of it, by keyboard alone, and thinks so long before each act.
    After each act the focus is where one goes on; what takes how many keys from there is counted with `reach`."""
    page.context.add_cookies([{"name": "snug", "value": party.guests[0].token, "url": room.url}])
    page.add_init_script(f"for (const key of {[*GAMES]}) localStorage.setItem(`coached-${{key}}`, 'yes')")
    page.add_init_script(f"addEventListener('DOMContentLoaded', {_LISTEN})")
    page.goto(f"{room.url}/t/{party.slug}")
    page.wait_for_load_state("load")
    heard, began, keys, version = Heard(), time.monotonic(), 0, ""
    while time.monotonic() - began < most:
        wanted = page.wait_for_function(_WANTED).as_element()
        assert wanted
        now = page.evaluate("document.getElementById('live').dataset.version")
        if keys and now != version:
            heard.keys.append(keys)
            keys = 0
        version = now
        if wanted.evaluate("one => one.id === 'live'"):
            _focus_is_well(page)
            break
        if heard.keys or keys:
            _focus_is_well(page)
        page.wait_for_timeout(1000 * think)
        heard.reach += page.evaluate(_REACH) if reach else []
        keys += press(page, wanted)
    heard.lines = [line for line in page.evaluate("window.heard") if line["text"]]
    return heard


def main() -> None:
    """Prints a round as it is heard."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.ears", description=__doc__)
    parser.add_argument("game", choices=[*GAMES])
    parser.add_argument("seats", nargs="?", type=int, default=4)
    parser.add_argument("--pace", default="brisk", help="of the bots")
    parser.add_argument("--think", type=float, default=1.5, help="seconds before each act")
    parser.add_argument("--seconds", type=float, default=300, help="at most")
    given = parser.parse_args()
    with by_hand() as (room, browser):
        page = browser.new_context(reduced_motion="reduce").new_page()
        party = against_bots(room.context, given.game, given.seats, {}, given.pace)
        heard = play_by_ear(page, room, party, think=given.think, most=given.seconds)
    print(heard.written())
    announcements, words = heard.a_move()
    print(f"{announcements:.1f} announcements and {words:.0f} words a move")
    print(f"keys of each move: {heard.keys}, in the middle {statistics.median(heard.keys)}")


if __name__ == "__main__":
    main()
