// In the air: clones in a layer of their own, over a page that is already as it should be. What has come is not seen
// until its clone has landed; on a pile, what it covers is seen instead.

import { isPile, live } from "./places.js";
import { summary, tell } from "./tell.js";

const MOST = 20; // clones at once
const AIR = 340; // ms that one card flies
const DEALT = 45; // ms between two cards that are dealt
const TURNED = 140; // ms in which a card that was dealt is turned
const NEAR = 3; // px at which a card lies already where it goes
const WHOLE = 950; // ms that all of them fly together
export const REPLAYED = 1_400; // ms for what happened while nobody looked

/** @type {Animation[]} */
export const flying = []; // animations

const layer = document.createElement("div");
layer.id = "flights";
layer.setAttribute("aria-hidden", "true");
document.body.append(layer);

export function land() {
  for (const animation of flying.splice(0)) animation.cancel();
  layer.replaceChildren();
}

function back() {
  const face = document.createElement("span");
  face.className = "face";
  const picture = live()?.querySelector(".backs .card, .reach .card, #draw-pile .card, #stock .card");
  if (picture) face.append(picture.cloneNode(true));
  return face;
}

/** @type {(picture: Node, box: { left: number, top: number, width: number }) => HTMLElement} */
export function put(picture, box) {
  const clone = /** @type {HTMLElement} */ (picture.cloneNode(true));
  for (const each of [clone, ...clone.querySelectorAll("[id]")]) each.removeAttribute("id");
  Object.assign(clone.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` });
  layer.append(clone);
  return clone;
}

// Where a card of a place lies: its own box if it has one, else the middle of the place, as large as a card is there.

/** @type {(card: Lying | undefined, place: string, seen: Look, size: number) => DOMRect | null} */
function boxOf(card, place, seen, size) {
  if (card?.box.width) return card.box;
  const [, seat] = /-(\d+)/.exec(place) ?? [];
  const spot = seen.places.get(place) ?? seen.places.get(`player-${seat}`) ?? seen.places.get("hand");
  if (!spot?.box.width) return null;
  const { left, top, width: across, height } = spot.box;
  const width = Math.min(size, across, height / 1.4);
  return new DOMRect(left + (across - width) / 2, top + (height - width * 1.4) / 2, width, width * 1.4);
}

// What was sent by a tap was told and shown then: it only goes on from where it is.

/** @type {(group: Group) => boolean} */
export const isTold = ({ moves }) => moves.every(({ start }) => start?.isSent);
/** @type {(one: DOMRect, other: DOMRect) => boolean} */
const isThere = (one, other) => Math.hypot(one.left - other.left, one.top - other.top) < NEAR;

/** @type {(groups: Group[], was: Look, now: Look, whole?: number) => void} */
export function fly(groups, was, now, whole = WHOLE) {
  const clones = bundled(groups);
  const air = whole > WHOLE ? 1.3 * AIR : AIR;
  const dealt = new Set(groups.flatMap(({ kind, moves }) => (kind === "deal" ? moves : [])));
  const apart = Math.min(dealt.size ? DEALT : 110, (whole - air) / Math.max(1, clones.length - 1));
  const size = now.places.get("discard-pile")?.box.width || now.places.get("draw-pile")?.box.width || 72;
  const covered = new Set();
  for (const group of groups) if (!isTold(group)) tell("flight", summary(group));
  clones.forEach((move, at) => {
    const { from, to, start, end } = move;
    const isTurned = dealt.has(move) && to === "hand";
    const last = boxOf(end, to, now, size);
    const first = boxOf(start, from, was.places.has(from) ? was : now, size);
    if (!first || !last || (start?.isSent && isThere(first, last))) return;
    const under = was.places.get(to)?.top;
    if (end && under && !covered.has(to) && now.places.get(to)?.top) {
      covered.add(to);
      const shade = put(under, last);
      layer.prepend(shade);
      flying.push(during(shade.animate([{}, {}], at * apart + air), () => shade.remove()));
    }
    const clone = put((isTurned ? null : (end?.element ?? start?.element)) ?? back(), last);
    const way = `translate(${first.left - last.left}px, ${first.top - last.top}px) scale(${first.width / last.width})`;
    const lasting = (isPile(to) ? clones.map((one) => one.to).lastIndexOf(to) - at : 0) * apart; // till the top card lies
    /** @type {KeyframeAnimationOptions} */
    const pace = { delay: at * apart, duration: air, endDelay: lasting, easing: "cubic-bezier(0.3, 0.7, 0.3, 1)", fill: "both" };
    flying.push(during(clone.animate([{ transform: way }, { transform: "none" }], pace), () => clone.remove()));
    if (!end) return;
    const hidden = end.element.closest(".held") ?? end.element;
    flying.push(hidden.animate([{ opacity: 0 }, { opacity: 0 }], at * apart + air));
    if (isTurned) flying.push(end.element.animate([{ scale: "0 1" }, { scale: "1 1" }], { delay: at * apart + air, duration: TURNED }));
  });
}

// Not more than may be in the air: one of each group at least, then those whose faces are seen. A deal goes round; what
// comes to lie on top of a pile lands last.

/** @type {(groups: Group[]) => Move[]} */
export function bundled(groups) {
  const shown = groups.slice(0, MOST).map(({ kind, moves }) => ({ kind, moves, many: 1 }));
  let more = MOST - shown.length;
  for (const isSeen of [true, false]) {
    const some = shown.filter(({ moves }) => isSeen === moves.some(({ start, end }) => start || end));
    for (let group; more > 0 && (group = some.find((one) => one.many < one.moves.length)); more -= 1) {
      group.many += 1;
      some.push(some.splice(some.indexOf(group), 1)[0]);
    }
  }
  const turns = shown.flatMap(({ kind, moves, many }) =>
    moves.slice(0, many).map((move, at) => ({ move, round: kind === "deal" ? at : -1 })),
  );
  const clones = turns.sort((one, other) => one.round - other.round).map(({ move }) => move);
  /** @type {(move: Move) => unknown} */
  const onTop = ({ to, end }) => end && isPile(to) && clones.some((other) => other.to === to && !other.end);
  return [...clones.filter((one) => !onTop(one)), ...clones.filter(onTop)];
}

/** @type {(animation: Animation, done: () => void) => Animation} */
export function during(animation, done) {
  animation.onfinish = done;
  return animation;
}
