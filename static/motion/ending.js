// The end of a round: what was played last lands on the table, which is there to be seen, and then the sheet with the scores
// rises over it, at a tap or a key at once.

import { land } from "./flights.js";
import { isStill, live, OVER } from "./places.js";
import { arrive } from "./scores.js";

const STAY = 1_800; // ms

/** @type {number | null} */
let ending = null; // the timer while the end is looked at

/** @type {(stage: string) => void} */
export function end(stage) {
  const { classList } = document.body;
  classList.remove("rising");
  const isSeen = stage.includes("at-playing") && live()?.matches(OVER) && live()?.querySelector(".felt");
  if (!isSeen || isStill() || document.hidden) return arrive();
  classList.add("ending");
  ending = setTimeout(rise, STAY);
}

export const isEnding = () => ending !== null;

function rise() {
  clearTimeout(ending ?? 0);
  ending = null;
  land();
  document.body.classList.replace("ending", "rising");
  arrive();
}

/** @type {(event: MouseEvent | KeyboardEvent) => void} */
function skip(event) {
  if (!isEnding() || ("key" in event && ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  rise();
}

for (const act of /** @type {const} */ (["click", "keydown"])) window.addEventListener(act, skip, true);
