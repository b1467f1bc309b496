// Cards are dragged where they go, beside being tapped: with mouse, finger or pen. Along the hand they are arranged; out
// of it they are played where they are let go. What may be done, the page says: this presses its buttons, and where none
// is meant it makes the very move and lets the room refuse it.

import { arranged, step } from "./arranging.js";
import { HAND } from "./cards.js";
import { land, lift } from "./ghost.js";
import { hold, isSent, isUnderWay } from "./pending.js";
import { cardAt, CARDS, targets } from "./places.js";
import { play } from "./playing.js";

const FROM = 10; // px that a finger may tremble

/** @type {any} its id, where and by which pointer it was taken, its picture once it moves, whether it has changed places */
let drag = null;
let swallow = false; // the click that ends a drag

/** @type {() => any} */
const held = () => cardAt(document.getElementById(drag.id));
/** @type {(event: PointerEvent) => Element[]} */
const under = (event) => document.elementsFromPoint(event.clientX, event.clientY);

function light() {
  const card = held();
  const lit = card ? targets(card) : [];
  for (const place of document.querySelectorAll(".lit")) if (!lit.includes(place)) place.classList.remove("lit");
  for (const place of lit) place?.classList.add("lit");
  card?.classList.add("carried");
}

/** @type {(event: PointerEvent) => void} */
function follow(event) {
  drag.ghost.style.transform = `translate(${event.clientX - drag.x}px, ${event.clientY - drag.y}px)`;
}

/** @type {(event: PointerEvent) => void} */
function put(event) {
  const card = held();
  const [over] = under(event).map((element) => element.closest(`${HAND} > li`)).filter((other) => other); // the uppermost
  if (!over || !card || over === card || !card.matches(`${HAND} > li`)) return;
  const isAfter = () => (card.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1);
  const by = isAfter();
  while (isAfter() === by && step(card, by));
  drag.isArranged = true;
}

// A card that is played goes on from where it was let go, or lies there until the room has answered.

/** @type {(isPlayed?: boolean) => void} */
function end(isPlayed) {
  const { ghost, id } = drag;
  const card = held();
  drag = null;
  for (const place of document.querySelectorAll(".lit")) place.classList.remove("lit");
  if (isSent(id)) return;
  if (isPlayed && card) hold(card, ghost);
  else land(ghost, id);
}

document.addEventListener("pointerdown", (event) => {
  if (drag?.ghost || isUnderWay()) return;
  const card = event.button === 0 && event.isPrimary && cardAt(event.target);
  const id = card && (card.querySelector("[id^=card-]")?.id ?? card.id);
  drag = id ? { id, x: event.clientX, y: event.clientY, pointer: event.pointerId } : null;
});
document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FROM || !held()) return;
    drag.ghost = lift(held());
  }
  if (!held()) return end(); // it went while it was held
  follow(event);
  light();
  put(event);
});
document.addEventListener("pointerup", (event) => {
  if (!drag?.ghost) return (drag = null);
  const [card, on] = [held(), under(event)];
  swallow = true;
  setTimeout(() => (swallow = false)); // after the click
  if (card && on.some((element) => element.closest(HAND)) && card.matches(`${HAND} > li`)) {
    if (drag.isArranged) arranged(card);
  } else if (card) play(card, on, event);
  end(isUnderWay());
});
document.addEventListener("pointercancel", () => (drag?.ghost ? end() : (drag = null)));
document.addEventListener("keydown", (event) => event.key === "Escape" && drag?.ghost && end());
document.addEventListener("click", (event) => swallow && event.isTrusted && event.preventDefault(), true);
document.addEventListener("dragstart", (event) => event.target.closest?.(CARDS) && event.preventDefault());
document.addEventListener("htmx:after:swap", () => {
  if (drag?.ghost) light();
  measure();
});
window.addEventListener("resize", measure);
measure();

// A hand too tall for its place is scrolled by the finger that goes up or down.

function measure() {
  const hand = document.querySelector(HAND);
  hand?.classList.toggle("scrolls", hand.classList.contains("many") && hand.scrollHeight > hand.clientHeight + 1);
}
