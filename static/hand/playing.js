// A card is played where it is let go, if anything is meant by that place.

import { controlOf, isMine, spotsOn, STACK } from "./places.js";
import { send } from "./sending.js";

/** @type {(card: HTMLElement, on: Element[], event: PointerEvent) => boolean} */
export function play(card, on, event) {
  const control = controlOf(card);
  if (!isMine(card)) return on.some((element) => element.id === "mine") && press(control);
  const place = on.map((element) => element.closest("[data-drop]")).find((found) => found);
  if (place) {
    /** @type {(spot: Element) => number} */
    const nearness = (spot) => Math.abs((spot.closest(".spot") ?? spot).getBoundingClientRect().x - event.clientX);
    const spots = card.closest(STACK) ? [] : spotsOn(place, card).sort((one, other) => nearness(one) - nearness(other));
    if (spots.length) return press(spots[0]);
    send([...new URLSearchParams(place.dataset.drop), [control.name, control.value]], control.id);
    return true;
  }
  if (!on.some((element) => element.closest("#board"))) return false;
  if (control.matches("button")) return press(control);
  const lay = document.querySelector("#actions .ticked");
  if (control.type === "checkbox" && !lay) return false;
  if (!control.checked) control.click();
  lay?.click();
  return true;
}

/** @type {(control: HTMLElement) => boolean} */
function press(control) {
  control.click();
  return true;
}
