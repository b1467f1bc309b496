// Where the page says that a card goes: what is written on places, and the buttons that stand there.

import { codeOf, HAND, idOf } from "./cards.js";

export const CARDS = "button.lay:not([data-picks], [name=open]), label.lay";
export const STACK = ".own .stack";

/** @type {(element: EventTarget | null) => HTMLElement | null | undefined} */
export const cardAt = (element) => element?.closest?.(`${HAND} > li`) ?? element?.closest?.(CARDS);
/** @type {(card: HTMLElement) => any} */
export const controlOf = (card) => card.querySelector("input, button") ?? card;
/** @type {(card: Element) => boolean} */
export const isMine = (card) => card.matches(`${HAND} > li`) || Boolean(card.closest(STACK));

const onBoard = () => document.querySelector(".board > .front") ?? document.getElementById("discard-pile");
/** @type {(card: Element) => string} */
const cardOf = (card) => codeOf(idOf(card));

/** @type {(place: Element, card: Element) => any[]} */
export function spotsOn(place, card) {
  const code = cardOf(card);
  const spots = [...place.querySelectorAll("button.spot")].filter((spot) => spot.form.elements.namedItem("card")?.value === code);
  const wins = [...place.querySelectorAll(".win input")].filter((win) => win.id.startsWith(`win-${code}-`));
  return [...spots, ...wins].filter((spot) => spot.closest(".spot")?.offsetParent);
}

/** @type {(card: HTMLElement) => (Element | null)[]} */
export function targets(card) {
  const control = controlOf(card);
  if (!isMine(card)) return control.matches(".now") ? [document.getElementById("mine")] : [];
  const places = [...document.querySelectorAll("[data-drop]")];
  if (card.closest(STACK)) return places.filter((place) => place.classList.contains(`fit-${control.value}`));
  if (control.type !== "checkbox") return control.matches(".now, [type=radio]") ? [onBoard()] : [];
  if (document.querySelector("#actions .ticked")) return [onBoard()];
  return places.filter((place) => place.querySelector("[data-picks]") || spotsOn(place, card).length);
}
