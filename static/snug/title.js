// The browser's tab says when it is your turn.

import { live } from "./page.js";

export function entitle() {
  const table = live();
  if (!table) return;
  if (document.title !== table.dataset.title) document.title = table.dataset.title;
  const icon = document.getElementById("favicon");
  const wanted = table.dataset.myTurn === "true" ? icon.dataset.turn : icon.dataset.calm;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}
