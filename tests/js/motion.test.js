import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, pass, run, set, show } from "./page.js";

const PAGE = '<main id="live"></main><i id="player-2"></i><i id="player-3"></i>'; // two others; one's own seat is 1

/** A look at a table: how many cards each place has, and which of them are seen where. */
function table(counts, faces = {}, more = {}) {
  const cards = new Map();
  for (const [place, seen] of Object.entries(faces)) {
    for (const face of seen.split(" ")) cards.set(face, [...(cards.get(face) ?? []), { place, face }]);
  }
  const places = new Map([...Object.keys(counts), ...Object.keys(faces)].map((place) => [place, { count: counts[place] }]));
  return { stage: "at-playing", places, cards, ...more };
}

/** What moved, as: kind, from, to, how many, which of them are seen. */
async function told(was, now) {
  show(PAGE);
  const { moved } = await run("motion/moves.js");
  return moved(was, now).map(({ kind, from, to, moves }) => {
    const seen = moves.map(({ start, end }) => (start ?? end)?.face).filter(Boolean);
    return [kind, from, to, moves.length, ...(seen.length ? [seen.join(" ")] : [])];
  });
}

const PILES = { "draw-pile": 30, "discard-pile": 1 };

test("nothing moves where nothing changes", async () => {
  const same = () => table({ ...PILES, "player-2": 5 }, { hand: "7H 8H", "discard-pile": "2S" });
  assert.deepEqual(await told(same(), same()), []);
});

test("a card of one's own goes onto the discards", async () => {
  const was = table({ ...PILES, "player-2": 5 }, { hand: "7H 8H", "discard-pile": "2S" });
  const now = table({ ...PILES, "discard-pile": 2, "player-2": 5 }, { hand: "8H", "discard-pile": "7H" });
  assert.deepEqual(await told(was, now), [["play", "hand", "discard-pile", 1, "7H"]]);
});

test("a card of another comes from where he sits, and shows what it is", async () => {
  const was = table({ ...PILES, "player-2": 5, "player-3": 5 }, { hand: "8H", "discard-pile": "2S" }, { turn: "player-2" });
  const now = table({ ...PILES, "discard-pile": 2, "player-2": 4, "player-3": 5 }, { hand: "8H", "discard-pile": "7H" });
  assert.deepEqual(await told(was, now), [["play", "player-2", "discard-pile", 1, "7H"]]);
});

test("a drawn card is seen by who draws it, and by nobody else", async () => {
  const was = table({ ...PILES, "player-2": 5 }, { hand: "8H" });
  assert.deepEqual(await told(was, table({ ...PILES, "draw-pile": 29, "player-2": 5 }, { hand: "8H 9C" })), [["draw", "draw-pile", "hand", 1, "9C"]]);
  assert.deepEqual(await told(was, table({ ...PILES, "draw-pile": 29, "player-2": 6 }, { hand: "8H" })), [["draw", "draw-pile", "player-2", 1]]);
});

test("what is drawn and played at once goes by way of who did so", async () => {
  const was = table({ ...PILES, "player-2": 5 }, { hand: "8H", "discard-pile": "2S" }, { turn: "player-2" });
  const now = table({ "draw-pile": 29, "discard-pile": 2, "player-2": 5 }, { hand: "8H", "discard-pile": "7H" });
  assert.deepEqual(await told(was, now), [["play", "player-2", "discard-pile", 1, "7H"], ["draw", "draw-pile", "player-2", 1]]);
});

test("a card that is taken from a player is stolen", async () => {
  const was = table({ ...PILES, "player-2": 5, "player-3": 5 }, { hand: "8H" });
  assert.deepEqual(await told(was, table({ ...PILES, "player-2": 4, "player-3": 6 }, { hand: "8H" })), [["steal", "player-2", "player-3", 1]]);
});

test("a new round is dealt to all, and a card is turned up first", async () => {
  const was = table({}, {}, { stage: "at-scores" });
  const now = table({ "draw-pile": 20, "discard-pile": 1, "player-2": 3, "player-3": 3 }, { hand: "8H 9C 2D", "discard-pile": "2S" }, { turned: "discard-pile" });
  assert.deepEqual(await told(was, now), [
    ["deal", "draw-pile", "discard-pile", 1, "2S"],
    ["deal", "draw-pile", "hand", 3, "8H 9C 2D"],
    ["deal", "draw-pile", "player-2", 3],
    ["deal", "draw-pile", "player-3", 3],
  ]);
});

