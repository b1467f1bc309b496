// My turn has come: it is noticed once, when the page that was waiting becomes one that may act; and so is a call.

import { live, path, words } from "./page.js";
import { isOn, mayNotify } from "./switches.js";

/** @type {(title: string, body: string, url: string) => Promise<void>} */
async function notice(title, body, url) {
  if (!mayNotify()) return;
  const worker = await navigator.serviceWorker.ready;
  worker.showNotification(title, { body, tag: url.split("/")[2], data: { url } });
}

let wasMyTurn = live()?.dataset.myTurn === "true";

function look() {
  const table = live();
  const isMyTurn = table?.dataset.myTurn === "true";
  if (isMyTurn && !wasMyTurn) {
    if (isOn("notify") && document.hidden) notice(words.turn, table.dataset.title, path);
  }
  wasMyTurn = isMyTurn;
}
document.addEventListener("htmx:after:swap", look);
document.addEventListener("snug:called", ({ detail }) => {
  if (isOn("notify") && document.hidden) notice(detail.notice, detail.body, detail.called);
});
