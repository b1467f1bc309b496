"""What is wrong with how a page is laid out: controls that cannot be pressed, words that are cut, parts that lie over
one another."""

from playwright.sync_api import CDPSession

from tests.browser.paint import PAINTED

Size = tuple[int, int]
Lettered = tuple[int, int, int]
"""A size with the size of the text, in hundredths of the usual."""


def resize(session: CDPSession, size: Size | Lettered, sharpness: float = 1) -> None:
    """Gives the page's window this size in CSS pixels, each of so many of the screen's, and its text its size."""
    session.send(
        "Emulation.setDeviceMetricsOverride",
        {"width": size[0], "height": size[1], "deviceScaleFactor": sharpness, "mobile": False},
    )
    text = f"{size[2]}%" if len(size) == 3 else ""
    session.send("Runtime.evaluate", {"expression": f"document.documentElement.style.fontSize = {text!r}"})


# `clipped(node)` is the lines of a text node as far as they are seen, and what cuts them; what scrolls cuts nothing.
CLIPPED = """
  const clipped = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    let lines = [...range.getClientRects()].map(({ left, top, right, bottom }) => ({ left, top, right, bottom }));
    const isSeen = ({ left, top, right, bottom }) => right - left > 2 && bottom - top > 2;
    let by = null;
    for (let part = node.parentElement; part && (lines = lines.filter(isSeen)).length; part = part.parentElement) {
      const { clipPath, overflowX, overflowY, position, visibility } = getComputedStyle(part);
      if (clipPath !== "none" || visibility === "hidden") return { lines: [], by: null };
      if (overflowX !== "visible") {
        const around = part.getBoundingClientRect();
        const isWhole = ({ left, top, right, bottom }) =>
          left > around.left - 1.5 && right < around.right + 1.5 && top > around.top - 4 && bottom < around.bottom + 4;
        if (!lines.every(isWhole) && !/auto|scroll/.test(overflowX + overflowY)) by ??= part;
        lines = lines.map(({ left, top, right, bottom }) => ({
          left: Math.max(left, around.left), top: Math.max(top, around.top),
          right: Math.min(right, around.right), bottom: Math.min(bottom, around.bottom),
        }));
      }
      if (position === "fixed") break;
    }
    return { lines, by };
  };"""

# Words that are cut, parts with words or to be pressed that lie over one another, a page that is too wide.
MESSY = """() => {
  CLIPPED
  const faults = [];
  document.documentElement.toggleAttribute("PAINTED", true); // what cannot be seen is not looked at
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth) faults.push(`the page is ${page.scrollWidth} wide`);
  const named = (one) => one.id || one.className || one.localName;
  const called = (one) => `${named(one)} "${one.textContent.trim().replace(/\\s+/g, " ").slice(0, 30)}"`;
  const layer = (one) => {
    for (let part = one; part; part = part.parentElement)
      if (/fixed|sticky/.test(getComputedStyle(part).position)) return part;
    return null;
  };
  const seen = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: part, data } = walk.currentNode;
    if (!data.trim() || part.closest("option, script, style, template, noscript, .skip, [inert]")) continue;
    if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { lines, by } = clipped(walk.currentNode);
    // A name of any length may end in an ellipsis, and cards of a stack lie over one another.
    if (by && !by.matches(".clip, .covered")) faults.push(`${called(part)} is cut by ${named(by)}`);
    for (const line of lines) seen.push({ part, ...line });
  }
  const felt = document.querySelector(".felt > .board")?.getBoundingClientRect();
  for (const card of document.querySelectorAll(".felt > :is(.board, .others) .card")) {
    if (!card.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { left, right, width } = card.getBoundingClientRect();
    if (width > 160) faults.push(`a card is ${Math.round(width)} wide`);
    if (left < felt.left - 8 || right > felt.right + 8) faults.push(`${called(card.parentElement)} lies off the felt`);
  }
  const pressed = "button, summary, select, textarea, a.button, input:not([type=hidden])";
  for (const part of document.querySelectorAll(pressed)) {
    if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (part.closest("#hand, [inert]")) continue;
    let { left, top, right, bottom } = part.getBoundingClientRect();
    // What has been scrolled away lies over nothing.
    for (let around = part.parentElement; around && around !== document.body; around = around.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(around).overflowY)) continue;
      const frame = around.getBoundingClientRect();
      [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    if (right - left > 2 && bottom - top > 2) seen.push({ part, left, top, right, bottom });
  }
  if (!seen.length) faults.push("nothing is seen");
  for (const [at, one] of seen.entries()) {
    for (const other of seen.slice(at + 1)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide < 3 || high < 5 || one.part.contains(other.part) || other.part.contains(one.part)) continue;
      if (layer(one.part) !== layer(other.part)) continue;
      const by = [wide, high].map(Math.round).join(" by ");
      faults.push(`${called(one.part)} and ${called(other.part)} lie over one another: ${by}`);
    }
  }
  document.documentElement.removeAttribute("PAINTED");
  return faults;
}""".replace("CLIPPED", CLIPPED).replace("PAINTED", PAINTED)

