// One's turn is heard and felt, and so is a call to another table.

import { sound } from "./playing.js";
import { mayVibrate } from "./wishes.js";

const BUZZ = [80, 60, 80]; // ms

const live = () => document.getElementById("live");
export const isMyTurn = () => live()?.dataset.myTurn === "true";

function buzz() {
  if (mayVibrate() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ);
}

let wasMyTurn = isMyTurn();

document.addEventListener("htmx:after:swap", () => {
  if (isMyTurn() && !wasMyTurn) {
    sound(live()?.querySelector("[data-offer]") ? "offer" : "turn");
    buzz();
  }
  wasMyTurn = isMyTurn();
});
document.addEventListener("snug:called", () => {
  sound("turn");
  buzz();
});
