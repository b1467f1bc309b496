// Replays: arrow keys go back and forward, a bar winds to any move, the list of moves shows the one on the table, and the
// browser's way back leads out of the replay, not through every moment of it. A saved game is shown as soon as it is
// chosen.

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const way = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!way) return;
  event.preventDefault();
  way.click();
});

document.addEventListener("click", (event) => {
  if (event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const moment = event.target.closest?.(".replaying a[href*='/replay/']");
  if (!moment) return;
  event.preventDefault();
  location.replace(moment.href);
});

const wind = document.getElementById("wind");
const counted = document.querySelector("#counter b");
if (wind && counted) {
  wind.addEventListener("input", () => {
    counted.textContent = wind.value;
  });
  wind.addEventListener("change", () => document.querySelectorAll("#moves .to-move")[wind.value].click());
}

const shown = document.querySelector("#moves [aria-current]");
shown?.closest("#moves")?.scrollTo(0, shown.offsetTop - 80);

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && "atOnce" in target.dataset && target.value) target.form?.requestSubmit();
});
