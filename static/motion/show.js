// What moved since the table was looked at is told, and shown in the air.

import { isEnding } from "./ending.js";
import { fly, isTold } from "./flights.js";
import { look } from "./look.js";
import { moved } from "./moves.js";
import { isStill, live } from "./places.js";
import { summary, tell } from "./tell.js";

/** @type {(seen: Look, place: string) => number} */
const holds = (seen, place) => seen.places.get(place)?.count ?? [...seen.cards.values()].flat().filter((card) => card.place === place).length;

/** @type {(from: Look | null, whole?: number) => void} */
export function show(from, whole) {
  const table = live();
  if (!from || !table || !(table.matches(".at-playing") || isEnding()) || from.version === table.dataset.version) return;
  const now = /** @type {Look} */ (look());
  const groups = moved(from, now);
  if (!groups.length) return;
  const hands = [...now.places.keys()].filter((place) => /^(hand$|player-)/.test(place));
  const isLastCard = hands.some((place) => holds(now, place) === 1 && holds(from, place) > 1);
  tell("moved", { moves: groups.filter((group) => !isTold(group)).map(summary), isLastCard });
  if (!isStill()) fly(groups, from, now, whole);
}
