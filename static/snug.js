// What HTML and htmx cannot say: the pace of polling, focus after a play, small conveniences.
// Everything works without this file; it keeps no state of the game.

// Browsers from before 2024.
Element.prototype.checkVisibility ??= function () {
  return this.getClientRects().length > 0 && !this.closest("details:not([open]) > :not(summary)");
};

const HIDDEN_PACE = 5_000; // ms between polls of a tab that nobody looks at
const LONGEST_WAIT = 15_000; // ms between tries when the room cannot be reached
const EAGER = 30; // tries in a row at the pace of a second: a room that starts anew is soon there
const POST_PATIENCE = "8s"; // for what was clicked
const POLL_PATIENCE = "8s"; // for a poll that is answered at once, but with everybody else after a restart

const live = () => document.getElementById("live");
const poll = () => document.getElementById("poll");
const isPoll = (event) => event.target?.id === "poll";
const isLook = (event) => event.target?.id === "hall"; // at how other tables do: it can wait

// --- Polling: slower when hidden, backing off with jitter when the room is away, at once when shown again.

let failures = 0;
let notBefore = 0;
let asked = null; // the poll that the room holds
let unsure = false; // whether the network came or went since the room last answered

function pollNow() {
  notBefore = 0;
  if (poll()) htmx.trigger("#poll", "wake");
}

// What has just been drawn is asked about again soon: bots answer at once, and several of their moves come together.

const SOON = 80; // ms
let drawn = null;

function pollSoon() {
  if (document.hidden || live()?.dataset.version === drawn) return;
  drawn = live()?.dataset.version;
  setTimeout(pollNow, SOON);
}

// Until what was not sent is through, its tries stay as far apart as those while the room is away.

function reached() {
  if (!unsentOnce()) failures = 0;
  unsure = false;
  document.getElementById("offline")?.toggleAttribute("hidden", true);
}

function missed() {
  failures += 1;
  const wait = Math.min(LONGEST_WAIT, 1_000 * 2 ** Math.max(0, failures - EAGER));
  notBefore = Date.now() + wait * (0.5 + Math.random() / 2);
  if (failures > 1) document.getElementById("offline")?.toggleAttribute("hidden", false);
}

// A held poll would tell too late that the room is there again, or not any more: ask for what is answered at once.

function askAnew() {
  unsure = true;
  asked?.request.abort();
  pollNow();
}

document.addEventListener("htmx:config:request", (event) => {
  const { request } = event.detail.ctx;
  if (isPoll(event) && (failures || unsure)) {
    request.action = request.action.replace(/\bseen=\d+/, "seen=0");
    request.timeout = POLL_PATIENCE;
  }
  if (request.method === "POST") request.timeout = POST_PATIENCE;
});
document.addEventListener("htmx:before:request", (event) => {
  if (isLook(event) && (document.hidden || failures)) event.preventDefault();
  if (!isPoll(event)) return;
  if (Date.now() < notBefore) return event.preventDefault();
  if (document.hidden) notBefore = Date.now() + HIDDEN_PACE;
  asked = event.detail.ctx;
});
document.addEventListener("htmx:finally:request", (event) => {
  const { ctx } = event.detail;
  // Its answer tells what is new since the page on which it was made; this one may have gone on since: ask for all of it.
  if (event.target?.id === "unsent" && ctx.response?.status < 400) askAnew();
  if (ctx !== asked) return;
  asked = null;
  if (ctx.response?.status < 500 && unsentOnce()) setTimeout(sendUnsent, 0);
});
document.addEventListener("htmx:after:request", (event) => {
  const isThere = event.detail.ctx.response.status < 500;
  if (!isPoll(event) && !isLook(event)) setUnsent(isThere ? null : event.detail.ctx.request);
  if (isThere) reached();
  else missed();
});
document.addEventListener("htmx:error", (event) => {
  missed();
  const request = event.detail.ctx?.request;
  if (request && !isPoll(event) && !isLook(event)) setUnsent(request);
});
document.addEventListener("visibilitychange", () => document.hidden || pollNow());
for (const change of ["online", "offline"]) window.addEventListener(change, askAnew);
window.addEventListener("pageshow", (event) => event.persisted && pollNow());
window.addEventListener("beforeunload", () => asked?.request.abort()); // else Firefox takes it for a failure

// --- The cut: who does not cut the deck has it cut by chance, anew each time, so that nobody knows it before.

let chances = "";

document.addEventListener(
  "submit",
  (event) => {
    const field = event.target.elements.namedItem?.("cut");
    if (!field || (field.value && field.value !== chances)) return;
    chances = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    field.value = chances;
  },
  true,
);

