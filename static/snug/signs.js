// A sign flies over the seat of whoever has shown it, for two seconds and in nobody's way; with less motion it stays still.

import { tell, wordsOf } from "./ear.js";

const LASTS = 2_000; // ms

export function showSign() {
  const told = document.getElementById("sign")?.dataset;
  if (!told?.number) return;
  delete told.number; // it was seen
  tell(wordsOf(document.getElementById("sign")));
  const places = [`player-${told.seat}`, told.seat ? "mine" : "board", "live"];
  const seat = places.map((id) => document.getElementById(id)).find(Boolean);
  if (!seat) return;
  const { left, top, width } = seat.getBoundingClientRect();
  const sign = document.createElement("div");
  sign.className = "sign";
  sign.setAttribute("aria-hidden", "true");
  sign.style.left = `${left + width / 2}px`;
  sign.style.top = `${Math.max(0, top)}px`;
  const [picture, use] = ["svg", "use"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  use.setAttribute("href", told.sign);
  picture.append(use);
  sign.append(picture);
  document.body.append(sign);
  setTimeout(() => sign.remove(), LASTS);
}

// On a phone the talk lies over the table: it goes, so that the sign is seen.

document.addEventListener("submit", (event) => {
  const sheet = event.target.id === "sign-form" && event.target.closest("details");
  if (sheet && getComputedStyle(sheet).position === "fixed") sheet.open = false;
});
