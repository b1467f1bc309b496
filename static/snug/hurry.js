// A tap on the felt hurries the bots, and so does the key B while the table has the focus: not while it is my turn.

const PRESSED = "a, button, input, label, summary";
const TYPED = "textarea, select, input:not([type=checkbox], [type=radio])";

function hurry() {
  if (document.getElementById("live")?.dataset.myTurn === "true") return;
  /** @type {HTMLFormElement | null} */ (document.getElementById("hurry"))?.requestSubmit();
}

document.addEventListener("click", (/** @type {Heard} */ { target }) => {
  if (target.closest(".board") && !target.closest(PRESSED)) hurry();
});
document.addEventListener("keydown", (event) => {
  const at = /** @type {Element} */ (event.target);
  const isPlain = !(event.ctrlKey || event.altKey || event.metaKey || event.repeat);
  if (isPlain && event.key.toLowerCase() === "b" && at.closest(".felt") && !at.closest(TYPED)) hurry();
});
