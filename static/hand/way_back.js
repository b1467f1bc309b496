// A card that one tap would throw away for good lies a moment where it goes before it is sent: who meant another one takes
// it back by a tap on it, or with Escape. There is no such moment where a clock is nearly out.

const LIES = 1_200; // ms
const TWICE = 250; // ms in which a finger that taps twice means no more than once
const SHORT = 15; // seconds

/** @type {{ act: (isSent: boolean) => void, timer: number, around: Element } | null} */
let waiting = null;

function isShort() {
  const [, minutes, seconds] = /^(\d+):(\d\d)$/.exec(document.querySelector("#clock .mine [role=timer]")?.textContent.trim() ?? "") ?? [];
  return seconds !== undefined && Number(minutes) * 60 + Number(seconds) < SHORT;
}

/** @type {(place: HTMLElement) => boolean} */
export const hasWayBack = (place) => place.matches("[data-way-back]") && !isShort();

/** @type {(isSent: boolean) => void} */
function end(isSent) {
  if (!waiting) return;
  const { act, timer, around } = waiting;
  clearTimeout(timer);
  around.remove();
  waiting = null;
  act(isSent);
}

// `act` is told in the end whether it is to be sent.

/** @type {(place: HTMLElement, spot: { left: number, top: number, width: number }, act: (isSent: boolean) => void) => void} */
export function lieAWhile(place, { left, top, width }, act) {
  const since = Date.now();
  const around = Object.assign(document.createElement("div"), { className: "regret" });
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: place.dataset.wayBack });
  around.append(button);
  Object.assign(around.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${width * 1.4}px` });
  button.addEventListener("click", () => Date.now() - since > TWICE && end(false));
  document.body.append(around);
  waiting = { act, timer: setTimeout(() => end(true), LIES), around };
}

document.addEventListener("keydown", (event) => event.key === "Escape" && end(false));
window.addEventListener("pagehide", () => end(true));