// --- What could not be sent: one button sends the very same once more. What names the page it was made on is done once,
// however often it arrives: it goes by itself when the room is reached again. Whatever else gets through takes its place.

function setUnsent(request) {
  const form = document.getElementById("unsent");
  if (!form) return;
  const [words, fields] = form.children;
  if (request) {
    words.setAttribute("role", "alert");
    words.textContent = form.hidden ? words.dataset.once : words.dataset.again;
    form.setAttribute("action", request.action);
    fields.replaceChildren(
      ...[...request.body].map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })),
    );
  } else if (form.contains(document.activeElement)) live()?.focus({ preventScroll: true });
  form.hidden = !request;
}

const unsentOnce = () => document.querySelector('#unsent:not([hidden]) [name="seen"]');

function sendUnsent() {
  const form = document.getElementById("unsent");
  if (!form.hidden) form.requestSubmit();
}

// --- Focus: when the focused card was played, the next thing to do gets the focus: what is done as a rule, else one's
// own cards, else whatever may be done. Who has nothing to do is told at the bar who has, and is taken on from there.

const DOES = [
  "#actions .main:not(:disabled, [data-picks])",
  "#mine :is(button.now, .pick input):not(:disabled)",
  "#live button.now:not(:disabled)",
  "#mine :is(button, input):not(:disabled, .lay, .sorter *)",
  "#actions :is(button, input:not([type=hidden])):not(:disabled)",
];

let focused = null;

document.addEventListener("htmx:before:swap", () => {
  focused = live()?.contains(document.activeElement) ? document.activeElement : null;
});
document.addEventListener("htmx:after:swap", () => {
  dress();
  const bar = document.getElementById("bar");
  if (focused && (focused === bar || !focused.isConnected)) {
    const ways = live()?.dataset.myTurn === "true" ? DOES : [];
    const next = ways.flatMap((way) => [...document.querySelectorAll(way)]).find((one) => one.getClientRects().length);
    (next ?? bar ?? live())?.focus({ preventScroll: true });
  }
  focused = null;
  pollSoon();
});

// --- Only what is different is touched: other words, other attributes, lines more or less are put right here, which costs
// a phone a fraction of a morph. What is more than that is left to htmx, in the smallest piece of the page it lies in.

const WIRED = "[hx-get], [hx-boost]"; // what htmx must be told of
const KEPT = ["open", "data-htmx-powered"]; // as in htmx's own `morphIgnore`

const idIn = (element) => element.querySelector("[id]")?.id;

// Whether one may become the other: they have the same id, or the first id in one is also in the other.

function isAlike(old, now) {
  if (old.nodeName !== now.nodeName || old.id !== now.id) return false;
  if (old.id || !(old instanceof Element)) return true;
  const [one, other] = [idIn(old), idIn(now)];
  return !one || !other || one === other || hasId(now, one) || hasId(old, other);
}

const hasId = (node, id) => node.querySelector(`[id="${CSS.escape(id)}"]`);
const has = (node, selector) => node.matches?.(selector) || node.querySelector?.(selector);

// The changes that make `old` the same as `now`, and the pieces that are htmx's, are added to these lists. False if cards
// wander about in `root`: then htmx takes all of it, so that they stay the same elements.

