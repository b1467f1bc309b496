import assert from "node:assert/strict";
import { test } from "node:test";
import { happens, open, pass, quiet } from "./page.js";

const held = (code) => `<li><label id="card-${code}"><input type="checkbox" name="cards"><span class="sr">${code}</span></label></li>`;
const hand = (...codes) => `<ol data-arranged="1/1" data-order="0">${codes.map(held).join("")}</ol>`;
const answer = (order) => ({ status: 204, ok: true, headers: new Headers({ "Snug-Order": String(order) }) });
const page_ = (...codes) => `
  <script id="hand-script" data-placed="{card} is {place} of {cards}"></script>
  <main id="live" data-version="4">
    <form id="arrange" action="/t/one/hand"><button name="by" value="rank">Rank</button><button name="by" value="suit">Suit</button></form>
    <form hx-boost="true" id="moves">${hand(...codes)}<button id="lay" data-picks="2">Lay two</button></form>
  </main>`;
const codes = (root) => [...root.querySelectorAll("[data-arranged] > li")].map((one) => one.textContent.trim());

function sort(page, by) {
  const submit = new Event("submit", { bubbles: true, cancelable: true });
  submit.submitter = page.querySelector(`[value=${by}]`);
  page.getElementById("arrange").dispatchEvent(submit);
}

function press(page, code, key, shiftKey = false) {
  const box = page.querySelector(`#card-${code} input`);
  box.focus();
  box.dispatchEvent(new window.KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
}

test("a hand is sorted by rank and by suit, jokers last", async () => {
  const page = await open("hand.js", page_("JK", "KS", "2D", "AH", "2S"));
  sort(page, "rank");
  assert.deepEqual(codes(page), ["AH", "2S", "2D", "KS", "JK"]);
  sort(page, "suit");
  assert.deepEqual(codes(page), ["2S", "KS", "AH", "2D", "JK"]);
});

test("a card moves by keys, says where it is, and keeps the focus", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S"));
  const told = [];
  page.addEventListener("snug:tell", ({ detail }) => told.push(detail));
  press(page, "AS", "ArrowRight", true);
  assert.deepEqual(codes(page), ["2S", "AS", "3S"]);
  assert.deepEqual(told, ["AS is 2 of 3"]);
  assert.equal(page.activeElement.closest("label").id, "card-AS");
  press(page, "AS", "ArrowRight");
  assert.equal(page.activeElement.closest("label").id, "card-3S");
  press(page, "3S", "ArrowRight", true);
  assert.deepEqual(codes(page), ["2S", "AS", "3S"]);
});

test("the room is told after a moment of quiet, of the last order, until it has heard", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S"));
  fetch.mock.mockImplementation(async () => ({ status: 503 }));
  press(page, "AS", "ArrowRight", true);
  await pass(200);
  press(page, "AS", "ArrowRight", true);
  await pass(249);
  assert.equal(fetch.mock.callCount(), 0);
  await pass(1);
  assert.equal(fetch.mock.callCount(), 1);
  const [action, { body }] = fetch.mock.calls[0].arguments;
  assert.equal(action, "/t/one/hand");
  assert.equal(body.get("cards"), "2S 3S AS");
  assert.equal(body.get("seen"), "4");
  fetch.mock.mockImplementation(async () => answer(1));
  happens(page, "htmx:after:swap", {});
  await pass(250);
  assert.equal(fetch.mock.callCount(), 2);
  happens(page, "htmx:after:swap", {});
  await pass(250);
  assert.equal(fetch.mock.callCount(), 2);
});

test("an order that changes while the one before is on its way is told, too", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S"));
  let hear;
  fetch.mock.mockImplementation(() => new Promise((heard) => (hear = heard)));
  press(page, "AS", "ArrowRight", true);
  await pass(250);
  press(page, "AS", "ArrowRight", true);
  hear(answer(1));
  await quiet();
  await pass(250);
  assert.deepEqual(fetch.mock.calls.map(({ arguments: [, { body }] }) => body.get("cards")), ["2S AS 3S", "2S 3S AS"]);
  hear(answer(1));
  await quiet();
  happens(page, "htmx:after:swap", {});
  await pass(250);
  assert.equal(fetch.mock.callCount(), 2);
});

function arrives(page, drawn) {
  const fragment = new DocumentFragment();
  const made = page.createElement("div");
  made.innerHTML = drawn;
  fragment.append(...made.childNodes);
  happens(page, "htmx:before:swap", { tasks: [{ fragment }] });
  return codes(fragment);
}

test("what the room sends before it has heard is put in order", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S"));
  press(page, "3S", "ArrowLeft", true);
  assert.deepEqual(arrives(page, hand("AS", "2S", "3S", "4S")), ["AS", "3S", "2S", "4S"]);
});

test("what was drawn with an older order is put in order, and with a newer one is left", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S"));
  fetch.mock.mockImplementation(async () => answer(2));
  press(page, "3S", "ArrowLeft", true);
  await pass(250);
  const drawn = hand("AS", "2S", "3S");
  assert.deepEqual(arrives(page, drawn.replace('order="0"', 'order="1"')), ["AS", "3S", "2S"]);
  assert.deepEqual(arrives(page, drawn.replace('order="0"', 'order="2"')), ["AS", "2S", "3S"]);
  assert.deepEqual(arrives(page, drawn.replace('"1/1"', '"1/2"')), ["AS", "2S", "3S"], "of the next deal");
});

