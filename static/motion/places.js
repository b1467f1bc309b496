// The table, and what kinds of places there are on it.

export const live = () => document.getElementById("live");
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
export const isStill = () => reduced.matches || document.documentElement.dataset.motion === "less";
/** @type {(place: string) => boolean} */
export const isPile = (place) => /^(draw-pile|discard-pile|open-)/.test(place);
/** @type {(place: string) => boolean} */
export const isHand = (place) => /^(hand$|mine-|player-|stack-)/.test(place);
export const OVER = ".at-scores, .at-finished";

// Whose a place is: a seat's, "me", or nobody's, as the piles and what lies open to all.

/** @type {(place: string) => string | null} */
export function ownerOf(place) {
  const [, seat] = /^(?:player|row|safe|stack)-(\d+)/.exec(place) ?? [];
  if (seat) return document.getElementById(`player-${seat}`) ? seat : "me";
  return isHand(place) ? "me" : null;
}
