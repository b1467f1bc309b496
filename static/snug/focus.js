// When the focused card was played, the next thing to do gets the focus: what is done as a rule, else one's own cards, else
// whatever may be done. Who has nothing to do is told at the bar who has, and is taken on from there.

import { live } from "./page.js";

const DOES = [
  "#actions .main:not(:disabled, [data-picks])",
  "#mine :is(button.now, .pick input):not(:disabled)",
  "#live button.now:not(:disabled)",
  "#mine :is(button, input):not(:disabled, .lay, .sorter *)",
  "#actions :is(button, input:not([type=hidden])):not(:disabled)",
];

/** @type {Element | null} */
let focused = null;

document.addEventListener("htmx:before:swap", () => {
  focused = live()?.contains(document.activeElement) ? document.activeElement : null;
});

export function moveFocus() {
  const bar = document.getElementById("bar");
  if (focused && (focused === bar || !focused.isConnected)) {
    const ways = live()?.dataset.myTurn === "true" ? DOES : [];
    const next = ways.flatMap((way) => [...document.querySelectorAll(way)]).find((one) => one.getClientRects().length);
    (next ?? bar ?? live())?.focus({ preventScroll: true });
  }
  focused = null;
}
