// Polls go on while something is sent, so that two answers may overtake one another: the older of them is dropped.

import { live, poll } from "./page.js";
import { askForAll } from "./poll.js";

/** @type {WeakMap<Asked, number>} */
const askedAt = new WeakMap(); // the version that the page showed then

const shown = () => Number(live()?.dataset.version);

// What an answer says that stands on one page alone is put onto this one, and what it asks about the table is asked again.

/** @type {(whole: HTMLElement | undefined | null) => void} */
function keepWords(whole) {
  const [messages, asks] = [whole?.querySelector(".messages"), whole?.querySelector("#poll")?.getAttribute("hx-get")];
  if (messages) document.getElementById("mine")?.prepend(messages);
  if (asks) poll()?.setAttribute("hx-get", asks);
}

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => askedAt.set(ctx, shown()));

// Before every other listener. An answer in parts tells what is new since the page that it was asked from: if another
// answer came in between, some of that may be told by nobody. A room that was put back to an older day is believed.

window.addEventListener(
  "htmx:before:swap",
  (event) => {
    const { ctx, tasks } = event.detail;
    const before = ctx && askedAt.get(ctx);
    if (!before || before === shown()) return;
    /** @type {(selector: string) => HTMLElement | undefined} */
    const find = (selector) => tasks.map((/** @type {{ fragment: DocumentFragment }} */ { fragment }) => fragment.querySelector(selector)).find(Boolean);
    const whole = find("#live");
    const version = Number((whole ?? find("#poll"))?.dataset.version);
    if (version < shown()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      keepWords(whole);
      if (whole && event.target.id !== "poll") askForAll();
    } else if (!whole && version > shown()) askForAll();
  },
  true,
);
