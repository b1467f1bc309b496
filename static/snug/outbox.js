// What was sent and is not answered yet. What names the page it was made on is done once, however often it arrives: it is
// kept until it is answered, over a reload, too, and sent again by itself, at once when the room is reached again or has
// something newer to show. What else could not be sent waits for a tap.

import { isLook, isPassing, isPoll, live } from "./page.js";
import { hideUnsent, showUnsent, submitAgain } from "./unsent.js";

const POST_PATIENCE = "8s"; // for what was clicked
const LONGEST_WAIT = 15_000; // ms between two tries
const QUICK = 3_000; // ms: what fails so soon is tried once more before a word is said
const SLOW = 1_500; // ms after which it is said that it is on its way
const OLD = 600_000; // ms after which nobody expects a click to be done any more
const AT = "outbox";

/** @typedef {{ action: string, fields: string[][], path: string, since: number, tries: number, isTold: boolean }} Letter */

/** @type {Letter[]} */
let kept = [JSON.parse(sessionStorage.getItem(AT) ?? "[]")].flat().map((letter) => ({ ...letter, tries: 0, isTold: false })); // the oldest first
/** @type {Letter | null} */
let waits = null; // for a tap
/** @type {Set<string>} */
const underWay = new Set(); // the forms that are
let next = 0; // what waits to send them again
let slow = 0; // what waits to say that one is on its way

/** @type {(letter: Letter) => string | undefined} */
const seen = ({ fields }) => fields.find(([name]) => name === "seen")?.[1];
/** @type {(request: Asked["request"]) => Letter} */
const letterOf = ({ action, body }) => ({ action, fields: [...body].map(([name, value]) => [name, String(value)]), path: location.pathname, since: Date.now(), tries: 0, isTold: false });
/** @type {(one: Letter, other: Letter) => boolean} */
const isSame = (one, other) => one.action === other.action && String(one.fields) === String(other.fields);
// Whoever sends a form anew has thought better of what it said before.
/** @type {(letter: Letter) => string} */
const formOf = ({ action, fields, path }) => [path, action.split("?")[0], ...fields.map(([name]) => name)].join();
/** @type {(event: Event) => boolean} */
const isPost = (event) => !isPoll(event) && !isLook(event) && !isPassing(event) && event.detail.ctx?.request?.method === "POST";
/** @type {(letter: Letter) => string} */
const placeOf = ({ action }) => (/\/talk(\?|$)/.test(action) ? "" : "row"); // no move waits for what is said
/** @param {EventTarget | null} form */
const saysSo = (form) => form instanceof Element && form.getAttribute("hx-status:429") === "swap:outerMorph"; // shows itself what was too often
const here = () => kept.filter(({ path }) => path === location.pathname);

/** @type {(letters: Letter[]) => void} */
function store(letters) {
  kept = letters;
  if (kept.length) sessionStorage.setItem(AT, JSON.stringify(kept));
  else sessionStorage.removeItem(AT);
}

/** @type {(letter: Letter) => Letter} */
function keep(letter) {
  const at = kept.findIndex((one) => formOf(one) === formOf(letter));
  if (at >= 0 && isSame(kept[at], letter)) return kept[at];
  store(at < 0 ? [...kept, letter] : kept.map((one, number) => (number === at ? letter : one)));
  return letter;
}

function tellTheRest() {
  clearTimeout(slow);
  hideUnsent();
  const told = here().find(({ isTold }) => isTold);
  if (told) showUnsent(told, placeOf(told));
  else if (waits) showUnsent(waits);
}

/** @type {(letter: Letter) => void} */
function settle(letter) {
  const left = kept.filter((one) => !isSame(one, letter));
  if (waits && isSame(waits, letter)) waits = null;
  else if (left.length === kept.length) return;
  store(left);
  stopWaiting();
  tellTheRest();
}

function stopWaiting() {
  clearTimeout(next);
  next = 0;
}

export function sendKept() {
  stopWaiting();
  const [first] = here();
  if (first && !underWay.size) submitAgain(first);
}

/** @type {(letter: Letter, status: number) => void} */
function fail(letter, status) {
  if (!seen(letter)) {
    waits = letter;
    if (!here().length) showUnsent(letter);
    return;
  }
  const one = keep(letter);
  one.tries += 1;
  const isQuiet = one.tries === 1 && status !== 429 && navigator.onLine !== false && Date.now() - one.since < QUICK;
  const wait = isQuiet ? QUICK / 10 : Math.min(LONGEST_WAIT, 500 * 2 ** one.tries);
  clearTimeout(next);
  next = setTimeout(sendKept, wait * (0.5 + Math.random() / 2));
  if (isQuiet) return;
  one.isTold = true;
  showUnsent(one, placeOf(one));
  document.dispatchEvent(new CustomEvent("snug:unsent", { detail: one }));
}

// A page that is left in the meantime finds it again when it is back.

function takeKept() {
  store(kept.filter(({ since }) => Date.now() - since <= OLD));
  if (live()) sendKept();
}

document.addEventListener("htmx:config:request", (event) => {
  const { request } = event.detail.ctx;
  if (request.method === "POST") request.timeout = POST_PATIENCE;
});
document.addEventListener("htmx:before:request", (event) => {
  if (!isPost(event)) return;
  const letter = letterOf(event.detail.ctx.request);
  if (!seen(letter)) return;
  const one = keep(letter);
  underWay.add(formOf(one));
  clearTimeout(slow);
  slow = setTimeout(() => underWay.has(formOf(one)) && kept.includes(one) && showUnsent(one, `${placeOf(one)} sending`), SLOW);
});
document.addEventListener("htmx:after:request", (event) => {
  if (!isPost(event)) return;
  const { request, response } = event.detail.ctx;
  const letter = letterOf(request);
  const isTooOften = response.status === 429 && seen(letter) && !saysSo(event.target);
  if (response.status >= 500 || isTooOften) fail(letter, response.status);
  else settle(letter);
});
document.addEventListener("htmx:error", (event) => isPost(event) && fail(letterOf(event.detail.ctx.request), 0));
document.addEventListener("htmx:finally:request", (event) => {
  if (isPost(event) && underWay.delete(formOf(letterOf(event.detail.ctx.request))) && !next) sendKept();
});
document.addEventListener("htmx:after:swap", () => {
  if (underWay.size || !here().some((letter) => Number(live()?.dataset.version) > Number(seen(letter)))) return;
  for (const letter of here()) letter.isTold = false; // it may have been done: the room says so, or why not
  tellTheRest();
  sendKept();
});
window.addEventListener("online", sendKept);
if (document.readyState === "complete") takeKept();
else window.addEventListener("load", takeKept);
