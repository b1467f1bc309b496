// A sheet over the table goes with a tap beside it, and with Escape.

/** @param {Heard} event */
function putSheetAway(event) {
  const sheet = document.querySelector(".felt > .side > details[open]");
  if (!sheet || getComputedStyle(sheet).position !== "fixed" || (event.type === "click" && sheet.contains(event.target))) return;
  event.preventDefault();
  event.stopPropagation();
  sheet.open = false;
  sheet.querySelector("summary")?.focus({ preventScroll: true });
}
document.addEventListener("click", putSheetAway, true);
document.addEventListener("keydown", (event) => event.key === "Escape" && putSheetAway(event));
