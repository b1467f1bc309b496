// One's own hand lies as one likes it: dragged (drag.js), moved by keys or sorted. The room keeps the order for all of
// one's devices and draws the hand so; what it sends was drawn before it heard of it, or with the number of an order
// that is older, is put in order here.

import { codeOf, HAND, handIn, idOf, live } from "./cards.js";
import { placeBy } from "./sorting.js";

const said = document.getElementById("hand-script").dataset.placed; // where a card is put, in the reader's language
const SOON = 250; // ms of quiet before the room is told
const PATIENCE = 8_000; // ms

const keptAt = `hand:${location.pathname}`;

/** @typedef {{ by?: string, cards?: string[] }} Order sorted by what, then the cards by their ids */

/** @typedef {Order & { deal: string }} OrderOfDeal */

/** @type {OrderOfDeal | null} */
let untold = null; // what the room does not know yet
/** @type {(OrderOfDeal & { number: number }) | null} */
let heard = null; // what it knows, and by which number
let telling = 0; // what waits to tell it
let isTold = false; // while it is on its way

/** @type {(hand: HTMLElement, order: Order) => void} */
function keep(hand, order) {
  untold = { deal: hand.dataset.arranged, by: untold?.by, ...order };
  clearTimeout(telling);
  telling = setTimeout(tellSoon, SOON);
}

// One order after the other: of two on their way at once the room may hear the older one last.

function tellSoon() {
  if (isTold) telling = setTimeout(tellSoon, SOON);
  else tell();
}

async function tell() {
  const [told, hand, form] = [untold, handIn(document), document.getElementById("arrange")];
  clearTimeout(telling);
  telling = 0;
  if (!told || !hand) return;
  isTold = true;
  const body = new URLSearchParams({ seen: live().dataset.version });
  if (told.by) body.set("by", told.by);
  if (told.cards && told.deal === hand.dataset.arranged) body.set("cards", told.cards.map(codeOf).join(" "));
  try {
    const headers = { "HX-Request": "true" };
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(String(form.getAttribute("action")), { method: "POST", body, headers, signal, keepalive: true });
    if (answer.ok) heard = { ...told, number: Number(answer.headers.get("Snug-Order")) };
    if (answer.status < 500 && untold === told) untold = null;
  } catch {
    // it is told again after the next update
  }
  isTold = false;
}

// A page that goes tells it on its way; the one that comes in its place may be drawn before that is heard.

function leave() {
  if (!untold) return;
  sessionStorage.setItem(keptAt, JSON.stringify(untold));
  tell();
}

function come() {
  const kept = sessionStorage.getItem(keptAt);
  sessionStorage.removeItem(keptAt);
  const hand = handIn(document);
  if (!kept || !hand) return;
  keep(hand, JSON.parse(kept));
}

/** @type {(hand: HTMLElement) => boolean} drawn before the room heard how it is to lie */
function isOlder(hand) {
  return heard !== null && heard.deal === hand.dataset.arranged && Number(hand.dataset.order) < heard.number;
}

/** @type {(root: ParentNode) => void} */
function arrange(root) {
  const hand = handIn(root);
  const order = untold ?? (hand && isOlder(hand) ? heard : null);
  if (!hand || !order) return;
  const mine = order.deal === hand.dataset.arranged && order.cards;
  if (!mine && !order.by) return;
  /** @type {(held: Element) => number} */
  const place = mine ? (held) => mine.indexOf(idOf(held)) : placeBy(String(order.by));
  const before = [...hand.children];
  const placed = before.map((held) => ({ held, at: place(held) < 0 ? Infinity : place(held) }));
  const after = placed.sort((one, other) => one.at - other.at || 0).map(({ held }) => held);
  if (after.some((held, at) => held !== before[at])) hand.append(...after);
}

/** @type {(held: Element, by: number) => boolean} */
export function step(held, by) {
  const neighbour = by > 0 ? held.nextElementSibling : held.previousElementSibling;
  if (!neighbour) return false;
  if (by > 0) held.before(neighbour);
  else held.after(neighbour);
  return true;
}

/** @type {(held: Element) => void} */
export function arranged(held) {
  const hand = handIn(document);
  if (!hand) return;
  const cards = [...hand.children];
  keep(hand, { cards: cards.map(idOf) });
  /** @type {Record<string, string | number>} */
  const names = {
    card: held.querySelector(".sr")?.textContent ?? "",
    place: cards.indexOf(held) + 1,
    cards: cards.length,
  };
  document.dispatchEvent(new CustomEvent("snug:tell", { detail: said.replace(/\{(\w+)\}/g, (_, name) => String(names[name])) }));
}

document.addEventListener("htmx:before:swap", (event) => {
  for (const task of event.detail.tasks) arrange(task.fragment);
});
document.addEventListener("submit", (event) => {
  const hand = handIn(document);
  if (event.target.id !== "arrange" || !hand) return;
  event.preventDefault();
  untold = null; // a new order, not one on top of another
  keep(hand, { by: event.submitter?.value });
  arrange(document);
  document.getElementById("sort-ways")?.togglePopover?.(false); // the way that was chosen leads back to the hand
});
document.addEventListener("keydown", (event) => {
  const held = event.target.closest?.(`${HAND} > li`);
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
  const hand = handIn(document);
  if (event.target === hand) (by > 0 ? hand?.firstElementChild : hand?.lastElementChild)?.querySelector("input, button")?.focus();
  if (!held) return;
  event.preventDefault();
  if (!event.shiftKey) (by > 0 ? held.nextElementSibling : held.previousElementSibling)?.querySelector("input, button")?.focus();
  else if (step(held, by)) {
    arranged(held);
    event.target.focus();
  }
});
window.addEventListener("pagehide", leave);
document.addEventListener("htmx:after:swap", () => {
  const hand = handIn(document);
  if (untold && !telling && !isTold && hand) keep(hand, untold);
});

come();
arrange(document);
