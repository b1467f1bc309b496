// What lies over the table goes with the browser's Back, which is at hand on every phone. It is a step of the history as
// long as it lies there; the step goes with it, however it is put away.

const isStep = () => Boolean(history.state?.over);

/** What lies uppermost: the sheet of a panel, or a dialog. @returns {HTMLDetailsElement | HTMLDialogElement | null} */
function over() {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"));
  if (dialog) return dialog;
  const panel = /** @type {HTMLDetailsElement | null} */ (document.querySelector(".felt > .side > details[open]"));
  return panel && getComputedStyle(panel).position === "fixed" ? panel : null;
}

document.addEventListener("toggle", () => {
  const isOver = Boolean(over());
  if (isOver === isStep()) return;
  if (isOver) history.pushState({ over: true }, "");
  else history.back();
}, true);

addEventListener("popstate", () => {
  const lies = isStep() ? null : over();
  if (!lies) return;
  if ("close" in lies) lies.close();
  else lies.open = false;
});

// Who comes back to the table from another page finds nothing over it.
if (isStep() && !over()) history.replaceState(null, "");
