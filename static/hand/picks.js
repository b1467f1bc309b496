// Buttons that want so many ticked cards wait until they are ticked.

// Where only one may be ticked, it is the one that was ticked last.

/** @param {Event} event */
function leaveOne({ target }) {
  if (!(target instanceof HTMLInputElement) || !target.matches("[data-one] #hand :checked")) return;
  for (const other of document.querySelectorAll("#hand :checked")) if (other !== target) other.checked = false;
}

function count() {
  for (const button of document.querySelectorAll("[data-picks]")) {
    const ticked = [...button.form.elements].filter((field) => field.type === "checkbox" && field.checked);
    button.disabled = ticked.length !== Number(button.dataset.picks);
  }
}

// Enter on a card plays what is ticked, it among it, where the page has one button for that; else it ticks.

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("#mine .pick input")) return;
  const field = /** @type {any} */ (event.target);
  event.preventDefault();
  field.checked = true;
  count();
  const plays = [...(field.form?.elements ?? [])].find((one) => one.matches(".main, [data-picks]") && !one.disabled && one.getClientRects().length);
  plays?.click();
});

document.addEventListener("change", leaveOne, true); // before the room is asked
document.addEventListener("change", count);
document.addEventListener("reset", () => setTimeout(() => document.getElementById("hand")?.dispatchEvent(new Event("change", { bubbles: true }))));
document.addEventListener("htmx:after:swap", count);

count();