test("a page that goes leaves its order to the next", async () => {
  const page = await open("hand.js", page_("AS", "2S"));
  press(page, "AS", "ArrowRight", true);
  happens(window, "pagehide");
  await quiet();
  assert.equal(fetch.mock.callCount(), 1);
  assert.deepEqual(JSON.parse(sessionStorage.getItem("hand:/t/one")).cards, ["card-2S", "card-AS"]);
});

test("a button that wants two cards waits for two", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S"));
  const [lay, boxes] = [page.getElementById("lay"), [...page.querySelectorAll("input")]];
  for (const [ticked, disabled] of [[0, true], [1, true], [2, false], [3, true]]) {
    boxes.forEach((box, at) => (box.checked = at < ticked));
    happens(page, "change");
    assert.equal(lay.disabled, disabled, `${ticked} ticked`);
  }
});

test("what was refused shakes where it was tapped", async () => {
  const page = await open("hand.js", page_("AS", "2S"));
  const lay = page.getElementById("lay");
  for (const [status, shakes] of [[422, true], [200, false], [503, false]]) {
    const submit = new Event("submit", { bubbles: true, cancelable: true });
    submit.submitter = lay;
    page.getElementById("moves").dispatchEvent(submit);
    const ctx = { request: { method: "POST" }, response: { status } };
    happens(page, "htmx:after:request", { ctx });
    happens(page, "htmx:finally:request", { ctx });
    assert.equal(lay.classList.contains("wrong"), shakes, `${status}`);
    await pass(700);
    assert.ok(!lay.classList.contains("wrong"));
  }
});

test("of a sorted hand the room is told by what, not where each card lies", async () => {
  const page = await open("hand.js", page_("3S", "2S", "AS"));
  sort(page, "rank");
  await pass(250);
  assert.equal(fetch.mock.calls[0].arguments[1].body.toString(), "seen=4&by=rank");
});

test("what came before a new deal is told of that one no more", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S"));
  press(page, "AS", "ArrowRight", true);
  page.querySelector("[data-arranged]").dataset.arranged = "1/2";
  await pass(250);
  assert.equal(fetch.mock.calls[0].arguments[1].body.has("cards"), false);
});

test("of two orders the second goes once the first is heard", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S"));
  /** @type {(answer: object) => void} */
  let hear = () => {};
  fetch.mock.mockImplementation(() => new Promise((heard) => (hear = heard)));
  press(page, "AS", "ArrowRight", true);
  await pass(250);
  press(page, "AS", "ArrowRight", true);
  await pass(600);
  assert.equal(fetch.mock.callCount(), 1);
  hear(answer(1));
  await pass(0);
  await pass(250);
  assert.equal(fetch.mock.callCount(), 2);
  assert.equal(fetch.mock.calls[1].arguments[1].body.get("cards"), "2S 3S AS");
});

test("a page on which nothing was arranged tells the next one nothing", async () => {
  const page = await open("hand.js", page_("AS", "2S"));
  window.dispatchEvent(new Event("pagehide"));
  assert.equal(sessionStorage.getItem("hand:/t/one"), null);
  press(page, "AS", "ArrowRight", true);
  window.dispatchEvent(new Event("pagehide"));
  assert.deepEqual(JSON.parse(sessionStorage.getItem("hand:/t/one")), { deal: "1/1", cards: ["card-2S", "card-AS"] });
});

test("Enter on a card plays what is ticked, it among it, and ticks where one button is not enough", async () => {
  const page = await open("hand.js", page_("AS", "2S", "3S").replaceAll('<li><label id', '<li><label class="pick" id').replace("<form hx-boost", '<form id="mine" hx-boost'));
  const pressed = [];
  page.getElementById("lay").addEventListener("click", (event) => (event.preventDefault(), pressed.push(codes(page).filter((code) => page.querySelector(`#card-${code} input`).checked))));
  press(page, "AS", "Enter");
  assert.deepEqual(pressed, []);
  press(page, "3S", "Enter");
  assert.deepEqual(pressed, [["AS", "3S"]]);
});

test("where one may be ticked, it is the last; and those that are unticked together are told", async () => {
  const one = (id) => `<label><input type="checkbox" form="discard" id="${id}"></label>`;
  const page = await open("hand.js", `<script id="hand-script" data-placed=""></script><main id="live"><form id="arrange"></form>
    <div id="ask" data-one><ul id="hand">${one("a")}${one("b")}</ul></div><form id="discard"></form></main>`);
  const asked = [];
  page.getElementById("ask").addEventListener("change", () => asked.push(page.querySelectorAll("#hand :checked").length));
  const tap = (id) => page.getElementById(id).click();
  tap("a");
  tap("b");
  assert.deepEqual([page.getElementById("a").checked, page.getElementById("b").checked, asked], [false, true, [1, 1]]);
  page.getElementById("discard").reset();
  await pass(0);
  assert.deepEqual(asked, [1, 1, 0]);
});
