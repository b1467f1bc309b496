// The screen stays awake while it is one's turn.

import { isMyTurn } from "./turn.js";

/** @type {WakeLockSentinel | null} */
let lock = null;
let isAsked = false;

async function stayAwake() {
  const isWanted = isMyTurn() && !document.hidden;
  if (isAsked || !navigator.wakeLock || isWanted === Boolean(lock && !lock.released)) return;
  isAsked = true;
  try {
    if (isWanted) lock = await navigator.wakeLock.request("screen");
    else await lock?.release();
  } catch {
    lock = null; // as when the battery is low: the screen may sleep then
  }
  isAsked = false;
}
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("htmx:after:swap", stayAwake);

stayAwake();
