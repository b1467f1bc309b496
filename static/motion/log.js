// What happened stands newest first, and yet nothing in it jumps: what is there stays where it is, and the log is
// scrolled to what is new.

import { isStill } from "./places.js";

const log = () => /** @type {HTMLElement | null} */ (document.getElementById("log"));

/** Most lines go down together; those that a frame is put around, or taken from, go their own way.
 * @type {(ways: number[]) => number} */
const mostCommon = (ways) => {
  const counts = new Map();
  for (const way of ways) counts.set(way, 1 + (counts.get(way) ?? 0));
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
};

/** @type {{ tops: Map<string, number>, isAtTop: boolean } | null} */
let seen = null; // the lines that are seen, and where
let above = 0; // px of room over the newest line, where the lines have become fewer
let isGliding = false;
let next = 0; // the frame in which it begins to

document.addEventListener("htmx:before:swap", () => {
  const shown = log();
  seen = null;
  if (!shown?.checkVisibility()) return;
  const { top, bottom } = shown.getBoundingClientRect();
  const tops = [...shown.querySelectorAll("li")].map((line) => /** @type {const} */ ([line.id, line.getBoundingClientRect()]));
  const inside = tops.filter(([, line]) => line.bottom > top && line.top < bottom).map(([id, line]) => /** @type {const} */ ([id, line.top]));
  seen = { tops: new Map(inside), isAtTop: isGliding || shown.scrollTop <= above + 1 };
});

document.addEventListener("htmx:after:swap", () => {
  const shown = log();
  if (!seen || !shown) return;
  const lines = [...shown.querySelectorAll("li")].filter((line) => seen?.tops.has(line.id));
  if (!lines.length) return;
  cancelAnimationFrame(next);
  const before = shown.style.getPropertyValue("--above");
  shown.style.setProperty("--below", `${shown.clientHeight}px`); // so that what is short is scrolled, too
  shown.style.setProperty("--above", "0px");
  const to = shown.scrollTop + mostCommon(lines.map((line) => Math.round(line.getBoundingClientRect().top - (seen?.tops.get(line.id) ?? 0))));
  above = Math.max(0, -to);
  shown.style.setProperty("--above", `${above}px`);
  shown.scrollTop = to + above;
  if (!seen.isAtTop || (shown.scrollTop === above && before === `${above}px`)) return;
  isGliding = true;
  const glide = () => shown.scrollTo({ top: above, behavior: isStill() ? "instant" : "smooth" });
  next = requestAnimationFrame(() => (next = requestAnimationFrame(glide))); // once it has been drawn where it stands
});

document.addEventListener(
  "scroll",
  ({ target }) => {
    if (target === log() && log()?.scrollTop === above) isGliding = false;
  },
  true,
);
