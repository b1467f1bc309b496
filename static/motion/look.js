// A look at the table: its places, how many cards each has, and where every card lies whose face is seen.

import { isHand, live } from "./places.js";

/** @type {(card: Element) => string} */
const faceOf = (card) => card.id.split("-")[1];

/** @type {() => Look | null} */
export function look() {
  const table = live();
  if (!table) return null;
  const places = new Map();
  const cards = new Map();
  for (const element of table.querySelectorAll("[data-place]")) {
    /** @type {(found: Element) => boolean} */
    const own = (found) => found.closest("[data-place]") === element;
    const hidden = [...element.querySelectorAll(".backs, .reach")].find(own);
    const faces = [...element.querySelectorAll("[id^=card-]")].filter(own);
    const drawn = hidden?.getClientRects().length ? hidden : undefined; // where there is little room they are a number alone
    const spot = drawn ?? (isHand(element.dataset.place) ? element : (element.querySelector(".lay") ?? element));
    const counted = hidden ? (hidden.dataset.cards ?? hidden.childElementCount) : element.dataset.cards;
    places.set(element.dataset.place, {
      box: spot.getBoundingClientRect(),
      count: counted === undefined ? undefined : Number(counted),
      top: faces.length === 1 && !isHand(element.dataset.place) ? faces[0].cloneNode(true) : null,
    });
    for (const card of faces) {
      const known = cards.get(faceOf(card)) ?? cards.set(faceOf(card), []).get(faceOf(card));
      const sent = card.dataset.sent?.split(" ").map(Number); // it lies there already, to the eye
      const box = sent ? new DOMRect(...sent) : card.getBoundingClientRect();
      known.push({ place: element.dataset.place, element: card, box, isSent: Boolean(sent) });
    }
  }
  return {
    stage: table.className,
    version: table.dataset.version,
    places,
    cards,
    turn: table.querySelector("[data-place].turn")?.dataset.place,
    turned: table.querySelector("[data-turned]")?.dataset.turned,
  };
}
