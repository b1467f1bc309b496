// Polling: slower when hidden, backing off with jitter when the room is away, at once when shown again.

import { isLook, isPoll, live, poll } from "./page.js";
import { sendKept } from "./outbox.js";

const HIDDEN_PACE = 5_000; // ms between polls of a tab that nobody looks at
const LONGEST_WAIT = 15_000; // ms between tries when the room cannot be reached
const LEAVING = 1_000; // ms for which a page that is left asks nothing
const EAGER = 30; // tries in a row at the pace of a second: a room that starts anew is soon there
const POLL_PATIENCE = "8s"; // for a poll that is answered at once, but with everybody else after a restart

let failures = 0;
let notBefore = 0;
let leftAt = -Infinity; // when the page was about to be left
/** @type {Asked | null} */
let asked = null; // the poll that the room holds
let unsure = false; // whether the network came or went since the room last answered
let lacking = false; // whether some of the page may be older than the rest
/** @type {WeakSet<Asked>} */
const forAll = new WeakSet(); // polls that ask for the whole page

function pollNow() {
  notBefore = 0;
  if (poll()) htmx.trigger("#poll", "wake");
}

// What has just been drawn is asked about again soon: bots answer at once, and several of their moves come together.

const SOON = 80; // ms
/** @type {string | null | undefined} */
let drawn = null;

export function pollSoon() {
  if (document.hidden || live()?.dataset.version === drawn) return;
  drawn = live()?.dataset.version;
  setTimeout(pollNow, SOON);
}

function reached() {
  if (failures) setTimeout(sendKept, 0);
  failures = 0;
  unsure = false;
  document.getElementById("offline")?.toggleAttribute("hidden", true);
}

function missed() {
  failures += 1;
  const wait = Math.min(LONGEST_WAIT, 1_000 * 2 ** Math.max(0, failures - EAGER));
  notBefore = Date.now() + wait * (0.5 + Math.random() / 2);
  if (failures > 1) document.getElementById("offline")?.toggleAttribute("hidden", false);
}

// A held poll would tell too late that the room is there again, or not any more: ask for what is answered at once.

function askAnew() {
  unsure = true;
  asked?.request.abort();
  pollNow();
}

export function askForAll() {
  lacking = true;
  pollNow();
}

document.addEventListener("htmx:config:request", (event) => {
  const { request } = event.detail.ctx;
  if (!isPoll(event) || !(failures || unsure || lacking)) return;
  request.action = request.action.replace(/\bseen=\d+/, "seen=0");
  request.timeout = POLL_PATIENCE;
  forAll.add(event.detail.ctx);
});
document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  if (ctx && forAll.has(ctx)) lacking = false; // not before: a poll may be dropped, and so may its answer
});
document.addEventListener("htmx:before:request", (event) => {
  if (isLook(event) && (document.hidden || failures)) event.preventDefault();
  if (!isPoll(event)) return;
  if (Date.now() < Math.max(notBefore, leftAt + LEAVING)) return event.preventDefault();
  if (document.hidden) notBefore = Date.now() + HIDDEN_PACE;
  asked = event.detail.ctx;
});
document.addEventListener("htmx:finally:request", (event) => {
  const { ctx } = event.detail;
  if (ctx === asked) asked = null;
  if (lacking && isPoll(event) && !forAll.has(ctx)) setTimeout(pollNow, SOON); // it was asked while this one was out
});
document.addEventListener("htmx:after:request", (event) => {
  if (event.detail.ctx.response.status < 500) reached();
  else if (isPoll(event) || isLook(event)) missed();
});
// Where a click does not get through, the poll that is held may have no line either.
document.addEventListener("htmx:error", (event) => (isPoll(event) || isLook(event) ? missed() : askAnew()));
document.addEventListener("visibilitychange", () => document.hidden || pollNow());
for (const change of ["online", "offline"]) window.addEventListener(change, askAnew);
window.addEventListener("pageshow", (event) => event.persisted && pollNow());
window.addEventListener("beforeunload", () => { // else Firefox takes it for a failure
  leftAt = Date.now();
  asked?.request.abort();
});
