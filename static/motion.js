// Cards travel from place to place, and a round ends before one's eyes. What moved is read from the page as it was and as
// it is: nothing here knows a game. A place is what carries `data-place`; `data-cards`, on it or on the backs in it, says
// how many cards lie there of which not all are seen. Before a page changes all cards land; what happens behind one's back
// is shown when one is back.

import { end } from "./motion/ending.js";
import { land, REPLAYED } from "./motion/flights.js";
import "./motion/log.js";
import { look } from "./motion/look.js";
import { live } from "./motion/places.js";
import { show } from "./motion/show.js";

const BACK = 500; // ms within which the room answers somebody who is back

const { end: href } = document.getElementById("notices-script")?.dataset ?? {}; // what styles the end comes before it
if (href && !document.querySelector(`link[href="${href}"]`)) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));

/** @type {Look | null} */
let was = null;
/** @type {Look | null} */
let away = document.hidden ? look(true) : null; // the table as it was when it went out of sight

window.addEventListener(
  "htmx:before:swap",
  () => {
    land();
    was = away ? null : look(true);
  },
  true,
);
document.addEventListener("htmx:after:swap", () => {
  if (was && was.stage !== live()?.className) end(was.stage);
  if (!away) show(was);
  else if (!document.hidden) catchUp();
  was = null;
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    land();
    away ??= look(true);
  } else setTimeout(catchUp, BACK);
});

// Whoever comes to a table at which nobody has moved sees the deal.
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
if (!away && document.querySelector("#bar.dealt") && arrival?.type === "navigate" && document.referrer.startsWith(`${location.origin}/`)) {
  show({ stage: "", version: "", places: new Map(), cards: new Map() });
}

function catchUp() {
  if (away?.stage.includes("at-playing")) show(away, REPLAYED);
  away = null;
}
