// When the focused card was played, the next thing to do gets the focus: what is done as a rule, else one's own cards, else
// whatever may be done; of the cards, one that was just drawn. Where Enter would play the first best of several cards it is
// the hand that gets it. Whoever plays from the hand stays in it while a card of it can be played. Who has nothing to do is
// told at the bar who has, and is taken on from there: what gets the focus then says first whose turn it is.

import { live } from "./page.js";

const DOES = [
  "#actions .main:not(:disabled, [data-picks])",
  "#mine .fresh :is(button.now, .pick input):not(:disabled)",
  "#mine :is(button.now, .pick input):not(:disabled)",
  "#live button.now:not(:disabled)",
  "#mine :is(button, input):not(:disabled, .lay, .sorter *)",
  "#actions :is(button, input:not([type=hidden])):not(:disabled)",
];

/** @type {Element | null} */
let last = null; // what had it last, at the table: what is hidden or gone loses it, and nobody is told
/** @type {Element | null} */
let focused = null;
let wasInHand = false;

/** @type {(element: any) => boolean} */
const mayKeepIt = (element) => element.isConnected && !element.closest("[inert]") && !element.matches(":disabled") && element.checkVisibility({ visibilityProperty: true });

/** @type {(found: HTMLElement | undefined) => HTMLElement | null | undefined} */
const placeOf = (found) => (found?.matches(".pick [type=checkbox]") ? found.closest("#hand") : found);

/** @type {(element: HTMLElement) => void} */
function sayTurn(element) {
  element.setAttribute("aria-labelledby", `whose-turn ${element.id}`);
  element.addEventListener("blur", () => element.removeAttribute("aria-labelledby"), { once: true });
}

document.addEventListener("focusin", ({ target }) => {
  last = target instanceof Element && live()?.contains(target) ? target : null;
});
document.addEventListener("htmx:before:swap", () => {
  const active = document.activeElement;
  focused = live()?.contains(active) ? active : active === document.body ? last : null;
  wasInHand = Boolean(focused?.closest("#hand"));
});

export function moveFocus() {
  const bar = document.getElementById("bar");
  if (focused && (focused === bar || !mayKeepIt(focused))) {
    const ways = live()?.dataset.myTurn === "true" ? [...(wasInHand ? DOES.slice(1, 3) : []), ...DOES] : [];
    const next = placeOf(ways.flatMap((way) => [...document.querySelectorAll(way)]).find((one) => one.getClientRects().length));
    if (next?.id && focused === bar) sayTurn(next);
    const open = bar && mayKeepIt(bar) ? bar : document.querySelector("[id^=sheet-of-]") ?? live(); // under its sheet lies the bar
    (next ?? open)?.focus({ preventScroll: true });
  }
  focused = null;
  document.getElementById("refusal")?.scrollIntoView({ block: "nearest" });
}
