// A sheet over the table goes with a tap beside it, and with Escape; so does a list that is opened for a moment, which
// takes no tap away from what lies beside it.

/** @param {Heard} event */
function putSheetAway(event) {
  const sheet = document.querySelector(".felt > .side > details[open]");
  if (!sheet || getComputedStyle(sheet).position !== "fixed" || (event.type === "click" && sheet.contains(event.target))) return;
  event.preventDefault();
  event.stopPropagation();
  sheet.open = false;
  sheet.querySelector("summary")?.focus({ preventScroll: true });
}
/** @param {Heard} event */
function putListAway(event) {
  for (const list of document.querySelectorAll("details[data-passing][open]")) {
    if (event.type === "click" && list.contains(event.target)) continue;
    list.open = false;
    if (event.type === "keydown") list.querySelector("summary")?.focus({ preventScroll: true });
  }
}
// What is opened within a sheet may end below its edge.
/** @param {Heard} event */
function showWhole({ target }) {
  target.closest(".felt > .side > details[open] details[open]")?.scrollIntoView({ block: "nearest" });
}
for (const put of [putSheetAway, putListAway]) {
  document.addEventListener("click", put, true);
  document.addEventListener("keydown", (event) => event.key === "Escape" && put(event));
}
document.addEventListener("toggle", showWhole, true);
