// What moves is heard, and who has won.

import { sound } from "./playing.js";

const MINE = /^(hand|mine-)/;
/** @type {(place: string) => boolean} */
const isMine = (place) => MINE.test(place) || Boolean(document.querySelector(`#mine [data-place="${CSS.escape(place)}"]`));

document.addEventListener("snug:moved", ({ detail }) => {
  for (const { kind, from } of detail.moves) {
    if (kind === "deal" || kind === "sweep") sound("shuffle");
    else sound(kind === "steal" && isMine(from) ? "stolen" : "card");
  }
  if (detail.isLastCard) sound("last-card");
});
document.addEventListener("snug:ended", ({ detail }) => detail.isWon && sound("win"));
