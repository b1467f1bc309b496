// A tap on the felt hurries the bots until it is my turn, and so does the key B while the table has the focus.

const PRESSED = "a, button, input, label, summary";
const TYPED = "textarea, select, input:not([type=checkbox], [type=radio])";

let isHurried = false;

function hurry() {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("hurry"));
  isHurried = form !== null && document.getElementById("live")?.dataset.myTurn !== "true";
  if (isHurried) form?.requestSubmit();
}

document.addEventListener("click", (/** @type {Heard} */ { target }) => {
  if (target.closest(".board") && !target.closest(PRESSED)) hurry();
});
document.addEventListener("keydown", (event) => {
  const at = /** @type {Element} */ (event.target);
  const isPlain = !(event.ctrlKey || event.altKey || event.metaKey || event.repeat);
  if (isPlain && event.key.toLowerCase() === "b" && at.closest(".felt") && !at.closest(TYPED)) hurry();
});
document.addEventListener("submit", ({ target }) => target.id === "hurry" && (isHurried = true));
document.addEventListener("htmx:after:swap", () => isHurried && hurry());
