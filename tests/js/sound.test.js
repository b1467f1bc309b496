import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, pass, quiet, set } from "./page.js";

const FOLDER = ["win", "stolen", "lastCard", "offer", "turn", "shuffle", "card"].map((name) => `data-sound-${name.replace("C", "-c")}="/${name}.ogg"`).join(" ");
const TABLE = `<script id="notices-script" type="application/json" ${FOLDER}></script><main id="live" data-my-turn="false">
  <section id="mine"><i data-place="stack-1"></i></section></main><button id="mute" aria-pressed="false"></button><input type="checkbox" id="switch-vibrate">`;
let heard = [];

class Audio {
  constructor() {
    Object.assign(this, { state: "suspended", destination: {}, resume: mock.fn(async () => { this.state = "running"; }) });
    Audio.last = this;
  }
  decodeAudioData(data) { return data; }
}
class Source {
  constructor(audio, { buffer }) { Object.assign(this, { buffer }); }
  connect() {}
  start() { heard.push(this.buffer); }
}

/** A table whose page sounds after a touch, if this browser wants it to. */
async function table(kept = { "on:sound": "true" }, { touched = true, more = {} } = {}) {
  heard = [];
  const page = await open("sound.js", TABLE, { before: (window) => {
    for (const [name, value] of Object.entries(kept)) window.localStorage.setItem(name, value);
    set("AudioContext", Audio);
    set("AudioBufferSourceNode", Source);
    globalThis.fetch = mock.fn(async (url) => ({ arrayBuffer: async () => url }));
    set("navigator", { vibrate: mock.fn(), userActivation: { hasBeenActive: true }, ...more });
  } });
  if (touched) happens(page, "pointerdown");
  await quiet();
  return page;
}

async function moved(page, moves, more = {}) {
  happens(page, "snug:moved", { moves, ...more });
  await pass(1);
  return heard.splice(0);
}

async function turn(page, isMine = true) {
  page.getElementById("live").dataset.myTurn = String(isMine);
  happens(page, "htmx:after:swap");
  await pass(1);
  return heard.splice(0);
}

test("what happens in one go sounds once, by what matters most", async () => {
  const page = await table();
  assert.deepEqual(await moved(page, [{ kind: "play", from: "hand" }]), ["/card.ogg"]);
  assert.deepEqual(await moved(page, [{ kind: "play", from: "hand" }, { kind: "deal", from: "stock" }]), ["/shuffle.ogg"]);
  assert.deepEqual(await moved(page, [{ kind: "sweep", from: "pile" }]), ["/shuffle.ogg"]);
  assert.deepEqual(await moved(page, [{ kind: "play", from: "hand" }], { isLastCard: true }), ["/lastCard.ogg"]);
  assert.deepEqual(await moved(page, []), []);
});

test("what is stolen from me sounds otherwise than what is stolen from others", async () => {
  const page = await table();
  for (const from of ["hand", "mine-3", "stack-1"]) assert.deepEqual(await moved(page, [{ kind: "steal", from }]), ["/stolen.ogg"], from);
  assert.deepEqual(await moved(page, [{ kind: "steal", from: "seat-2" }]), ["/card.ogg"]);
});

test("a win, a call and my turn are heard, and felt by whoever wants it", async () => {
  const page = await table({ "on:sound": "true" });
  happens(page, "snug:ended", { isWon: false });
  await pass(1);
  assert.deepEqual(heard.splice(0), []);
  happens(page, "snug:ended", { isWon: true });
  await pass(1);
  assert.deepEqual(heard.splice(0), ["/win.ogg"]);
  happens(page, "snug:called", {});
  await pass(1);
  assert.deepEqual(heard.splice(0), ["/turn.ogg"]);
  assert.deepEqual(navigator.vibrate.mock.calls.map((call) => call.arguments), [[[80, 60, 80]]]);
  assert.deepEqual(await turn(page), ["/turn.ogg"]);
  assert.deepEqual(await turn(page), [], "once");
  await turn(page, false);
  page.getElementById("mine").innerHTML = "<b data-offer></b>";
  assert.deepEqual(await turn(page), ["/offer.ogg"]);
  assert.equal(navigator.vibrate.mock.callCount(), 3);
});

test("whoever wants no sound hears none and fetches none, and may want to feel it all the same", async () => {
  const page = await table({ "on:vibrate": "true" });
  assert.deepEqual(await turn(page), []);
  assert.equal(fetch.mock.callCount(), 0);
  assert.equal(navigator.vibrate.mock.callCount(), 1);
  assert.ok(page.getElementById("switch-vibrate").checked);
  const still = await table({ "on:sound": "true", "on:vibrate": "false" });
  await turn(still);
  assert.equal(navigator.vibrate.mock.callCount(), 0);
});

test("nothing sounds or buzzes on a page that nobody has touched", async () => {
  const page = await table({ "on:sound": "true" }, { touched: false, more: { userActivation: { hasBeenActive: false } } });
  assert.deepEqual(await turn(page), []);
  assert.equal(navigator.vibrate.mock.callCount(), 0);
});

test("sounds are fetched once, and a context that sleeps is woken", async () => {
  const page = await table();
  assert.equal(fetch.mock.callCount(), 7);
  assert.equal(Audio.last.resume.mock.callCount(), 1);
  const first = Audio.last;
  happens(page, "keydown");
  await quiet();
  assert.equal(Audio.last, first);
  assert.equal(first.resume.mock.callCount(), 1);
  assert.equal(fetch.mock.callCount(), 7);
});

test("the speaker turns sound on and off, and one hears what one has chosen", async () => {
  const page = await table({});
  const speaker = page.getElementById("mute");
  speaker.click();
  await quiet();
  assert.equal(localStorage.getItem("on:sound"), "true");
  assert.equal(speaker.getAttribute("aria-pressed"), "true");
  assert.deepEqual(heard.splice(0), ["/turn.ogg"]);
  speaker.click();
  await quiet();
  assert.equal(localStorage.getItem("on:sound"), "false");
  assert.equal(speaker.getAttribute("aria-pressed"), "false");
  assert.deepEqual(heard, []);
  page.getElementById("live").click();
  assert.equal(localStorage.getItem("on:sound"), "false");
});

test("the screen stays awake while it is my turn and somebody looks", async () => {
  const locks = [];
  const wakeLock = { request: mock.fn(async (what) => {
    locks.push({ what, released: false, release: async function () { this.released = true; } });
    return locks.at(-1);
  }) };
  const page = await table({}, { more: { wakeLock } });
  assert.equal(locks.length, 0);
  await turn(page);
  assert.deepEqual(locks.map(({ what, released }) => [what, released]), [["screen", false]]);
  await turn(page);
  assert.equal(locks.length, 1);
  Object.defineProperty(page, "hidden", { value: true, configurable: true });
  happens(page, "visibilitychange");
  await quiet();
  assert.ok(locks[0].released);
  Object.defineProperty(page, "hidden", { value: false, configurable: true });
  happens(page, "visibilitychange");
  await quiet();
  assert.equal(locks.length, 2);
  await turn(page, false);
  assert.ok(locks[1].released);
  wakeLock.request.mock.mockImplementation(async () => { throw new Error("the battery is low"); });
  await turn(page);
  await turn(page, false);
  assert.equal(wakeLock.request.mock.callCount(), 3);
});
