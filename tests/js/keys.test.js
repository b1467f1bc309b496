import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open } from "./page.js";

const TABLE = `
<p id="told" data-nothing="Nothing." data-left="{seconds} left."></p><dialog id="keys"></dialog>
<main id="live" class="at-playing" data-version="1">
  <p id="say"><span class="line"><strong id="whose-turn">Your turn.</strong> <span>Ann drew.</span></span></p>
  <div id="clock"><p class="state mine">Your time <span id="left" data-countdown="32">0:32</span></p></div>
  <section id="mine"><span class="sorter"><button id="sort-suit"></button></span><ul id="hand"><li><button class="lay" id="wrong"></button></li><li><button class="lay now" id="right"></button></li></ul></section>
  <section id="board"></section>
  <div id="actions"><button id="pass"></button><button class="main" id="draw"></button></div>
  <details id="scores"><summary id="sum"></summary></details>
  <ul id="others"><li class="rival"><strong class="name"><button>Ann</button></strong><span class="backs" aria-hidden="true"></span><span class="left"><b>3</b> cards</span></li></ul>
  <ol id="log"><li>Ann drew.</li><li>Bob drew.</li></ol>
  <input id="words"><input id="pick" type="checkbox">
</main>`;

async function press(key, { at = "live", extra = {}, body = TABLE } = {}) {
  const page = await open("keys.js", body);
  const sheet = Object.assign(page.getElementById("keys"), { showModal: mock.fn() });
  const told = [];
  page.addEventListener("snug:tell", ({ detail }) => told.push(detail));
  page.getElementById(at).dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...extra }));
  return { page, sheet, focus: page.activeElement.id, told: told.join() };
}

test("letters lead to the hand, the acts, the table and the scores", async () => {
  for (const [key, id] of [["h", "right"], ["a", "draw"], ["t", "board"], ["s", "sum"], ["H", "right"]]) {
    assert.equal((await press(key)).focus, id, key);
  }
  assert.equal((await press("s")).page.getElementById("scores").open, true);
});

test("where no card can be played, h leads to the first of them and never to the sorter", async () => {
  assert.equal((await press("h", { body: TABLE.replace("lay now", "lay") })).focus, "wrong");
});

test("letters say what was last, the clock, and whose turn it is, without what is for the eye", async () => {
  assert.equal((await press("l")).told, "Ann drew.");
  assert.equal((await press("c")).told, "Your time 0:32");
  assert.equal((await press("r")).told, "Your turn. Ann drew.");
  assert.equal((await press("o")).told, "Ann, 3 cards");
  assert.equal((await press("l", { body: TABLE.replace(/<li>.*<\/li>/g, "") })).told, "Nothing.");
});

test("a, pressed again, goes on to the next thing to do, and from the last to the first", async () => {
  const page = await open("keys.js", TABLE);
  const press_a = () => page.activeElement.dispatchEvent(new window.KeyboardEvent("keydown", { key: "a", bubbles: true, cancelable: true }));
  const ways = Array.from({ length: 3 }, () => (press_a(), page.activeElement.id));
  assert.deepEqual(ways, ["draw", "pass", "draw"]);
});

test("with shift they go back: from the first act to the last, from a rank's first card to its last", async () => {
  const cards = ["7S", "7H", "7D"].map((code) => `<li><button class="lay now" value="${code}" id="c${code}"></button></li>`).join("");
  const page = await open("keys.js", TABLE.replace(/<ul id="hand">.*<\/ul>/, `<ul id="hand">${cards}</ul>`).replace('id="pass"', 'id="pass"></button><button id="take"'));
  const press = (key, extra) => (page.activeElement.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, ...extra })), page.activeElement.id);
  const shift = { shiftKey: true };
  assert.deepEqual([press("A", shift), press("A", shift), press("a"), press("a"), press("A", shift)], ["take", "pass", "take", "draw", "take"]);
  const seven = { shiftKey: true, code: "Digit7" };
  assert.deepEqual([press("&", seven), press("&", seven), press("7"), press("/", seven)], ["c7D", "c7H", "c7D", "c7H"]);
  assert.equal((press("a"), press("7", seven)), "c7S", "where figures take shift");
});

test("at the end, too, a leads to what goes on", async () => {
  const body = TABLE.replace("at-playing", "at-scores").replace('id="board">', 'id="board"><form data-mine><button class="main" id="ready"></button></form>').replace(/<div id="actions">.*<\/div>/, "");
  assert.deepEqual([(await press("a", { body })).focus, (await press("h", { body })).focus], ["ready", ""]);
});

test("a leads to the suits that may be chosen", async () => {
  const body = TABLE.replace("<ul id=\"hand\">", `<button class="button suit" id="hearts"></button><ul id="hand">`).replace(/<div id="actions">.*<\/div>/, `<div id="actions"></div>`);
  assert.equal((await press("a", { body })).focus, "hearts");
});

test("a figure, j, q and k lead to where a card of the rank may be put, then to those that may be played, before the others", async () => {
  const cards = `<li><button class="lay" value="7S" id="no"></button></li><li><button class="lay now" value="7H" id="one"></button></li><li><button class="lay now" value="10D" id="ten"></button></li><li><button class="lay" value="KD" id="king"></button></li>`;
  const body = TABLE.replace(/<ul id="hand">.*<\/ul>/, `<ul id="hand">${cards}</ul><form id="on"><button class="spot" id="lay-7C-3-here"></button></form>`);
  for (const [key, id] of [["7", "lay-7C-3-here"], ["0", "ten"], ["k", "king"], ["K", "king"], ["9", ""]]) assert.equal((await press(key, { body })).focus, id, key);
  const { page } = await press("7", { body });
  const again = () => (page.activeElement.dispatchEvent(new window.KeyboardEvent("keydown", { key: "7", bubbles: true })), page.activeElement.id);
  assert.deepEqual([again(), again()], ["one", "lay-7C-3-here"]);
  page.getElementById("one").focus();
  assert.equal(again(), "lay-7C-3-here", "anew, wherever one came from");
});

test("s says what counts already, where anything does", async () => {
  const body = TABLE.replace('id="board">', 'id="board"><div data-counts><i hidden>You</i><span class="left">safe 30</span></div>');
  assert.equal((await press("s", { body })).told, "You, safe 30, Ann, 3 cards");
  assert.equal((await press("s")).told, "");
});

test("a question mark opens the list", async () => {
  assert.equal((await press("?")).sheet.showModal.mock.callCount(), 1);
});

test("nothing is heard while somebody types, with other keys, in the list, after the game, or where Looks turned it off", async () => {
  assert.equal((await press("r", { at: "words" })).told, "");
  assert.equal((await press("r", { at: "pick" })).told, "Your turn. Ann drew.");
  assert.equal((await press("r", { extra: { ctrlKey: true } })).told, "");
  assert.equal((await press("r", { extra: { repeat: true } })).told, "");
  assert.equal((await press("r", { body: TABLE.replace("at-playing", "at-end") })).told, "");
  assert.equal((await press("r", { body: TABLE.replace("<dialog", "<dialog open") })).told, "");
  const page = await open("keys.js", TABLE);
  page.documentElement.dataset.keys = "off";
  page.getElementById("live").dispatchEvent(new window.KeyboardEvent("keydown", { key: "s", bubbles: true }));
  assert.notEqual(page.activeElement.id, "sum");
});
