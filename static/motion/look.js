// A look at the table: its places, how many cards each has, and where every card lies whose face is seen.

import { isHand, live } from "./places.js";

/** @type {(card: Element) => string} */
const faceOf = (card) => card.id.split("-")[1];

/** All places, with the cards that are seen in each and, where there is one, the picture of those that are not. */
/** @type {(table: Element) => Map<Element, { faces: Element[], hidden?: Element }>} */
function placesOn(table) {
  /** @type {Map<Element, { faces: Element[], hidden?: Element }>} */
  const found = new Map();
  for (const one of table.querySelectorAll("[data-place], .backs, .reach, [id^=card-]")) {
    const place = one.closest("[data-place]");
    const within = place && found.get(place);
    if (one === place) found.set(one, { faces: [] });
    else if (within && one.id.startsWith("card-")) within.faces.push(one);
    else if (within) within.hidden ??= one;
  }
  return found;
}

// What is to change is kept as it looked.

/** @type {(isToChange?: boolean) => Look | null} */
export function look(isToChange = false) {
  const table = live();
  if (!table) return null;
  const places = new Map();
  const cards = new Map();
  for (const [element, { faces, hidden }] of placesOn(table)) {
    const { place, cards: many } = element.dataset;
    const drawn = hidden?.getClientRects().length ? hidden : undefined; // where there is little room they are a number alone
    const spot = drawn ?? (isHand(place) ? element : (element.querySelector(".lay") ?? element));
    const counted = hidden ? (hidden.dataset.cards ?? hidden.childElementCount) : many;
    const top = faces.length === 1 && !isHand(place) ? faces[0] : null;
    places.set(place, {
      box: spot.getBoundingClientRect(),
      count: counted === undefined ? undefined : Number(counted),
      top: isToChange ? (top?.cloneNode(true) ?? null) : top,
    });
    for (const card of faces) {
      const known = cards.get(faceOf(card)) ?? cards.set(faceOf(card), []).get(faceOf(card));
      const sent = card.dataset.sent?.split(" ").map(Number); // it lies there already, to the eye
      const box = sent ? new DOMRect(...sent) : card.getBoundingClientRect();
      known.push({ place, element: card, box, isSent: Boolean(sent) });
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