test("who takes a discard and draws besides has bought it", async () => {
  const was = table({ ...PILES, "player-2": 5 }, { hand: "8H", "discard-pile": "2S" });
  const now = table({ "draw-pile": 29, "discard-pile": 0, "player-2": 5 }, { hand: "8H 2S 9C" });
  assert.deepEqual(await told(was, now), [["buy", "discard-pile", "hand", 1, "2S"], ["draw", "draw-pile", "hand", 1, "9C"]]);
});

test("what lay open before players is swept onto the discards", async () => {
  const was = table({ ...PILES }, { "row-2": "4S", "row-3": "5S", hand: "8H" });
  const now = table({ "draw-pile": 30, "discard-pile": 3 }, { "discard-pile": "4S 5S", hand: "8H" });
  const groups = await told(was, now);
  assert.deepEqual(groups.map(([kind, from]) => [kind, from]), [["sweep", "row-2"], ["sweep", "row-3"]]);
});

test("cards of several players onto the discards are swept there, the first of whose turn it was", async () => {
  const was = table({ ...PILES, "player-2": 5, "player-3": 5 }, { hand: "8H" }, { turn: "player-3" });
  const now = table({ "draw-pile": 30, "discard-pile": 3, "player-2": 4, "player-3": 4 }, { hand: "8H", "discard-pile": "7H 9H" });
  assert.deepEqual(await told(was, now), [["sweep", "player-3", "discard-pile", 1, "7H"], ["sweep", "player-2", "discard-pile", 1, "9H"]]);
});

const many = (kind, from, to, count, seen = 0) => ({
  kind,
  from,
  to,
  moves: Array.from({ length: count }, (_, at) => ({ from, to, number: at, ...(at < seen ? { end: {} } : {}) })),
});

test("not more than twenty are in the air, one of each group at least, the seen before the others", async () => {
  show(PAGE);
  const { bundled } = await run("motion/flights.js");
  const few = bundled([many("draw", "draw-pile", "hand", 2), many("play", "hand", "discard-pile", 1)]);
  assert.equal(few.length, 3);
  const shown = bundled([many("deal", "draw-pile", "player-2", 15), many("deal", "draw-pile", "player-3", 15), many("deal", "draw-pile", "hand", 15, 15)]);
  assert.equal(shown.length, 20);
  assert.equal(shown.filter(({ to }) => to === "hand").length, 15);
  assert.deepEqual(["player-2", "player-3"].map((place) => shown.filter(({ to }) => to === place).length).sort(), [2, 3]);
});

test("a deal goes round", async () => {
  show(PAGE);
  const { bundled } = await run("motion/flights.js");
  const shown = bundled([many("deal", "draw-pile", "player-2", 2), many("deal", "draw-pile", "hand", 2, 2)]);
  assert.deepEqual(shown.map(({ to, number }) => [number, to]), [[0, "player-2"], [0, "hand"], [1, "player-2"], [1, "hand"]]);
});

test("what comes to lie on top of a pile lands last", async () => {
  show(PAGE);
  const { bundled } = await run("motion/flights.js");
  const shown = bundled([many("sweep", "player-2", "discard-pile", 3, 1)]);
  assert.deepEqual(shown.map(({ number }) => number), [1, 2, 0]);
});

test("a look at the table sees places, how many lie there, and every face", async () => {
  const page = show(`
    <main id="live" class="at-playing" data-version="4">
      <ol data-place="hand"><li id="card-7H"></li><li id="card-8H"></li></ol>
      <div data-place="player-2" class="turn"><b class="backs"><i></i><i></i><i></i></b></div>
      <div data-place="player-3"><b class="backs" data-cards="12"><i></i></b></div>
      <div data-place="draw-pile" data-cards="30"></div>
      <div data-place="discard-pile" data-turned="discard-pile"><i id="card-2S" class="card"></i></div>
      <div data-place="row-2"><div data-place="safe-2"><i id="card-7H-2"></i></div></div>
    </main>`);
  const { look } = await run("motion/look.js");
  const seen = look();
  assert.deepEqual([seen.stage, seen.version, seen.turn, seen.turned], ["at-playing", "4", "player-2", "discard-pile"]);
  const counts = Object.fromEntries([...seen.places].map(([place, { count }]) => [place, count]));
  assert.deepEqual(counts, { hand: undefined, "player-2": 3, "player-3": 12, "draw-pile": 30, "discard-pile": undefined, "row-2": undefined, "safe-2": undefined });
  const lie = Object.fromEntries([...seen.cards].map(([face, cards]) => [face, cards.map(({ place }) => place).join(" ")]));
  assert.deepEqual(lie, { "7H": "hand safe-2", "8H": "hand", "2S": "discard-pile" });
  assert.equal(seen.places.get("discard-pile").top.id, "card-2S");
  assert.equal(seen.places.get("hand").top, null);
  page.getElementById("live").remove();
  assert.equal(look(), null);
});

