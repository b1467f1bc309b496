// At the first table of a game: a few words at the moment they matter, beside what they are about. They stand where
// nothing is tapped and nothing moves for them; where there is no such place they are left out. What was said is said
// no more in this browser, nor what somebody has twice done unasked, and nothing to who has finished a lesson or a match
// of the game. Numbers and signs say what
// they mean to whoever taps them.

const KEY = `coached-${document.documentElement.dataset.game}`;
const DONE = `${KEY}-done`; // the numbers of lines at whose moments there was a move, as often as that was
const OFTEN = 2;
const ALL = "yes";
const GAP = 10; // px to the edge of the window
const NEAR = 60; // px at which an arrow still points at something
const STEP = 6; // px between two places that are tried
const ANSWERS = ".messages, .notes > *, #unsent, #offline";
const WORDS = ".rule, .fits, .ladder, .owed, .suit-in-play, .prelude, .asked, .hint"; // what is read to decide
const KEPT_FREE = `#mine, #actions, #bar, .top, #live .card, ${ANSWERS}, #live :is(a, button, input, label, summary, ${WORDS})`;
const NEVER_COVERED = `#hand, #actions, #actions *, ${ANSWERS}`; // by what was asked for, which goes at the next tap
const CHOICE = "#mine :checked, :is(#mine, #actions, #board) details[open]"; // somebody is about to do it already

const { content, dataset } = document.getElementById("coach");
const lines = [...content.querySelectorAll("[data-when]")];
const meanings = [...content.querySelectorAll("[data-of]")];
const known = () => localStorage.getItem(KEY) ?? "";
/** @type {HTMLElement | null} */
let open = null; // the line that is shown
/** @type {Set<HTMLElement>} */
const told = new Set(); // aloud each is said once
/** @type {HTMLElement | null} */
let asked = null; // what was tapped, if that is what it is about

const callout = document.createElement("aside");
callout.className = "callout";
const button = Object.assign(document.createElement("button"), { className: "button", textContent: dataset.close });

function hide() {
  open = asked = null;
  callout.replaceChildren();
  callout.remove();
}

/** @type {(one: Box, other: Box) => boolean} */
const meets = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** @type {(kept: string) => DOMRect[]} */
const boxesOf = (kept) => [...document.querySelectorAll(kept)].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
/** @type {(place: Box, taken: Box[]) => boolean} */
const isFree = (place, taken) => !taken.some((box) => meets(place, box));

/** @type {(kept: string) => boolean} */
function mayStay(kept) {
  const place = callout.getBoundingClientRect();
  return place.left >= 0 && place.right <= innerWidth && place.top >= 0 && place.bottom <= innerHeight && isFree(place, boxesOf(kept));
}

// The free place nearest to what is spoken of; null if there is none.
/** @type {(about: Box, kept: string) => Box | null} */
function placeFor(about, kept) {
  const taken = boxesOf(kept);
  const { offsetWidth: width, offsetHeight: height } = callout;
  /** @type {Box & { far: number } | null} */
  let best = null;
  for (let top = GAP; top + height <= innerHeight - GAP; top += STEP) {
    for (let left = GAP; left + width <= innerWidth - GAP; left += STEP) {
      const place = { left, top, right: left + width, bottom: top + height };
      const [x, y] = [(about.left + about.right) / 2 - left - width / 2, (about.top + about.bottom) / 2 - top - height / 2];
      const far = Math.hypot(x, y);
      if ((!best || far < best.far) && isFree(place, taken)) best = { ...place, far };
    }
  }
  return best;
}

/** @type {(line: HTMLElement) => void} */
function show(line) {
  if (open === line && mayStay(KEPT_FREE)) return;
  if (open !== line) callout.replaceChildren(line.cloneNode(true), button);
  if (!callout.isConnected) document.body.append(callout);
  const about = /** @type {Element} */ (asked ?? document.getElementById(line.dataset.at)).getBoundingClientRect();
  const place = placeFor(about, KEPT_FREE) ?? (asked && placeFor(about, NEVER_COVERED));
  if (!place) return hide();
  if (asked || !told.has(line)) document.dispatchEvent(new CustomEvent("snug:tell", { detail: line.textContent }));
  told.add(line);
  open = line;
  callout.style.left = `${place.left}px`;
  callout.style.top = `${place.top}px`;
  const [over, under] = [about.top - place.bottom, place.top - about.bottom];
  callout.dataset.side = over >= 0 && over < NEAR ? "above" : under >= 0 && under < NEAR ? "below" : "beside";
}

function look() {
  const table = document.getElementById("live");
  if (table?.classList.contains("at-finished")) localStorage.setItem(KEY, ALL);
  if (asked) return (asked.isConnected && mayStay(ANSWERS)) || hide();
  const said = known();
  const line = said === ALL || document.querySelector(CHOICE) ? null : open ?? lines.find((one, at) => !said.includes(String(at)) && document.querySelector(one.dataset.when));
  if (!line || !document.querySelector(line.dataset.when)) return open && hide();
  show(line);
}

// The innermost of what is under the finger that has a meaning.
/** @type {(event: Heard) => void} */
function ask(event) {
  if (asked && !callout.contains(event.target)) hide();
  if (!event.target.closest(".felt") || event.target.closest("a, button, input, label, summary")) return;
  const about = meanings.map((line) => [line, event.target.closest(line.dataset.of)]).find(([, one]) => one);
  if (!about) return;
  hide();
  asked = about[1];
  show(about[0]);
}

/** @param {number} at */
const retire = (at) => known() === ALL || known().includes(String(at)) || localStorage.setItem(KEY, known() + at);

// A move is what the lines are about whose moment it is.
/** @param {Event} event */
function learn(event) {
  if (!/** @type {Element} */ (event.target).getAttribute("action")?.endsWith("/moves")) return;
  lines.forEach((line, at) => {
    if (!document.querySelector(line.dataset.when)) return;
    const done = (localStorage.getItem(DONE) ?? "") + at;
    localStorage.setItem(DONE, done);
    if (done.split(String(at)).length > OFTEN) retire(at);
  });
  if (open && !asked && known().includes(String(lines.indexOf(open)))) hide();
}

document.addEventListener("submit", learn);
document.addEventListener("click", ask);
button.addEventListener("click", () => {
  if (!asked) retire(lines.indexOf(open));
  hide();
  look();
});
for (const change of ["resize", "scroll"]) window.addEventListener(change, look, { passive: true });
document.addEventListener("htmx:after:swap", look);
document.addEventListener("change", look);
document.addEventListener("toggle", look, true); // it does not bubble
const notices = new MutationObserver(look);
for (const id of /** @type {const} */ (["unsent", "offline"])) notices.observe(document.getElementById(id), { attributeFilter: ["hidden"] });
look();
