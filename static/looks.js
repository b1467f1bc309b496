// The panel of looks: what is chosen shows at once, and the room is told in the background.

const panel = document.getElementById("looks");
const form = /** @type {HTMLFormElement} */ (panel.querySelector("form"));
const summary = /** @type {HTMLElement} */ (panel.querySelector("summary"));
const said = /** @type {HTMLElement} */ (panel.querySelector("[role=status]"));
const root = document.documentElement;
/** @type {Promise<void>} */
let told = Promise.resolve(); // one after the other, so that the last choice is kept

function show() {
  const chosen = new FormData(form);
  for (const [name, value] of chosen) if (name !== "back") root.dataset[name] = String(value); // of two the last, as the room reads it
  addCorners();
  const wall = getComputedStyle(root).backgroundColor;
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = wall;
  return chosen;
}

// The styles of what not everybody wants on cards.

function addCorners() {
  const { letters, indices } = root.dataset;
  const href = panel.dataset.corners;
  if ((letters === "off" && indices === "usual") || document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}

/** @type {(chosen: FormData) => Promise<void>} */
async function tell(chosen) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(/** @type {any} */ (chosen)), redirect: "manual", keepalive: true });
    said.textContent = answer.type === "opaqueredirect" ? "" : said.dataset.lost;
  } catch {
    said.textContent = said.dataset.lost;
  }
}

function choose() {
  const chosen = show();
  told = told.then(() => tell(chosen));
}
form.addEventListener("change", async (event) => {
  choose();
  if (/** @type {HTMLInputElement} */ (event.target).name !== "language") return;
  await told;
  if (!said.textContent) location.reload(); // every word of the page is another one
});
// Whoever was quicker than this script is heard, too.
if ([...form.elements].some((one) => one.checked !== one.defaultChecked)) choose();
form.addEventListener("submit", (event) => {
  event.preventDefault();
  panel.open = false;
  summary.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !panel.open) return;
  panel.open = false;
  summary.focus();
});
document.addEventListener("pointerdown", (event) => {
  if (!panel.contains(event.target)) panel.open = false;
});
panel.addEventListener("focusout", (event) => {
  if (event.relatedTarget && !panel.contains(event.relatedTarget)) panel.open = false;
});
