// Cards travel from place to place, and a round ends before one's eyes. What moved is read from the page as it was and as
// it is: nothing here knows a game. A place is what carries `data-place`; `data-cards`, on it or on the backs in it, says
// how many cards lie there of which not all are seen. Before a page changes all cards land; what happens behind one's back
// is shown when one is back.

import { isHeld, letGo } from "./motion/ending.js";
import { land, REPLAYED } from "./motion/flights.js";
import "./motion/log.js";
import { look } from "./motion/look.js";
import { live } from "./motion/places.js";
import { arrive } from "./motion/scores.js";
import { show } from "./motion/show.js";

const BACK = 500; // ms within which the room answers somebody who is back

/** @type {Look | null} */
let was = null;
/** @type {Look | null} */
let away = document.hidden ? look() : null; // the table as it was when it went out of sight

window.addEventListener(
  "htmx:before:swap",
  (event) => {
    const next = event.detail.tasks.map((/** @type {{ fragment: DocumentFragment }} */ { fragment }) => fragment.querySelector("#live")).find(Boolean);
    if (isHeld(event, next)) return;
    land();
    was = away ? null : look();
  },
  true,
);
document.addEventListener("htmx:after:swap", () => {
  letGo();
  if (was && was.stage !== live()?.className) arrive();
  if (!away) show(was);
  else if (!document.hidden) catchUp();
  was = null;
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    land();
    away ??= look();
  } else setTimeout(catchUp, BACK);
});

function catchUp() {
  if (away?.stage.includes("at-playing")) show(away, REPLAYED);
  away = null;
}
