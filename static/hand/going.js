// What a move takes from where it lies, and where that goes. Both are read from the form: a place that takes cards says of
// which moves, a form says by their ids to which place it goes, the first that there is. Nothing here knows a rule.

import { codeOf, idOf } from "./cards.js";
import { STACK } from "./places.js";

const CODE = /^(?:[A2-9JQK]|10)[SHDC]$|^JK$/;
const APART = 0.35; // of a card's width, between cards that go together

/** @type {(form: Element) => boolean} */
export const isMove = (form) => /\/moves(\?|$)/.test(form.getAttribute("action") ?? "");

/** @type {(form: HTMLElement, fields: FormData) => HTMLElement | undefined} */
function placeOf(form, fields) {
  const takes = [...document.querySelectorAll("[data-drop]")].find(({ dataset }) =>
    [...new URLSearchParams(dataset.drop)].every(([name, value]) => fields.get(name) === value),
  );
  if (takes) return takes;
  const named = (form.dataset.to ?? "").split(" ").map((id) => document.getElementById(id));
  return named.find((place) => place?.getClientRects().length) ?? undefined;
}

/** @type {(fields: FormData, tapped: Element | null) => HTMLElement[]} */
function heldFor(fields, tapped) {
  const words = [...fields].flatMap(([name, value]) => (name === "move" || name === "seen" ? [] : String(value).split(/[^\dA-Z]+/)));
  const held = [...document.querySelectorAll("#hand > li")];
  /** @type {(card: HTMLElement) => number} */
  const first = (card) => Number(!(card.contains(tapped) || card.querySelector(":checked")));
  const chosen = held.sort((one, other) => first(one) - first(other));
  const cards = words.filter((word) => CODE.test(word)).flatMap((code) => {
    const at = chosen.findIndex((card) => codeOf(idOf(card) || " - ") === code);
    return at < 0 ? [] : chosen.splice(at, 1);
  });
  const stacks = [...document.querySelectorAll(`${STACK} :is(input, button)`)].filter((one) => fields.get(one.getAttribute("name") ?? "") === one.value);
  return cards.length ? cards : stacks.flatMap((one) => one.closest(".lay") ?? []);
}

/** @type {(form: HTMLElement, fields: FormData, tapped: Element | null) => { cards: HTMLElement[], place: HTMLElement } | null} */
export function going(form, fields, tapped) {
  const place = placeOf(form, fields);
  if (!place) return null;
  const lies = place.matches("#hand") && [...document.querySelectorAll(`.lay.now[form="${form.id}"]`)].find((one) => idOf(one));
  const cards = lies ? [lies] : heldFor(fields, tapped);
  return cards.length ? { cards, place } : null;
}

// Where the next card lies there: on the one that is seen, beside several, in the middle where there is none.

/** @type {(place: HTMLElement, at: number, own: number) => { left: number, top: number, width: number }} */
export function spotIn(place, at, own) {
  const faces = [...place.querySelectorAll(".face, .hole")].filter((one) => one.getClientRects().length);
  const around = place.getBoundingClientRect();
  const last = faces.at(-1)?.getBoundingClientRect();
  if (last?.width) {
    const beside = faces.length > 1 || place.matches("#hand, .meld") ? 1 : 0;
    const left = Math.min(last.left + (beside + at) * APART * last.width, Math.max(last.left, around.right - last.width));
    return { left, top: last.top, width: last.width };
  }
  const pile = document.querySelector("#discard-pile .face, #discard-pile .hole")?.getBoundingClientRect().width;
  const width = Math.min(pile || own, own);
  const end = document.getElementById("board")?.getBoundingClientRect().bottom ?? Infinity; // not over what can be done
  const top = Math.min(around.top + (around.height - width * 1.4) / 2, place.closest("#board") ? end - width * 1.5 : Infinity);
  return { left: around.left + (around.width - width) / 2 + at * APART * width, top, width };
}
