// The notice of what could not be sent: its button sends the very same once more. At a table it stands in the row of what
// can be done, which waits for it.

import { live } from "./page.js";

const form = () => document.getElementById("unsent");
let isPressed = false;

function place() {
  const [notice, row] = [form(), document.getElementById("actions")?.getBoundingClientRect()];
  notice?.classList.toggle("in-row", Boolean(row?.height) && notice.matches("[data-row]"));
  if (!row || !notice?.matches(".in-row")) return notice?.removeAttribute("style");
  Object.assign(notice.style, { left: `${row.left}px`, top: `${row.top}px`, width: `${row.width}px`, height: `${row.height}px` });
}

/** @type {(letter: { action: string, fields: string[][] }) => void} */
function fill({ action, fields }) {
  const notice = form();
  notice.setAttribute("action", action);
  notice.children[1].replaceChildren(
    ...fields.map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })),
  );
}

// `how` says whether it stands in the row, and is only on its way.

/** @type {(letter: { action: string, fields: string[][] }, how?: string) => void} */
export function showUnsent(letter, how = "") {
  const notice = form();
  if (!notice) return;
  const [words] = notice.children;
  fill(letter);
  const isSending = how.includes("sending");
  const said = words.dataset[isSending ? "sending" : isPressed ? "again" : "once"];
  words.setAttribute("role", isSending ? "status" : "alert");
  if (words.textContent !== said || notice.hidden) words.textContent = said;
  notice.toggleAttribute("data-row", how.includes("row"));
  notice.toggleAttribute("data-sending", isSending);
  notice.hidden = false;
  place();
}

export function hideUnsent() {
  const notice = form();
  isPressed = false;
  if (!notice || notice.hidden) return;
  if (notice.contains(document.activeElement)) live()?.focus({ preventScroll: true });
  notice.hidden = true;
}

/** @type {(letter: { action: string, fields: string[][] }) => void} */
export function submitAgain(letter) {
  fill(letter);
  form().requestSubmit();
}

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#unsent button")) isPressed = true;
});
document.addEventListener("htmx:after:swap", place);
window.addEventListener("resize", place);
