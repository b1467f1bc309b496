// How many other tables wait for me stands at the door of the room, which leads to them, and in the tab's title.

const COUNTED = /^(\(\d+\) )?/;

export function tellTurns() {
  const told = document.getElementById("turns")?.dataset;
  const door = document.getElementById("door");
  if (!told || !door) return;
  const waits = told.count !== "0";
  const [badge, words] = /** @type {NodeListOf<HTMLElement>} */ (door.querySelectorAll("b, .sr"));
  if (badge.textContent !== told.count) {
    door.setAttribute("href", waits ? "/me" : "/");
    badge.hidden = !waits;
    badge.textContent = told.count;
    words.textContent = waits ? told.words : "";
  }
  const title = document.title.replace(COUNTED, waits ? `(${told.count}) ` : "");
  if (document.title !== title) document.title = title;
}
