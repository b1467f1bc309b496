// What is heard and felt at a table, for those who want it: short sounds, a buzz on one's turn; and a screen that stays
// awake while it is one's turn. The speaker says whether there is sound; this browser remembers it.

const SOUNDS = ["win", "stolen", "last-card", "offer", "turn", "shuffle", "card"]; // of several at once the first is heard
const BUZZ = [80, 60, 80]; // ms

const live = () => document.getElementById("live");
const folder = document.getElementById("notices-script").dataset;
/** @type {(name: string) => string | null} */
const stored = (name) => localStorage.getItem(`on:${name}`);
const isOn = () => stored("sound") === "true";
const mayVibrate = () => (stored("vibrate") ?? stored("sound")) === "true";

// --- Sounds: fetched when somebody may hear them. Browsers let a page sound only after somebody touched it.

/** @type {AudioContext | null} */
let audio = null;
/** @type {Record<string, Promise<AudioBuffer | null>> | null} */
let sounds = null; // the promise of each, by name

/** @type {(name: string, context: AudioContext) => Promise<AudioBuffer>} */
async function load(name, context) {
  const answer = await fetch(folder[`sound${name.replace(/(^|-)(.)/g, (_, _dash, letter) => letter.toUpperCase())}`]);
  return context.decodeAudioData(await answer.arrayBuffer());
}

function wake() {
  if (!isOn()) return;
  const context = (audio ??= new AudioContext());
  if (context.state === "suspended") context.resume();
  sounds ??= Object.fromEntries(SOUNDS.map((name) => [name, load(name, context).catch(() => null)]));
}
for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, wake);

/** @type {(name: string) => Promise<void>} */
async function play(name) {
  const buffer = isOn() && sounds && (await sounds[name]);
  if (!buffer || audio?.state !== "running") return;
  const source = new AudioBufferSourceNode(audio, { buffer });
  source.connect(audio.destination);
  source.start();
}

// --- What happens in one go sounds once, by what matters most.

const due = new Set();

/** @type {(name: string) => void} */
function sound(name) {
  if (!due.size) setTimeout(playFirst);
  due.add(name);
}

function playFirst() {
  const first = SOUNDS.find((one) => due.has(one));
  due.clear();
  if (first) play(first);
}

const MINE = /^(hand|mine-)/;
/** @type {(place: string) => boolean} */
const isMine = (place) => MINE.test(place) || Boolean(document.querySelector(`#mine [data-place="${CSS.escape(place)}"]`));

document.addEventListener("snug:moved", ({ detail }) => {
  for (const { kind, from } of detail.moves) {
    if (kind === "deal" || kind === "sweep") sound("shuffle");
    else sound(kind === "steal" && isMine(from) ? "stolen" : "card");
  }
  if (detail.isLastCard) sound("last-card");
});
document.addEventListener("snug:ended", ({ detail }) => detail.isWon && sound("win"));

document.addEventListener("snug:called", () => {
  sound("turn");
  buzz();
});

// --- One's turn.

function buzz() {
  if (mayVibrate() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ);
}

let wasMyTurn = live()?.dataset.myTurn === "true";

function look() {
  const isMyTurn = live()?.dataset.myTurn === "true";
  if (isMyTurn && !wasMyTurn) {
    sound(live()?.querySelector("[data-offer]") ? "offer" : "turn");
    buzz();
  }
  wasMyTurn = isMyTurn;
  stayAwake();
  showSpeaker();
}

/** @type {WakeLockSentinel | null} */
let lock = null;
let isAsked = false;

async function stayAwake() {
  const isWanted = wasMyTurn && !document.hidden;
  if (isAsked || !navigator.wakeLock || isWanted === Boolean(lock && !lock.released)) return;
  isAsked = true;
  try {
    if (isWanted) lock = await navigator.wakeLock.request("screen");
    else await lock?.release();
  } catch {
    lock = null; // as when the battery is low: the screen may sleep then
  }
  isAsked = false;
}
document.addEventListener("visibilitychange", stayAwake);

// --- The speaker.

function showSpeaker() {
  const speaker = document.getElementById("mute");
  if (speaker && speaker.getAttribute("aria-pressed") !== String(isOn())) speaker.setAttribute("aria-pressed", String(isOn()));
  const vibrate = document.getElementById("switch-vibrate");
  if (vibrate) vibrate.checked = mayVibrate();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#mute")) return;
  localStorage.setItem("on:sound", String(!isOn()));
  wake();
  showSpeaker();
  if (isOn()) audio?.resume().then(() => play("turn")); // so that one hears what one has chosen
});
document.addEventListener("htmx:after:swap", look);

look();
