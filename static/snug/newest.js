// Polls go on while something is sent, so that two answers may overtake one another: the older of them is dropped.

import { isPoll, live, poll } from "./page.js";
import { askForAll } from "./poll.js";

/** @type {WeakMap<Asked, { version: number, question: string | undefined }>} */
const askedAt = new WeakMap(); // what the page showed then

const shown = () => Number(live()?.dataset.version);
const question = () => poll()?.getAttribute("hx-get")?.replace(/\bseen=\d+/, "");

// What an answer says that stands on one page alone is put onto this one, and what it asks about the table is asked again.

/** @type {(whole: HTMLElement | undefined | null) => void} */
function keepWords(whole) {
  const [messages, asks] = [whole?.querySelector(".messages"), whole?.querySelector("#poll")?.getAttribute("hx-get")];
  if (messages) document.getElementById("mine")?.prepend(messages);
  if (asks) poll()?.setAttribute("hx-get", asks);
}

// A poll that asks for all is answered even if nothing is new, and knows of no click: what one was told stands.

/** @type {(whole: HTMLElement | undefined) => void} */
function keepSaid(whole) {
  const said = [...document.querySelectorAll("#live .messages > #refusal")];
  if (!whole || !said.length) return;
  const messages = whole.querySelector(".messages") ?? document.createElement("div");
  messages.className = "messages";
  messages.prepend(...said.map((one) => one.cloneNode(true)));
  if (!messages.parentElement) whole.querySelector("#mine")?.prepend(messages);
}

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => askedAt.set(ctx, { version: shown(), question: question() }));

// Before every other listener. An answer in parts tells what is new since the page that it was asked from: if another
// answer came in between, some of that may be told by nobody. A room that was put back to an older day is believed. A poll
// that was held while its player chose something else to be shown is answered as if they had not.

window.addEventListener(
  "htmx:before:swap",
  (event) => {
    const { ctx, tasks } = event.detail;
    const before = ctx && askedAt.get(ctx);
    if (!before?.version) return;
    const drop = () => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    if (isPoll(event) && before.question !== question()) {
      drop();
      return askForAll();
    }
    /** @type {(selector: string) => HTMLElement | undefined} */
    const find = (selector) => tasks.map((/** @type {{ fragment: DocumentFragment }} */ { fragment }) => fragment.querySelector(selector)).find(Boolean);
    const whole = find("#live");
    const version = Number((whole ?? find("#poll"))?.dataset.version);
    if (isPoll(event) && version === shown()) keepSaid(whole);
    if (before.version === shown()) return;
    if (version < shown()) {
      drop();
      keepWords(whole);
      if (whole && event.target.id !== "poll") askForAll();
    } else if (!whole && version > shown()) askForAll();
  },
  true,
);
