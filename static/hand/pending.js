// A card that is played leaves in the frame of the tap: it goes where the form says, and lies there a shade paler until the
// room has answered. The page that comes shows it there, or it is taken back to where it was. Until then nothing else is
// played.

import { codeOf, idOf, live } from "./cards.js";
import { faceOf, isStill, land, lift, travel } from "./ghost.js";
import { going, isMove, spotIn } from "./going.js";
import { cardAt } from "./places.js";
import { isMadeHere, send } from "./sending.js";
import { hasWayBack, lieAWhile } from "./way_back.js";

const A_FRAME = 100; // ms, at most: in a window that nobody sees none is drawn
const WAITS = /\/(moves|why|undo)(\?|$)/; // what is for later while a move is under way
const INERT = "#actions button, #mine button.now, #board button.now";

/** @typedef {{ id: string, ghost: HTMLElement, place: string, isGone: boolean }} Sent */

/** @type {Sent[]} */
let sent = [];
let underWay = false;
let drawn = Promise.resolve(); // once the last card that left was seen to

export const isUnderWay = () => underWay;
/** @type {(id: string) => boolean} */
export const isSent = (id) => sent.some((one) => one.id === id);
/** @type {(card: Element) => string} */
const placeOf = (card) => card.closest("[data-place]")?.dataset.place ?? "";

/** @type {(card: Element, ghost: HTMLElement) => void} */
export function hold(card, ghost) {
  ghost.classList.add("sent");
  card.classList.add("away");
  sent.push({ id: idOf(card) || card.id, ghost, place: placeOf(card), isGone: false });
}

/** @type {(name: string, detail: object) => void} */
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`snug:${name}`, { detail }));

/** @type {() => Promise<void>} */
const frame = () =>
  new Promise((done) => {
    setTimeout(done, A_FRAME);
    requestAnimationFrame(() => setTimeout(done, 0));
  });

// What is measured is measured first, so that the page is laid out once. Returns where the first card goes.

/** @type {(found: { cards: HTMLElement[], place: HTMLElement }) => { left: number, top: number, width: number }} */
function setOut({ cards, place }) {
  drawn = frame();
  const spots = cards.map((card, at) => spotIn(place, at, faceOf(card).getBoundingClientRect().width));
  const [kind, from] = [place.matches("#hand") ? "take" : "play", placeOf(cards[0])];
  cards.forEach((card, at) => {
    const ghost = lift(card);
    travel(ghost, spots[at]);
    hold(card, ghost);
  });
  const move = { kind, from, to: placeOf(place) || place.id, cards: cards.length };
  tell("moved", { moves: [move], isLastCard: false });
  if (!isStill()) tell("flight", move);
  return spots[0];
}

/** @type {(isOn: boolean) => void} */
function setUnderWay(isOn) {
  underWay = isOn;
  document.documentElement.toggleAttribute("data-moving", isOn);
  for (const one of document.querySelectorAll(INERT)) {
    if (isOn) one.setAttribute("aria-disabled", "true");
    else one.removeAttribute("aria-disabled");
  }
}

function takeBack() {
  for (const { id, ghost } of sent) land(ghost, id);
  sent = [];
}

// Whether a card lies no more where it lay, in what comes of the page.

/** @type {(one: Sent, coming: DocumentFragment[]) => boolean} */
function isLeaving({ id, place }, coming) {
  const code = codeOf(id);
  /** @type {(root: ParentNode) => number} */
  const count = (root) => [...root.querySelectorAll(`[id^="card-${code}"]`)].filter((card) => codeOf(card.id) === code && placeOf(card) === place).length;
  const around = `[data-place="${CSS.escape(place)}"]`;
  const now = coming.find((root) => root.querySelector(around));
  if (now) return count(now) < count(document);
  for (let part = document.querySelector(around); part; part = part.parentElement) {
    const { id: name } = part;
    if (name && coming.some((root) => root.querySelector(`[id="${CSS.escape(name)}"]`))) return true;
  }
  return false;
}

function dropGone() {
  for (const { ghost, isGone } of sent) if (isGone) ghost.remove();
  sent = sent.filter(({ isGone }) => !isGone);
}

/** @type {(event: Heard<SubmitEvent>) => void} */
function begin(event) {
  const form = /** @type {HTMLFormElement} */ (/** @type {unknown} */ (event.target));
  if (form.id === "unsent" || !WAITS.test(form.getAttribute("action") ?? "")) return;
  const stop = () => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  if (underWay && !isMadeHere(form)) return stop();
  if (underWay || !isMove(form)) return;
  const fields = new FormData(form, event.submitter);
  const found = going(form, fields, event.submitter);
  const spot = found && setOut(found);
  setUnderWay(true);
  if (!found || !spot || isMadeHere(form) || !hasWayBack(found.place)) return;
  stop();
  lieAWhile(found.place, spot, (isToGo) => {
    if (isToGo && sent.length) return send([...fields].map(([name, value]) => [name, String(value)]), event.submitter?.id ?? "");
    takeBack();
    setUnderWay(false);
  });
}

document.addEventListener("submit", begin, true);
// An answer that is quicker than the frame in which the card leaves waits for it.
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  const { fetch } = ctx;
  ctx.fetch = async (/** @type {unknown[]} */ ...asked) => {
    const answer = await fetch(...asked);
    await drawn;
    return answer;
  };
});
window.addEventListener(
  "htmx:before:swap",
  ({ detail: { tasks } }) => {
    const coming = tasks.map((/** @type {{ fragment: DocumentFragment }} */ { fragment }) => fragment);
    for (const one of sent) {
      one.isGone = isLeaving(one, coming);
      const { left, top, width, height } = one.ghost.getBoundingClientRect();
      if (!one.isGone) continue;
      const card = document.getElementById(one.id);
      card?.setAttribute("data-sent", [left, top, width, height].join(" ")); // for motion
      const tick = card?.closest("label")?.querySelector("input");
      if (tick) tick.checked = false; // else its twin, which gets its place, has it
    }
  },
  true,
);
document.addEventListener("htmx:after:swap", () => {
  dropGone();
  if (live().dataset.myTurn !== "true") takeBack();
  for (const { id } of sent) cardAt(document.getElementById(id))?.classList.add("away");
  if (underWay) setUnderWay(true); // of the buttons that came
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  const status = ctx.response?.status ?? 0;
  if (!underWay || ctx.request.method !== "POST" || !WAITS.test(ctx.request.action)) return;
  if (!status || status >= 500 || status === 429) return; // it is sent again, or said not to be sent
  const kept = sent.filter(({ isGone }) => isGone);
  sent = sent.filter(({ isGone }) => !isGone);
  takeBack();
  sent = kept;
  setUnderWay(false);
});
document.addEventListener("snug:unsent", ({ detail }) => {
  if (!WAITS.test(detail.action)) return;
  takeBack();
  setUnderWay(false);
});
