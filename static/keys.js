// Letters that lead to what is at the table, or have it said again, for whoever plays by keys or by ear: each does at once
// what takes many tabs otherwise. The sheet that "?" opens has the list; Looks turn them off. Not while one types.

const TYPED = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])";
const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("keys"));
const { nothing } = /** @type {HTMLElement} */ (document.getElementById("told")).dataset;
/** @type {Record<string, string>} */
const RANKS = { 0: "10", 1: "A", J: "J", Q: "Q", K: "K" };
const CARD = /(?:^|-)(10|[2-9AJQK])[SHDCK](?=-|$)/; // in the value or the id of what stands for a card, or said by it (`data-card`)
const FIGURE = /^\d$/;
const PLAYS = [".spot:is(button), .spot input", "#mine :is(.now, .pick input)", "#board :is(.now, [data-card])"];
const ACTS = ["#live:not(.at-playing) form[data-mine] .main", "#actions .main", "#mine .suit:is(button)", "#actions :is(button, input:not([type=hidden]))", "#notes button", ".caught", ".spot:is(button), .spot input", "#board button.lay:not([form^=why])"];

/** @type {(...ways: string[]) => Element[]} */
const shown = (...ways) => [...new Set(ways.flatMap((way) => [...document.querySelectorAll(way)]))].filter((one) => !one.disabled && !one.closest("[aria-hidden=true]") && (/** @type {HTMLInputElement} */ (one).labels?.[0] ?? one).getClientRects().length && getComputedStyle(one).visibility !== "hidden");

/** @type {(found: Element | undefined) => void} */
function goTo(found) {
  const one = /** @type {HTMLElement | undefined} */ (found);
  if (!one) return;
  if (one.tabIndex < 0) one.tabIndex = -1;
  one.focus();
}

/** @type {(...ways: string[]) => void} */
const go = (...ways) => goTo(shown(...ways)[0]);

// From one to the next, or back, and from the last to the first again.

/** @type {(found: Element[], isBack: boolean) => void} */
function goOn(found, isBack) {
  const at = found.indexOf(/** @type {Element} */ (document.activeElement));
  goTo(isBack ? found.at(Math.max(at, 0) - 1) : found[(at + 1) % found.length]);
}

// To where a card of a rank may be put; from there on to those that may be played or ticked. Else to those of the hand.

/** @type {Element | null} */
let ranked = null; // where such a key led last: any other way begins anew

/** @type {(rank: string, isBack: boolean) => boolean} */
function goToRank(rank, isBack) {
  /** @type {(one: Element) => boolean} */
  const isOf = (one) => [one.value, one.id, one.dataset.card].some((code) => CARD.exec(code ?? "")?.[1] === rank);
  const found = [PLAYS, ["#mine .lay"]].map((ways) => shown(...ways).filter(isOf)).find(({ length }) => length);
  if (!found) return false;
  const first = found.at(isBack ? -1 : 0);
  if (ranked === document.activeElement || first === document.activeElement) goOn(found, isBack);
  else goTo(first);
  ranked = document.activeElement;
  return true;
}

/** @type {(selector: string, between?: string) => void} */
function say(selector, between = " ") {
  const parts = [...document.querySelectorAll(selector)].map((one) => {
    const words = /** @type {Element} */ (one.cloneNode(true));
    for (const seen of words.querySelectorAll("[aria-hidden=true]")) seen.remove();
    return words.textContent;
  });
  document.dispatchEvent(new CustomEvent("snug:tell", { detail: parts.join(between).replace(/\s+/g, " ").trim() || nothing }));
}

/** @type {Record<string, (isBack: boolean) => void>} */
const DOES = {
  h: () => go("#hand :is(.now, .pick input)", "#mine :is(button, input):not(.sorter *)", "#mine"),
  a: (isBack) => (shown(...ACTS).length ? goOn(shown(...ACTS), isBack) : go("#actions")),
  t: () => go("#board"),
  s: () => {
    const scores = /** @type {HTMLDetailsElement | null} */ (document.getElementById("scores"));
    if (scores) scores.open = true;
    go("#scores > summary", "#scores table", "#scores");
    if (document.querySelector("[data-counts]")) say("[data-counts] > [hidden], [data-counts] .left, #others .rival > .name, #others .rival .left", ", ");
  },
  l: () => say("#log li:first-child"),
  o: () => say("#others .rival > .name, #others .backs + .left", ", "),
  c: () => say("#clock .state, #clock .others-time li"),
  r: () => say("#whose-turn, #say > .line > span:not(.advice), #hint"),
  "?": () => sheet.showModal(),
};

document.addEventListener("keydown", (event) => {
  const at = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (document.documentElement.dataset.keys === "off" || sheet.open || at.closest(TYPED) || at.closest("[inert]")) return;
  const letter = event.key.toLowerCase();
  if (!document.querySelector(letter === "a" ? "#live" : ".at-playing")) return;
  const isBack = event.shiftKey && !FIGURE.test(event.key); // there are keyboards whose figures take Shift
  const figure = isBack && /^Digit(\d)$/.exec(event.code ?? "")?.[1];
  const does = DOES[letter];
  if (does) does(isBack);
  else if (!goToRank(RANKS[figure || letter.toUpperCase()] ?? (figure || letter), isBack)) return;
  event.preventDefault();
});
