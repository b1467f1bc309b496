// Where a card has its place in a hand that is sorted.

import { codeOf, idOf } from "./cards.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["S", "H", "C", "D"];

/** @type {(by: string) => (held: Element) => number} */
export function placeBy(by) {
  return (held) => {
    const code = codeOf(idOf(held));
    const [rank, suit] = [RANKS.indexOf(code.slice(0, -1)), SUITS.indexOf(code.slice(-1))];
    if (suit < 0) return Infinity; // a joker
    return by === "rank" ? rank * 4 + suit : suit * 13 + rank;
  };
}
