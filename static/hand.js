// One's own hand lies as one likes it: dragged (drag.js), moved by keys or sorted. The room keeps the order for all of
// one's devices and draws the hand so; until it has heard of it, what it sends is put in order here.

const script = document.getElementById("hand-script");
const { placed, drag } = script.dataset; // what is said, in the reader's language; where drag.js is
const HAND = "[data-arranged]";
const SOON = 250; // ms of quiet before the room is told
const PATIENCE = 8_000; // ms
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["S", "H", "C", "D"];
const handIn = (root) => root.querySelector(HAND);
const idOf = (held) => held.querySelector("[id^=card-]").id;
const codeOf = (id) => id.split("-")[1];

const keptAt = `hand:${location.pathname}`;

let untold = null; // what the room does not know yet: of which deal, sorted by what, then the cards by their ids
let telling = 0; // what waits to tell it
let isTold = false; // while it is on its way

function keep(hand, order) {
  untold = { deal: hand.dataset.arranged, by: untold?.by, ...order };
  clearTimeout(telling);
  telling = setTimeout(tell, SOON);
}

async function tell() {
  const [told, hand, form] = [untold, handIn(document), document.getElementById("arrange")];
  clearTimeout(telling);
  telling = 0;
  if (!told || !hand) return;
  isTold = true;
  const body = new URLSearchParams({ seen: document.getElementById("live").dataset.version });
  if (told.by) body.set("by", told.by);
  if (told.cards && told.deal === hand.dataset.arranged) body.set("cards", told.cards.map(codeOf).join(" "));
  try {
    const headers = { "HX-Request": "true" };
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers, signal, keepalive: true });
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

function placeBy(by) {
  return (held) => {
    const code = codeOf(idOf(held));
    const [rank, suit] = [RANKS.indexOf(code.slice(0, -1)), SUITS.indexOf(code.at(-1))];
    if (suit < 0) return Infinity; // a joker
    return by === "rank" ? rank * 4 + suit : suit * 13 + rank;
  };
}

function arrange(root) {
  const hand = handIn(root);
  if (!hand || !untold) return;
  const mine = untold.deal === hand.dataset.arranged && untold.cards;
  if (!mine && !untold.by) return;
  const place = mine ? (held) => mine.indexOf(idOf(held)) : placeBy(untold.by);
  const before = [...hand.children];
  const places = new Map(before.map((held) => [held, place(held) < 0 ? Infinity : place(held)]));
  const after = before.toSorted((one, other) => places.get(one) - places.get(other) || 0);
  if (after.some((held, at) => held !== before[at])) hand.append(...after);
}

function step(held, by) {
  const neighbour = by > 0 ? held.nextElementSibling : held.previousElementSibling;
  if (!neighbour) return false;
  if (by > 0) held.before(neighbour);
  else held.after(neighbour);
  return true;
}

function arranged(held) {
  const hand = held.parentElement;
  keep(hand, { cards: [...hand.children].map(idOf) });
  const said = {
    card: held.querySelector(".sr")?.textContent ?? "",
    place: [...hand.children].indexOf(held) + 1,
    cards: hand.children.length,
  };
  document.getElementById("arranged").textContent = placed.replace(/\{(\w+)\}/g, (_, name) => said[name]);
}

document.addEventListener("htmx:before:swap", (event) => {
  for (const task of event.detail.tasks) arrange(task.fragment);
});
document.addEventListener("submit", (event) => {
  if (event.target.id !== "arrange") return;
  event.preventDefault();
  untold = null; // a new order, not one on top of another
  keep(handIn(document), { by: event.submitter.value });
  arrange(document);
});
document.addEventListener("keydown", (event) => {
  const held = event.target.closest?.(`${HAND} > li`);
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!held || !by || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (!event.shiftKey) (by > 0 ? held.nextElementSibling : held.previousElementSibling)?.querySelector("input, button")?.focus();
  else if (step(held, by)) {
    arranged(held);
    event.target.focus();
  }
});
window.addEventListener("pagehide", leave);

// --- What the rules refuse shakes where it was tapped; the sentence stands where the table says everything.

const WRONG = 700; // ms
let tapped = null;

function shake(element) {
  if (!element) return;
  element.classList.add("wrong");
  setTimeout(() => element.classList.remove("wrong"), WRONG);
}

document.addEventListener("submit", (event) => event.target.matches("[hx-boost]") && (tapped = event.submitter?.id || tapped), true);
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.request.method !== "POST" || !tapped) return;
  ctx.tapped = tapped;
  tapped = null;
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx.tapped && [403, 409, 422].includes(ctx.response?.status)) shake(document.getElementById(ctx.tapped));
});

// --- Buttons that want so many ticked cards wait until they are ticked.

function count() {
  for (const button of document.querySelectorAll("[data-picks]")) {
    const ticked = [...button.form.elements].filter((field) => field.type === "checkbox" && field.checked);
    button.disabled = ticked.length !== Number(button.dataset.picks);
  }
}

document.addEventListener("change", count);
document.addEventListener("htmx:after:swap", () => {
  count();
  const hand = handIn(document);
  if (untold && !telling && !isTold && hand) keep(hand, untold);
});

come();
arrange(document);
count();
import(drag).then(({ start }) => start({ HAND, step, arranged, codeOf, mark: (id) => (tapped = id) }));