function compare(root, old, now, changes, pieces) {
  if (old.isEqualNode(now)) return true;
  if (!(old instanceof Element)) {
    changes.push(() => (old.nodeValue = now.nodeValue));
    return true;
  }
  const names = new Set([...old.getAttributeNames(), ...now.getAttributeNames()]);
  const other = [...names].filter((name) => !KEPT.includes(name) && old.getAttribute(name) !== now.getAttribute(name));
  const before = [...old.childNodes];
  const after = [...now.childNodes];
  const shorter = Math.min(before.length, after.length);
  let [head, tail] = [0, 0];
  while (head < shorter && isAlike(before[head], after[head])) head += 1;
  while (head + tail < shorter && isAlike(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  const gone = before.slice(head, before.length - tail);
  const come = after.slice(head, after.length - tail);
  const wanderers = come
    .flatMap((node) => (node instanceof Element ? [node, ...node.querySelectorAll("[id]")] : []))
    .map((element) => element.id && document.getElementById(element.id))
    .filter((element) => root.contains(element || null));
  if (wanderers.some((element) => !old.contains(element))) return false;
  const isMore =
    wanderers.length ||
    other.some((name) => name.startsWith("hx-") && name !== "hx-get") ||
    old.matches("textarea, [hx-morph-skip], [hx-morph-skip-children]") ||
    gone.some((node) => has(node, "[hx-trigger]"));
  if (isMore) {
    pieces.push({ target: old, now });
    return true;
  }
  if (other.length) changes.push(() => other.forEach((name) => setAttribute(old, name, now.getAttribute(name))));
  if (gone.length || come.length) {
    changes.push(() => {
      const next = before[head + gone.length] ?? null;
      for (const node of gone) node.remove();
      for (const node of come) {
        old.insertBefore(node, next);
        if (has(node, WIRED)) htmx.process(node);
      }
    });
  }
  const pairs = [...before.slice(0, head).keys()].map((at) => [before[at], after[at]]);
  for (let at = tail; at > 0; at -= 1) pairs.push([before.at(-at), after.at(-at)]);
  return pairs.every(([one, another]) => compare(root, one, another, changes, pieces));
}

function setAttribute(element, name, value) {
  if (value === null) return element.removeAttribute(name);
  element.setAttribute(name, value);
  if (name === "value" && element instanceof HTMLInputElement && element !== document.activeElement) element.value = value;
}

// After every other listener, since those look at all that has come and put the hand in order.

window.addEventListener("htmx:before:swap", (event) => {
  const { tasks } = event.detail;
  for (const task of tasks.splice(0)) {
    const [now, ...more] = task.fragment.children;
    const [changes, pieces] = [[], []];
    const mayBe = task.swapSpec.style === "outerMorph" && now && !more.length && task.target?.id === now.id;
    if (mayBe && isAlike(task.target, now) && compare(task.target, task.target, now, changes, pieces)) {
      for (const change of changes) change();
      for (const { target, now: piece } of pieces) {
        const fragment = new DocumentFragment();
        fragment.append(piece);
        tasks.push({ ...task, target, fragment });
      }
    } else tasks.push(task);
  }
});

// --- The browser's tab says when it is your turn; countdowns count; forms learn the time zone.

let countdowns = []; // each: its element, when it ends, and what its page said
const zoned = new WeakSet();

function dress() {
  const table = live();
  if (table) {
    for (const name of ["title", "version", "myTurn"]) {
      const told = poll()?.dataset[name]; // where only parts of the page came, the poll tells of the whole
      if (told !== undefined && told !== table.dataset[name]) table.dataset[name] = told;
    }
    if (document.title !== table.dataset.title) document.title = table.dataset.title;
    const icon = document.getElementById("favicon");
    const wanted = table.dataset.myTurn === "true" ? icon.dataset.turn : icon.dataset.calm;
    if (icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
    const page = table.dataset.version;
    countdowns = [...table.querySelectorAll("[data-countdown]")].map((element) => {
      const said = `${page}/${element.dataset.countdown}`;
      const known = countdowns.find((one) => one.element === element && one.said === said);
      return known ?? { element, said, end: Date.now() + 1000 * Number(element.dataset.countdown) };
    });
    count();
  }
  for (const field of document.querySelectorAll("input[data-zone]")) {
    if (!zoned.has(field)) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || field.value;
    zoned.add(field);
  }
}

const days = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "day", unitDisplay: "long" });

function face(seconds, hours) {
  if (seconds >= 172_800) return days.format(Math.floor(seconds / 86_400));
  if (seconds >= 7_200) return hours.replace("#", Math.floor(seconds / 3_600));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function count() {
  for (const { element, end } of countdowns) {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    const text = element.dataset.face ? face(seconds, element.dataset.hours) : String(seconds);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("late", seconds <= 10);
  }
}

setInterval(count, 250);

// --- Copying a link: the clipboard where the browser allows it, else the text is selected for the person to copy.

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  } catch {
    button.textContent = button.dataset.selected;
  }
});

// --- Replays: arrow keys go back and forward, and the list of moves shows the one on the table.

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const way = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!way) return;
  event.preventDefault();
  way.click();
});

const shown = document.querySelector("#moves [aria-current]");
if (shown) shown.closest("#moves").scrollTop = shown.offsetTop - 80;

// --- A sheet over the table goes with a tap beside it, and with Escape.

function putSheetAway(event) {
  const sheet = document.querySelector(".felt > .side > details[open]");
  if (!sheet || getComputedStyle(sheet).position !== "fixed" || (event.type === "click" && sheet.contains(event.target))) return;
  event.preventDefault();
  event.stopPropagation();
  sheet.open = false;
  sheet.querySelector("summary").focus({ preventScroll: true });
}
document.addEventListener("click", putSheetAway, true);
document.addEventListener("keydown", (event) => event.key === "Escape" && putSheetAway(event));

// --- What a panel's own script does it is asked for when the panel is opened for the first time.

document.addEventListener("toggle", ({ target }) => target.dataset.script && import(target.dataset.script), true);

// --- What is needed neither to see nor to play comes when the page is there.

window.addEventListener("load", () => {
  for (const { dataset } of document.querySelectorAll("[data-later]")) import(dataset.later);
});

dress();
