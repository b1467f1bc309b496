// What moved: each a card, or the back of one, from a place to a place.

import { isHand, isPile, ownerOf } from "./places.js";

/** @type {(one: Lying, other: Lying) => number} */
const sentLast = (one, other) => Number(one.isSent) - Number(other.isSent);

/** @type {(was: Look, now: Look) => Group[]} */
export function moved(was, now) {
  /** @type {Move[]} */
  const moves = [];
  const isDealt = !was.stage.includes("at-playing") || !was.places.has("draw-pile");
  const before = isDealt ? { places: new Map(), cards: new Map(), turn: undefined } : was;
  const lacks = new Map(); // how many more cards a place has than came by the moves found so far
  for (const place of new Set([...before.places.keys(), ...now.places.keys()])) {
    const [had, has] = [before.places.get(place)?.count, now.places.get(place)?.count];
    if (had !== undefined || has !== undefined) lacks.set(place, (has ?? 0) - (had ?? 0));
  }
  if (isDealt || !lacks.has("draw-pile")) lacks.set("draw-pile", now.places.has("draw-pile") ? -Infinity : 0); // all there is
  /** @type {(place: string | undefined) => boolean} */
  const gives = (place) => lacks.get(place) < 0;
  /** @type {(place: string | undefined | null) => boolean} */
  const takes = (place) => lacks.get(place) > 0;
  const players = [...lacks.keys()].filter((place) => place.startsWith("player-"));
  /** @type {(owner: string | null) => string | undefined} */
  const safeOf = (owner) => [...lacks.keys()].find((place) => place.startsWith("safe-") && ownerOf(place) === owner);
  /** @type {(from: string, to: string, more: { start?: Lying, end?: Lying }) => void} */
  const move = (from, to, more) => {
    moves.push({ from, to, ...more });
    if (lacks.has(from)) lacks.set(from, lacks.get(from) + 1);
    if (lacks.has(to)) lacks.set(to, lacks.get(to) - 1);
  };

  const left = [];
  const come = [];
  for (const face of new Set([...before.cards.keys(), ...now.cards.keys()])) {
    const gone = [...(before.cards.get(face) ?? [])].sort(sentLast);
    const here = (now.cards.get(face) ?? []).filter((card) => {
      const same = gone.findIndex((one) => one.place === card.place);
      if (same >= 0) gone.splice(same, 1);
      return same < 0;
    });
    const both = Math.min(gone.length, here.length);
    for (let at = 0; at < both; at += 1) move(gone[at].place, here[at].place, { start: gone[at], end: here[at] });
    left.push(...gone.slice(both));
    come.push(...here.slice(both));
  }

  for (const end of come) {
    const to = end.place;
    if (lacks.has(to) && !takes(to)) continue; // it lay under what was taken
    const [owner, turn] = [ownerOf(to), before.turn];
    const isDrawn = (owner && isHand(to)) || (to === now.turned && lacks.get(to) === 1);
    const from = isDrawn
      ? ["draw-pile", ...players].find(gives)
      : [`player-${owner}`, turn, ...players, "draw-pile"].find(gives);
    if (!from) continue;
    if (from === "draw-pile" && !owner && turn && now.turned !== to) {
      move(from, turn, {}); // drawn and played at once
      move(turn, to, { end });
    } else move(from, to, { end });
  }
  for (const start of left) {
    const from = start.place;
    if (isPile(from) && (lacks.has(from) ? !gives(from) : moves.some(({ to }) => to === from))) continue; // covered
    const owner = ownerOf(from);
    const eager = [...players].sort((one, other) => lacks.get(other) - lacks.get(one)); // who buys gets more besides
    const to = [owner && safeOf(owner), ...eager, "discard-pile", "draw-pile"].find(takes);
    if (to) move(from, to, { start });
  }
  for (const player of players) {
    const others = players.filter((place) => place !== player);
    for (let from; takes(player) && (from = ["draw-pile", ...others].find(gives)); ) move(from, player, {});
    const sinks = [safeOf(ownerOf(player)), "discard-pile", "draw-pile"];
    for (let to; gives(player) && (to = sinks.find(takes)); ) move(player, to, {});
  }
  const { turned } = now;
  while (turned && gives("draw-pile") && takes(turned)) move("draw-pile", turned, {});
  return grouped(moves, isDealt);
}

// The moves in one direction belong together. What kind they are shows in where they lead: from the pile to several
// players is a deal; from one player to another a theft; from several, or from what lies open before a player, onto the
// discards a sweep; from a pile to whoever draws besides a purchase.

/** @type {(moves: Move[], isDealt: boolean) => Group[]} */
function grouped(moves, isDealt) {
  const dealtTo = new Set(moves.filter(({ from, to }) => from === "draw-pile" && ownerOf(to)).map(({ to }) => ownerOf(to)));
  const most = Math.max(...[...dealtTo].map((owner) => moves.filter((one) => one.from === "draw-pile" && ownerOf(one.to) === owner).length));
  const thrown = moves.filter(({ from, to }) => to === "discard-pile" && ownerOf(from));
  const givers = new Set(thrown.map(({ from }) => ownerOf(from)));
  const isSwept = givers.size > 1 || thrown.some(({ from }) => /^(row|safe)-/.test(from));
  /** @type {(move: Move) => string} */
  const kindOf = ({ from, to }) => {
    const [giver, taker] = [ownerOf(from), ownerOf(to)];
    if (from === "draw-pile") return isDealt || (dealtTo.size > 1 && most > 1) ? "deal" : "draw";
    if (giver && taker) return giver !== taker ? "steal" : /^(row|safe)-/.test(from) ? "take" : "play";
    if (giver) return (to === "discard-pile" && isSwept) || to === "draw-pile" ? "sweep" : "play";
    if (taker) return from === "discard-pile" && dealtTo.has(taker) ? "buy" : "take";
    return "sweep";
  };
  const groups = new Map();
  for (const move of moves) {
    const key = `${move.from} ${move.to}`;
    if (!groups.has(key)) groups.set(key, { kind: kindOf(move), from: move.from, to: move.to, moves: [] });
    groups.get(key).moves.push(move);
  }
  const order = ["play", "take", "buy", "steal", "sweep", "draw", "deal"];
  /** @type {(group: Group) => number} */
  const rank = ({ kind, from, to }) => (from === "draw-pile" && !ownerOf(to) ? -1 : order.indexOf(kind)); // turned up first
  return [...groups.values()].sort((one, other) => rank(one) - rank(other));
}
