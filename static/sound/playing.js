// Short sounds, fetched when somebody may hear them: browsers let a page sound only after somebody touched it. What happens
// in one go sounds once, by what matters most.

import { isOn } from "./wishes.js";

const SOUNDS = ["win", "stolen", "last-card", "offer", "turn", "shuffle", "card"]; // of several at once the first is heard
const folder = document.getElementById("notices-script").dataset;

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

const due = new Set();

/** @type {(name: string) => void} */
export function sound(name) {
  if (!due.size) setTimeout(playFirst);
  due.add(name);
}

function playFirst() {
  const first = SOUNDS.find((one) => due.has(one));
  due.clear();
  if (first) play(first);
}

// What was chosen just now is heard at once.

/** @type {(name: string) => void} */
export function playNow(name) {
  wake();
  audio?.resume().then(() => play(name));
}
