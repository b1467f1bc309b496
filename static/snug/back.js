// What lies over the table goes with the browser's Back, which is at hand on every phone. It is a step of the history as
// long as it lies there; the step goes with it, however it is put away.

const isStep = () => Boolean(history.state?.over);

/** What lies uppermost. @returns {HTMLDetailsElement | HTMLDialogElement | undefined} */
function over() {
  const open = [...document.querySelectorAll(".felt > .side > details[open], dialog[open]")].reverse();
  return open.find((one) => one.localName === "dialog" || getComputedStyle(one).position === "fixed");
}

document.addEventListener("toggle", () => {
  const isOver = Boolean(over());
  if (isOver === isStep()) return;
  if (isOver) history.pushState({ over: true }, "");
  else history.back();
}, true);

addEventListener("popstate", () => {
  const lies = isStep() ? undefined : over();
  if (!lies) return;
  if (lies.localName === "dialog") lies.close();
  else lies.open = false;
});

// Who comes back to the table from another page finds nothing over it.
if (isStep() && !over()) history.replaceState(null, "");
