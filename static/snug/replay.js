// Replays: arrow keys go back and forward, and the list of moves shows the one on the table.

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const way = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!way) return;
  event.preventDefault();
  way.click();
});

const shown = document.querySelector("#moves [aria-current]");
shown?.closest("#moves")?.scrollTo(0, shown.offsetTop - 80);
