// Notices are asked for at the click.

import { byId, words } from "./page.js";
import { subscribe, unsubscribe } from "./push.js";
import { able, keep, setSwitches } from "./switches.js";

/** @type {(sentence: string) => void} */
function why(sentence) {
  if (byId("notify-why")) byId("notify-why").textContent = sentence;
  document.dispatchEvent(new CustomEvent("snug:tell", { detail: sentence }));
}

/** @type {(box: HTMLElement) => Promise<void>} */
async function wantNotices(box) {
  if (!able()) return refuse(box, words.unsafe.replace("{scheme}", "https://"));
  if ((await Notification.requestPermission()) !== "granted") return refuse(box, words.denied);
  setSwitches(); // a poll may have come while the browser asked
  let pushed = false;
  try {
    pushed = await subscribe();
  } catch {
    // No push service can be reached: notices of an open page still work.
  }
  why(pushed ? words.pushed : words.unpushed);
}

/** @type {(box: HTMLElement, sentence: string) => void} */
function refuse(box, sentence) {
  box.checked = false;
  keep("notify", false);
  why(sentence);
}

document.addEventListener("change", (event) => {
  const box = event.target.closest?.("[data-switch]");
  if (!box) return;
  keep(box.dataset.switch, box.checked);
  if (box.dataset.switch !== "notify") return;
  if (box.checked) wantNotices(box);
  else {
    why("");
    unsubscribe();
  }
});
