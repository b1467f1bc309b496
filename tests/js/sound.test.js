import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, pass, quiet, run, show } from "./page.js";

const NAMES = ["win", "stolen", "last-card", "offer", "turn", "shuffle", "card"];
const PAGE = `
  <script id="notices-script" ${NAMES.map((name) => `data-sound-${name}="/sounds/${name}.wav"`).join(" ")}></script>
  <main id="live" data-my-turn="false"><div id="mine"><i data-place="safe-1"></i></div></main>
  <button id="mute"></button><input type="checkbox" id="switch-vibrate">`;

let wakings = 0; // how often what sounds was woken

/** A page that somebody has touched, and what is heard there. */
async function opened({ on = true, vibrate, touched = true, state = "running", wakeLock } = {}) {
  const heard = [];
  const page = show(PAGE);
  wakings = 0;
  localStorage.setItem("on:sound", String(on));
  if (vibrate !== undefined) localStorage.setItem("on:vibrate", String(vibrate));
  fetch.mock.mockImplementation(async (address) => ({ arrayBuffer: async () => address }));
  globalThis.AudioContext = class {
    state = state;
    decodeAudioData = async (address) => address;
    resume = async () => {
      this.state = "running";
      wakings += 1;
    };
  };
  globalThis.AudioBufferSourceNode = class {
    constructor(_audio, { buffer }) {
      this.start = () => heard.push(buffer.replace(/.*\/(.*)\.wav/, "$1"));
    }
    connect() {}
  };
  if (wakeLock) Object.assign(navigator, { wakeLock });
  Object.assign(navigator, { vibrate: mock.fn(), userActivation: { hasBeenActive: touched } });
  await run("sound.js");
  if (touched) happens(page, "pointerdown");
  await pass(1);
  return { page, heard };
}

const moved = (page, moves, isLastCard = false) => happens(page, "snug:moved", { moves, isLastCard });

test("each thing has its sound", async () => {
  for (const [move, name] of [
    [{ kind: "play", from: "hand" }, "card"],
    [{ kind: "draw", from: "draw-pile" }, "card"],
    [{ kind: "deal", from: "draw-pile" }, "shuffle"],
    [{ kind: "sweep", from: "row-2" }, "shuffle"],
    [{ kind: "steal", from: "hand" }, "stolen"],
    [{ kind: "steal", from: "mine-2" }, "stolen"],
    [{ kind: "steal", from: "safe-1" }, "stolen"],
    [{ kind: "steal", from: "player-2" }, "card"],
    [{ kind: "steal", from: "safe-2" }, "card"],
  ]) {
    const { page, heard } = await opened();
    moved(page, [move]);
    await pass(1);
    assert.deepEqual(heard, [name], JSON.stringify(move));
  }
});

test("what happens in one go sounds once, by what matters most", async () => {
  const { page, heard } = await opened();
  moved(page, [{ kind: "play", from: "hand" }, { kind: "deal", from: "draw-pile" }], true);
  happens(page, "snug:called");
  await pass(1);
  assert.deepEqual(heard, ["last-card"]);
  happens(page, "snug:ended", { isWon: true });
  moved(page, [{ kind: "steal", from: "hand" }]);
  await pass(1);
  assert.deepEqual(heard, ["last-card", "win"]);
  moved(page, [{ kind: "play", from: "hand" }]);
  await pass(1);
  assert.deepEqual(heard, ["last-card", "win", "card"]);
});

test("who has not won hears nothing of it", async () => {
  const { page, heard } = await opened();
  happens(page, "snug:ended", { isWon: false });
  await pass(1);
  assert.deepEqual(heard, []);
});

test("one's turn is heard and felt once, and an offer as such", async () => {
  const { page, heard } = await opened();
  const live = page.getElementById("live");
  const swap = async (isMyTurn) => {
    live.dataset.myTurn = String(isMyTurn);
    happens(page, "htmx:after:swap", {});
    await pass(1);
  };
  await swap(true);
  await swap(true);
  assert.deepEqual(heard, ["turn"]);
  assert.equal(navigator.vibrate.mock.callCount(), 1);
  await swap(false);
  live.insertAdjacentHTML("beforeend", "<b data-offer></b>");
  await swap(true);
  assert.deepEqual(heard, ["turn", "offer"]);
});

test("who wants no sound hears none and loads none, and may still feel it", async () => {
  const { page, heard } = await opened({ on: false, vibrate: true });
  moved(page, [{ kind: "play", from: "hand" }]);
  happens(page, "snug:called");
  await pass(1);
  assert.deepEqual(heard, []);
  assert.equal(fetch.mock.callCount(), 0);
  assert.equal(navigator.vibrate.mock.callCount(), 1);
});

test("the speaker says whether there is sound, and lets one hear what one has chosen", async () => {
  const { page, heard } = await opened({ on: false });
  const speaker = page.getElementById("mute");
  assert.equal(speaker.getAttribute("aria-pressed"), "false");
  speaker.click();
  await pass(1);
  assert.deepEqual([speaker.getAttribute("aria-pressed"), localStorage.getItem("on:sound"), heard], ["true", "true", ["turn"]]);
  speaker.click();
  await pass(1);
  assert.deepEqual([speaker.getAttribute("aria-pressed"), heard], ["false", ["turn"]]);
});

async function turn(page, isMine) {
  page.getElementById("live").dataset.myTurn = String(isMine);
  happens(page, "htmx:after:swap", {});
  await pass(1);
}

test("nothing sounds or buzzes on a page that nobody has touched", async () => {
  const { page, heard } = await opened({ touched: false });
  await turn(page, true);
  assert.deepEqual(heard, []);
  assert.equal(navigator.vibrate.mock.callCount(), 0);
});

test("sounds are fetched once, and one that sleeps is woken", async () => {
  const { page, heard } = await opened({ state: "suspended" });
  assert.equal(fetch.mock.callCount(), NAMES.length);
  assert.equal(wakings, 1);
  happens(page, "keydown");
  await pass(1);
  assert.deepEqual([fetch.mock.callCount(), wakings], [NAMES.length, 1]);
  moved(page, [{ kind: "play", from: "hand" }]);
  await pass(1);
  assert.deepEqual(heard, ["card"]);
});

test("the screen stays awake while it is my turn and somebody looks", async () => {
  const locks = [];
  const wakeLock = { request: mock.fn(async (what) => {
    locks.push({ what, released: false, release: async function () { this.released = true; } });
    return locks.at(-1);
  }) };
  const { page } = await opened({ on: false, wakeLock });
  assert.equal(locks.length, 0);
  await turn(page, true);
  assert.deepEqual(locks.map(({ what, released }) => [what, released]), [["screen", false]]);
  await turn(page, true);
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
  await turn(page, true);
  await turn(page, false);
  assert.equal(wakeLock.request.mock.callCount(), 3);
});