# The controls of which something else lies over the centre, or that are out of reach, with what lies there.
UNPRESSABLE = """async (notice) => {
  for (const id of ["unsent", "offline"]) document.getElementById(id).hidden = id !== notice;
  const words = document.querySelector("#unsent p");
  words.textContent = words.dataset.again;
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame); // the callout follows the window
  document.documentElement.toggleAttribute("PAINTED", true); // what cannot be seen is not looked at
  // Taps go through these, but nobody taps what they do not see.
  for (const one of document.querySelectorAll(".callout, .actions .hint")) one.style.pointerEvents = "auto";
  const called = (one) => one && (one.id || one.textContent.trim().slice(0, 20) || one.outerHTML.slice(0, 60));
  const faults = [];
  const isDrawn = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && one.getClientRects().length;
  const cutBy = (part) => { // by what no finger can scroll
    const { x, width } = part.getBoundingClientRect();
    for (let around = part.parentElement; around; around = around.parentElement) {
      const { left, right } = around.getBoundingClientRect();
      const isCut = x + width / 2 < left || x + width / 2 > right;
      if (isCut && /hidden|clip/.test(getComputedStyle(around).overflowX)) return around;
    }
    return null;
  };
  let isAnySeen = false;
  for (const one of document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")) {
    if (one.disabled || one.closest("[inert], .skip, #flights")) continue;
    const drawn = [one, ...(one.labels ?? [])].filter(isDrawn);
    if (!drawn.length) continue;
    isAnySeen = true;
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
    const cut = drawn.map(cutBy).find(Boolean);
    if (cut) faults.push(`${called(one)} cut by ${called(cut)}`);
    drawn[0].scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    if (drawn.some(isHit)) continue;
    const { x, y, width, height } = drawn.at(-1).getBoundingClientRect();
    faults.push(`${called(one)} under ${called(document.elementFromPoint(x + width / 2, y + height / 2))}`);
  }
  if (!isAnySeen) faults.push("nothing that can be pressed is seen");
  const boxes = (parts) =>
    [...document.querySelectorAll(parts)].filter(isDrawn).map((one) => one.getBoundingClientRect());
  const read = ".rule, .fits, .ladder, .owed, .suit-in-play, .prelude, .actions .hint, .offers li, .naming";
  for (const one of boxes(".callout")) {
    for (const other of boxes(`.messages > *, .notes > *, #unsent, #offline, ${read}`)) {
      const isBeside = one.right <= other.left || other.right <= one.left;
      if (!isBeside && one.bottom > other.top && other.bottom > one.top) faults.push("the callout lies over words");
    }
  }
  document.documentElement.removeAttribute("PAINTED");
  return faults;
}""".replace("PAINTED", PAINTED)