const FELT = '<section class="felt"></section>';
const PLAYED = `<main id="live" class="at-playing" data-version="4">${FELT}</main>`;

/** A table whose round is over, and what is told of that. */
async function over({ reduced = false, motion = "usual", felt = FELT } = {}) {
  const page = await open("motion.js", PLAYED, { before: (window) => {
    set("matchMedia", () => ({ matches: reduced }));
    window.document.documentElement.dataset.motion = motion;
    window.Element.prototype.animate = () => ({ finished: new Promise(() => {}), cancel() {}, finish() {} });
  } });
  const told = [];
  page.addEventListener("snug:ended", () => told.push(page.body.className));
  happens(page, "htmx:before:swap", { tasks: [] });
  const live = page.getElementById("live");
  Object.assign(live, { className: "at-scores", innerHTML: `${felt}<div class="page"></div>` });
  happens(page, "htmx:after:swap");
  return { page, told };
}

test("a round ends before one's eyes: the table stays a while, then the scores rise over it", async () => {
  const { page, told } = await over();
  assert.equal(page.body.className, "ending");
  await pass(1_799);
  assert.deepEqual(told, []);
  await pass(1);
  assert.deepEqual(told, ["rising"]);
});

test("what was left flies into the points once the scores have come, chip by chip", async () => {
  const left = '<div data-place="player-2"><span class="turned"><b class="chip">5</b><b class="chip">K</b></span></div>';
  const { page } = await over({ felt: `${FELT}${left}<p id="standing-2"><b class="total">15</b></p>` });
  window.Element.prototype.getAnimations = () => [{ finished: Promise.resolve() }];
  window.Element.prototype.getBoundingClientRect = () => ({ left: 0, top: 0, right: 9, bottom: 9, width: 9, height: 9, x: 0, y: 0 });
  await pass(1_800);
  assert.equal(page.getElementById("flights").textContent, "5K");
});

test("a tap or a key has the scores at once", async () => {
  const { page, told } = await over();
  page.body.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Tab", bubbles: true }));
  assert.deepEqual(told, []);
  page.body.click();
  assert.deepEqual(told, ["rising"]);
  await pass(10_000);
  assert.deepEqual(told, ["rising"]);
});

test("whoever wants no motion sees the scores at once, and so does who sees no table", async () => {
  for (const wish of [{ reduced: true }, { motion: "less" }, { felt: "" }]) assert.deepEqual((await over(wish)).told, [""]);
});

const PILE = '<main id="live" class="at-playing" data-version="4"><div id="board" data-place="discard-pile"><i id="card-2S"></i></div></main>';

test("what is to change is kept as it looked, what has come is looked at where it is", async () => {
  const page = show(PILE);
  const { look } = await run("motion/look.js");
  const card = page.getElementById("card-2S");
  assert.equal(look().places.get("discard-pile").top, card);
  assert.notEqual(look(true).places.get("discard-pile").top, card);
});

test("a page on which nobody has moved is not measured again", async () => {
  const page = await open("motion.js", PILE);
  const measured = mock.method(window.Element.prototype, "getBoundingClientRect");
  happens(page, "htmx:before:swap", { tasks: [] });
  const before = measured.mock.callCount();
  happens(page, "htmx:after:swap");
  assert.equal(measured.mock.callCount(), before);
  happens(page, "htmx:before:swap", { tasks: [] });
  page.getElementById("live").dataset.version = "5";
  happens(page, "htmx:after:swap");
  assert.ok(measured.mock.callCount() > 2 * before);
});

test("whoever comes to a table at which nobody has moved sees the deal, and who comes back does not", async () => {
  const dealt = '<main id="live" class="at-playing" data-version="4"><p id="bar" class="dealt"></p><div id="hand" data-place="hand"><i id="card-2S"></i></div><div data-place="draw-pile" data-cards="30"></div></main>';
  for (const [type, from, times] of [["navigate", "https://snug.example/", 1], ["reload", "https://snug.example/", 0], ["navigate", "https://else.example/", 0]]) {
    const told = mock.fn();
    mock.method(performance, "getEntriesByType", () => [{ type }]);
    await open("motion.js", dealt, { before: (window) => {
      Object.defineProperty(window.document, "referrer", { value: from });
      window.document.addEventListener("snug:moved", told);
    } });
    assert.equal(told.mock.callCount(), times, `${type} ${from}`);
  }
});
