// The end of a round: the table as it was left is fetched from the replay and stays a while, until somebody taps or
// presses a key; then the page of scores is asked for again.

import { land } from "./flights.js";
import { look } from "./look.js";
import { live, OVER, still } from "./places.js";
import { show } from "./show.js";
import { tell } from "./tell.js";

const STAY = 2_000; // ms
const PATIENCE = 4_000; // ms for the last moment of the replay to come
const LAST = 99_999; // a moment that no round has: the nearest is the last

/** @type {number | null} */
let ending = null; // the timer while the end is looked at
let isSeen = false; // it was looked at: what comes next may be put onto the page

// Whether what comes has to wait until the end of the round was looked at.

/** @type {(event: Event, next: Element | undefined | null) => boolean} */
export function isHeld(event, next) {
  const isEnd = next?.matches(OVER) && live()?.matches(".at-playing");
  const replay = isEnd && [...(next?.querySelectorAll("a[id^=replay-]") ?? [])].at(-1);
  if (replay && !isSeen && !still.matches && !document.hidden) {
    hold(event, replay);
    return true;
  }
  if (next && ending) {
    clearTimeout(ending);
    ending = null;
  }
  return false;
}

export function letGo() {
  isSeen = false;
}

/** @type {(event: Event, replay: Element) => void} */
function hold(event, replay) {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (ending) return;
  ending = setTimeout(goOn, PATIENCE + STAY);
  lastMoment(`${replay.href}?step=${LAST}`).then(stay, () => {});
}

/** @type {(address: string) => Promise<Document>} */
async function lastMoment(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(answer.statusText);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** @type {(held: Element) => string | undefined} */
const idIn = (held) => held.querySelector("[id^=card-]")?.id;

/** @type {(page: Document) => void} */
function stay(page) {
  if (!ending) return;
  land();
  const from = look();
  const [mine, theirs] = [document, page].map((one) => [...(one.getElementById("hand")?.children ?? [])]);
  /** @type {(held: Element) => number} */
  const placeOf = (held) => mine.findIndex((one) => idIn(one) === idIn(held));
  if (theirs.length) theirs[0].parentElement?.append(...theirs.sort((one, other) => placeOf(one) - placeOf(other)));
  for (const id of ["others", "board", "mine"]) {
    const [old, now] = [document.getElementById(id), page.getElementById(id)];
    if (old && now) old.replaceChildren(...document.adoptNode(now).childNodes);
  }
  document.getElementById("say")?.replaceChildren(...page.querySelectorAll("#say > span"));
  document.getElementById("bar")?.classList.remove("mine");
  document.getElementById("actions")?.style.setProperty("visibility", "hidden"); // nobody may do anything any more
  show(from && { ...from, version: null });
  tell("shown", {});
  clearTimeout(ending);
  ending = setTimeout(goOn, STAY);
}

function goOn() {
  clearTimeout(ending ?? 0);
  ending = null;
  isSeen = true;
  land();
  htmx.trigger("#poll", "wake");
}

/** @type {(event: MouseEvent | KeyboardEvent) => void} */
function skip(event) {
  if (!ending || ("key" in event && ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  goOn();
}

for (const act of /** @type {const} */ (["click", "keydown"])) window.addEventListener(act, skip, true);
window.addEventListener(
  "htmx:before:request",
  (event) => {
    if (!ending || event.target.id !== "poll") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
