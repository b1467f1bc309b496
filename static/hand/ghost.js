// The card that follows the finger is a picture of it: whatever the page does meanwhile, nothing moves it.

import { cardAt } from "./places.js";

const LANDING = 200; // ms
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {(card: Element) => HTMLElement} */
export function lift(card) {
  const face = card.querySelector(".face, .card") ?? card;
  const picture = /** @type {Element} */ (face.cloneNode(true));
  const { x, y, width, height } = face.getBoundingClientRect();
  for (const one of [picture, ...picture.querySelectorAll("[id]")]) one.removeAttribute("id");
  const ghost = document.createElement("div");
  ghost.className = "dragged";
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
  ghost.append(picture);
  document.body.append(ghost);
  return ghost;
}

/** @type {(ghost: HTMLElement, id: string) => void} */
export function land(ghost, id) {
  const gone = () => {
    ghost.remove();
    cardAt(document.getElementById(id))?.classList.remove("carried");
  };
  const to = document.getElementById(id)?.getBoundingClientRect();
  if (!to || still.matches) return gone();
  const from = ghost.getBoundingClientRect();
  ghost.style.transform += ` translate(${to.x - from.x}px, ${to.y - from.y}px)`;
  ghost.classList.add("landing");
  setTimeout(gone, LANDING);
}
