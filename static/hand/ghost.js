// The card that follows the finger, or goes where it is played, is a picture of it: whatever the page does meanwhile,
// nothing moves it.

import { idOf } from "./cards.js";
import { cardAt } from "./places.js";

const LANDING = 140; // ms
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Map<string, HTMLElement>} */
const lifted = new Map(); // by the ids of their cards

export const isStill = () => reduced.matches || document.documentElement.dataset.motion === "less";
/** @type {(card: Element) => Element} */
export const faceOf = (card) => card.querySelector(".face, .card") ?? card;

/** @type {(card: Element) => HTMLElement} */
export function lift(card) {
  const id = idOf(card) || card.id;
  const known = lifted.get(id);
  if (known?.isConnected) return known;
  const face = faceOf(card);
  const picture = /** @type {Element} */ (face.cloneNode(true));
  const { x, y, width, height } = face.getBoundingClientRect();
  for (const one of [picture, ...picture.querySelectorAll("[id]")]) one.removeAttribute("id");
  const ghost = document.createElement("div");
  ghost.className = "dragged";
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  ghost.append(picture);
  document.body.append(ghost);
  lifted.set(id, ghost);
  return ghost;
}

/** @type {(ghost: HTMLElement, to: { left: number, top: number, width: number }) => void} */
export function travel(ghost, { left, top, width }) {
  const { style } = ghost;
  const [x, y, size] = [style.left, style.top, style.width].map(parseFloat);
  const from = style.transform || "none";
  style.transform = `translate(${left - x}px, ${top - y}px) scale(${width / size || 1})`;
  if (!isStill()) ghost.animate({ transform: [from, style.transform] }, { duration: LANDING, easing: "ease-out" });
}

/** @type {(ghost: HTMLElement, id: string) => void} */
export function land(ghost, id) {
  const gone = () => {
    ghost.remove();
    cardAt(document.getElementById(id))?.classList.remove("carried", "away");
  };
  const to = document.getElementById(id)?.getBoundingClientRect();
  if (!to || isStill()) return gone();
  lifted.delete(id); // it may be lifted again before it lies
  ghost.classList.remove("sent");
  for (const one of ghost.getAnimations()) {
    one.commitStyles();
    one.cancel();
  }
  travel(ghost, to);
  setTimeout(gone, LANDING);
}
