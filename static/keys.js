// Letters that lead to what is at the table, or have it said again, for whoever plays by keys or by ear: each does at once
// what takes many tabs otherwise. The sheet that "?" opens has the list; Looks turn them off. Not while one types.

const TYPED = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])";
const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("keys"));
const said = /** @type {HTMLElement} */ (document.getElementById("told"));

/** @type {(...ways: string[]) => void} */
function go(...ways) {
  const found = /** @type {HTMLElement | undefined} */ (ways.flatMap((way) => [...document.querySelectorAll(way)]).find((one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden"));
  if (!found) return;
  if (found.tabIndex < 0) found.tabIndex = -1;
  found.focus();
}

/** @type {(selector: string) => void} */
function say(selector) {
  const parts = [...document.querySelectorAll(selector)].map((one) => {
    const words = /** @type {Element} */ (one.cloneNode(true));
    for (const seen of words.querySelectorAll("[aria-hidden=true]")) seen.remove();
    return words.textContent;
  });
  const words = parts.join(" ").replace(/\s+/g, " ").trim() || String(said.dataset.nothing);
  said.textContent = said.textContent === words ? `${words}\u00a0` : words; // the same once more is a change, too
}

/** @type {Record<string, () => void>} */
const DOES = {
  h: () => go("#hand :is(.now, .pick input):not(:disabled)", "#mine :is(button, input):not(:disabled, .sorter *)", "#mine"),
  a: () => go("#actions .main:not(:disabled)", "#actions :is(button, input:not([type=hidden])):not(:disabled)", "#actions"),
  t: () => go("#board"),
  s: () => {
    const scores = /** @type {HTMLDetailsElement | null} */ (document.getElementById("scores"));
    if (scores) scores.open = true;
    go("#scores > summary", "#scores table", "#scores");
  },
  l: () => say("#log li:first-child"),
  c: () => say("#clock .state, #clock .others-time li"),
  r: () => say("#say"),
  "?": () => sheet.showModal(),
};

document.addEventListener("keydown", (event) => {
  const at = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (document.documentElement.dataset.keys === "off" || sheet.open || at.closest(TYPED) || at.closest("[inert]")) return;
  const does = DOES[event.key.toLowerCase()];
  if (!does || !document.querySelector(".at-playing")) return;
  event.preventDefault();
  does();
});
