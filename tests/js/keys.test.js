import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open } from "./page.js";

const TABLE = `
<p id="told" data-nothing="Nothing." data-left="{seconds} left."></p><dialog id="keys"></dialog>
<main id="live" class="at-playing" data-version="1">
  <p id="say">Your turn. <span aria-hidden="true">K</span></p>
  <div id="clock"><p class="state mine">Your time <span id="left" data-countdown="32">0:32</span></p></div>
  <section id="mine"><span class="sorter"><button id="sort-suit"></button></span><ul id="hand"><li><button class="lay" id="wrong"></button></li><li><button class="lay now" id="right"></button></li></ul></section>
  <section id="board"></section>
  <div id="actions"><button id="pass"></button><button class="main" id="draw"></button></div>
  <details id="scores"><summary id="sum"></summary></details>
  <ol id="log"><li>Ann drew.</li><li>Bob drew.</li></ol>
  <input id="words"><input id="pick" type="checkbox">
</main>`;

async function press(key, { at = "live", extra = {}, body = TABLE } = {}) {
  const page = await open("keys.js", body);
  const sheet = Object.assign(page.getElementById("keys"), { showModal: mock.fn() });
  page.getElementById(at).dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...extra }));
  return { page, sheet, focus: page.activeElement.id, told: page.getElementById("told").textContent };
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
  assert.equal((await press("r")).told, "Your turn.");
  assert.equal((await press("l", { body: TABLE.replace(/<li>.*<\/li>/g, "") })).told, "Nothing.");
});

test("what is asked for twice is said twice", async () => {
  const { page } = await press("r");
  page.body.querySelector("main").dispatchEvent(new window.KeyboardEvent("keydown", { key: "r", bubbles: true }));
  assert.equal(page.getElementById("told").textContent, "Your turn.\u00a0");
});

test("a question mark opens the list", async () => {
  assert.equal((await press("?")).sheet.showModal.mock.callCount(), 1);
});

test("nothing is heard while somebody types, with other keys, in the list, after the game, or where Looks turned it off", async () => {
  assert.equal((await press("r", { at: "words" })).told, "");
  assert.equal((await press("r", { at: "pick" })).told, "Your turn.");
  assert.equal((await press("r", { extra: { ctrlKey: true } })).told, "");
  assert.equal((await press("r", { extra: { repeat: true } })).told, "");
  assert.equal((await press("r", { body: TABLE.replace("at-playing", "at-end") })).told, "");
  assert.equal((await press("r", { body: TABLE.replace("<dialog", "<dialog open") })).told, "");
  const page = await open("keys.js", TABLE);
  page.documentElement.dataset.keys = "off";
  page.getElementById("live").dispatchEvent(new window.KeyboardEvent("keydown", { key: "r", bubbles: true }));
  assert.equal(page.getElementById("told").textContent, "");
});
