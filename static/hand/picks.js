// Buttons that want so many ticked cards wait until they are ticked.

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

document.addEventListener("change", count);
document.addEventListener("htmx:after:swap", count);

count();
