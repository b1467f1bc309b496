import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, pass, run, show } from "./page.js";

const NAMES = ["win", "stolen", "last-card", "offer", "turn", "shuffle", "card"];
const PAGE = `
  <script id="notices-script" ${NAMES.map((name) => `data-sound-${name}="/sounds/${name}.wav"`).join(" ")}></script>
  <main id="live" data-my-turn="false"><div id="mine"><i data-place="safe-1"></i></div></main>
  <button id="mute"></button><input type="checkbox" id="switch-vibrate">`;

/** A page that somebody has touched, and what is heard there. */
async function opened({ on = true, vibrate } = {}) {
  const heard = [];
  const page = show(PAGE);
  localStorage.setItem("on:sound", String(on));
  if (vibrate !== undefined) localStorage.setItem("on:vibrate", String(vibrate));
  fetch.mock.mockImplementation(async (address) => ({ arrayBuffer: async () => address }));
  globalThis.AudioContext = class {
    state = "running";
    decodeAudioData = async (address) => address;
    resume = async () => {};
  };
  globalThis.AudioBufferSourceNode = class {
    constructor(_audio, { buffer }) {
      this.start = () => heard.push(buffer.replace(/.*\/(.*)\.wav/, "$1"));
    }
    connect() {}
  };
  Object.assign(navigator, { vibrate: mock.fn(), userActivation: { hasBeenActive: true } });
  await run("sound.js");
  happens(page, "pointerdown");
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
