// While somebody types a line of talk, the room is told so every few seconds: the others see it for a moment.

const PAUSE = 3_000; // ms between two tellings

let toldAt = 0;

document.addEventListener("input", (event) => {
  const field = event.target.closest("#talk-text");
  const address = field?.value && field.closest("[data-writing]")?.dataset.writing;
  if (!address || Date.now() - toldAt < PAUSE) return;
  toldAt = Date.now();
  fetch(address, { method: "POST", body: new URLSearchParams() }).catch(() => {}); // what is not told is not missed
});
