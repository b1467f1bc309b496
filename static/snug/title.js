// The browser's tab says when it is your turn, the page whether it is a stage: what is styled by that is told by a class,
// since `:has` would have every style worked out anew whenever anything beside the table changes.

import { live } from "./page.js";

export function entitle() {
  const table = live();
  if (!table) return;
  if (document.title !== table.dataset.title) document.title = table.dataset.title;
  document.body.classList.toggle("on-stage", table.matches(".at-playing"));
  document.body.classList.toggle("at-end", table.matches(":is(.at-scores, .at-finished):has(> .felt)"));
  const icon = document.getElementById("favicon");
  const wanted = table.dataset.myTurn === "true" ? icon.dataset.turn : icon.dataset.calm;
  if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}
