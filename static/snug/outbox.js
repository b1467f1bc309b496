// What was sent and is not answered yet. What names the page it was made on is done once, however often it arrives: it is
// kept until it is answered, over a reload, too, and sent again by itself, at once when the room is reached again or has
// something newer to show. What else could not be sent waits for a tap.

import { isLook, isPoll, live } from "./page.js";
import { hideUnsent, showUnsent, submitAgain } from "./unsent.js";

const POST_PATIENCE = "8s"; // for what was clicked
const LONGEST_WAIT = 15_000; // ms between two tries
const QUICK = 3_000; // ms: what fails so soon is tried once more before a word is said
const SLOW = 1_500; // ms after which it is said that it is on its way
const OLD = 600_000; // ms after which nobody expects a click to be done any more
const AT = "outbox";

/** @typedef {{ action: string, fields: string[][], path: string, since: number }} Letter */

/** @type {Letter | null} */
let kept = null;
let tries = 0;
let isUnderWay = false;
let next = 0; // what waits to send it again
let slow = 0; // what waits to say that it is on its way

/** @type {(letter: Letter) => string | undefined} */
const seen = ({ fields }) => fields.find(([name]) => name === "seen")?.[1];
/** @type {(request: Asked["request"]) => Letter} */
const letterOf = ({ action, body }) => ({ action, fields: [...body].map(([name, value]) => [name, String(value)]), path: location.pathname, since: Date.now() });
/** @type {(one: Letter | null, other: Letter) => boolean} */
const isSame = (one, other) => one?.action === other.action && String(one.fields) === String(other.fields);
/** @type {(event: Event) => boolean} */
const isPost = (event) => !isPoll(event) && !isLook(event) && event.detail.ctx?.request?.method === "POST";

/** @type {(letter: Letter) => void} */
function keep(letter) {
  if (!isSame(kept, letter)) tries = 0;
  else letter.since = kept?.since ?? letter.since;
  kept = letter;
  if (seen(letter)) sessionStorage.setItem(AT, JSON.stringify(letter));
}

function settle() {
  for (const timer of [next, slow]) clearTimeout(timer);
  kept = null;
  sessionStorage.removeItem(AT);
  hideUnsent();
}

export function sendKept() {
  clearTimeout(next);
  if (kept && seen(kept) && !isUnderWay) submitAgain(kept);
}

/** @type {(letter: Letter, status: number) => void} */
function fail(letter, status) {
  if (!seen(letter)) {
    if (kept && seen(kept)) return;
    kept = letter;
    return showUnsent(letter);
  }
  keep(letter);
  tries += 1;
  const isQuiet = tries === 1 && status !== 429 && navigator.onLine !== false && Date.now() - letter.since < QUICK;
  const wait = isQuiet ? QUICK / 10 : Math.min(LONGEST_WAIT, 500 * 2 ** tries);
  clearTimeout(next);
  next = setTimeout(sendKept, wait * (0.5 + Math.random() / 2));
  if (isQuiet) return;
  showUnsent(letter, "row");
  document.dispatchEvent(new CustomEvent("snug:unsent"));
}

// A page that is left in the meantime finds it again when it is back.

export function takeKept() {
  /** @type {Letter | null} */
  const letter = JSON.parse(sessionStorage.getItem(AT) ?? "null");
  if (!letter || !live() || letter.path !== location.pathname) return;
  if (Date.now() - letter.since > OLD) return sessionStorage.removeItem(AT);
  kept = letter;
  sendKept();
}

document.addEventListener("htmx:config:request", (event) => {
  const { request } = event.detail.ctx;
  if (request.method === "POST") request.timeout = POST_PATIENCE;
});
document.addEventListener("htmx:before:request", (event) => {
  if (!isPost(event)) return;
  const letter = letterOf(event.detail.ctx.request);
  if (!seen(letter)) return;
  keep(letter);
  isUnderWay = true;
  clearTimeout(slow);
  slow = setTimeout(() => isUnderWay && kept && showUnsent(kept, "row sending"), SLOW);
});
document.addEventListener("htmx:after:request", (event) => {
  if (!isPost(event)) return;
  const { request, response } = event.detail.ctx;
  const letter = letterOf(request);
  if (response.status >= 500 || (response.status === 429 && seen(letter))) fail(letter, response.status);
  else if (isSame(kept, letter)) settle();
});
document.addEventListener("htmx:error", (event) => isPost(event) && fail(letterOf(event.detail.ctx.request), 0));
document.addEventListener("htmx:finally:request", (event) => {
  if (isPost(event) && seen(letterOf(event.detail.ctx.request))) isUnderWay = false;
});
document.addEventListener("htmx:after:swap", () => {
  if (!kept || isUnderWay || !(Number(live()?.dataset.version) > Number(seen(kept)))) return;
  hideUnsent(); // it may have been done: the room says so, or why not
  sendKept();
});
window.addEventListener("online", sendKept);
if (document.readyState === "complete") takeKept();
else window.addEventListener("load", takeKept);
