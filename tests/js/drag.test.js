import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, pass, request } from "./page.js";

const ticked = (code) => `<li><label id="card-${code}" class="lay"><input type="checkbox" name="cards" value="${code}"><b class="face">${code}</b></label></li>`;
const button = (code, more = "") => `<li><form method="post"><button id="card-${code}" class="lay ${more}" name="card" value="${code}"><b class="face">${code}</b></button></form></li>`;
const table = (hand, board = "", more = "") => `
  <script id="hand-script" data-placed="{card} is {place} of {cards}"></script>
  <main id="live" data-version="4"><i id="poll" hx-get="/t/one/live?seen=4&view=2"></i>
    <div id="board" class="board"><div class="front" id="discard-pile" data-place="discard-pile"></div>${board}</div>
    <div id="mine"><ol data-arranged="1/1" data-place="hand">${hand}</ol>${more}</div><form id="arrange"></form>
  </main>`;

/** A page of one's own cards; with what the finger meets there, and what is pressed and sent. */
async function opened(html) {
  const page = await open("hand.js", html);
  page.elementsFromPoint = () => [];
  const pressed = [];
  page.addEventListener("click", (event) => pressed.push(event.target.closest("[id]").id));
  const form = [...page.forms].at(-1);
  form.requestSubmit = mock.fn(() => form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));
  for (const one of page.forms) one.addEventListener("submit", (event) => event.preventDefault());
  Object.defineProperty(window.HTMLElement.prototype, "offsetParent", { get: () => page.body, configurable: true });
  const point = (name, at, x, y) => at.dispatchEvent(new window.MouseEvent(name, { bubbles: true, cancelable: true, button: 0, clientX: x, clientY: y }));
  window.MouseEvent.prototype.isPrimary = true;
  const lift = (code) => {
    const card = page.getElementById(`card-${code}`);
    point("pointerdown", card, 100, 100);
    point("pointermove", card, 120, 60);
  };
  const over = (...path) => {
    page.elementsFromPoint = () => path.map((at) => (typeof at === "string" ? page.querySelector(at) : at));
    point("pointermove", page.body, 120, 60);
  };
  const drop = (x = 120) => point("pointerup", page.body, x, 60);
  const sent = () => (form.requestSubmit.mock.callCount() ? [form.getAttribute("action"), [...form.children].map(({ name, value }) => `${name}=${value}`).join(" ")] : null);
  return { page, pressed, lift, over, drop, sent, lit: () => [...page.querySelectorAll(".lit")].map((one) => one.id) };
}

test("a finger that trembles drags nothing", async () => {
  const { page, pressed } = await opened(table(button("7H", "now")));
  const card = page.getElementById("card-7H");
  const point = (name, x) => card.dispatchEvent(new window.MouseEvent(name, { bubbles: true, button: 0, clientX: x, clientY: 0 }));
  point("pointerdown", 0);
  point("pointermove", 9);
  assert.equal(page.querySelector(".dragged"), null);
  point("pointermove", 10);
  assert.ok(page.querySelector(".dragged"));
  assert.deepEqual(pressed, []);
});

test("a card that may be played is let go on the board, and the board says so", async () => {
  const { lift, over, drop, pressed, lit, sent } = await opened(table(button("7H", "now") + button("8H")));
  lift("7H");
  assert.deepEqual(lit(), ["discard-pile"]);
  over("#discard-pile", "#board");
  drop();
  assert.deepEqual([pressed, sent(), lit()], [["card-7H"], null, []]);
});

test("a card that may not be played lights nothing, and the room says why", async () => {
  const { lift, over, drop, pressed, lit } = await opened(table(button("7H", "now") + button("8H")));
  lift("8H");
  assert.deepEqual(lit(), []);
  over("#board");
  drop();
  assert.deepEqual(pressed, ["card-8H"]);
});

test("a card that is let go where nothing is meant lies in the hand again", async () => {
  const { page, lift, over, drop, pressed, sent } = await opened(table(button("7H", "now")));
  lift("7H");
  over("main");
  drop();
  await pass(200);
  assert.deepEqual([pressed, sent()], [[], null]);
  assert.equal(page.querySelector(".dragged, .carried"), null);
});

test("Escape takes a card back", async () => {
  const { page, lift, over, drop, pressed } = await opened(table(button("7H", "now")));
  lift("7H");
  page.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }));
  over("#board");
  drop();
  await pass(200);
  assert.deepEqual(pressed, []);
  assert.equal(page.querySelector(".dragged"), null);
});

test("on a place that takes any card the very move is sent, of the page's version", async () => {
  const { lift, over, drop, sent, lit } = await opened(table(ticked("7H"), '<div id="run" data-drop="move=lay&run=2"><button data-picks="1" form="arrange"></button></div><div id="other" data-drop="move=lay&run=3"></div>'));
  lift("7H");
  assert.deepEqual(lit(), ["run"]);
  over("#run", "#board");
  drop();
  assert.deepEqual(sent(), ["/t/one/moves?view=2", "move=lay run=2 cards=7H seen=4"]);
});

test("of several spots for a card the nearest is pressed", async () => {
  const spot = (id, code, x) => `<form class="spot" method="post" data-x="${x}"><input type="hidden" name="card" value="${code}"><button class="spot" id="${id}" type="button" data-x="${x}"></button></form>`;
  const { page, lift, over, drop, pressed, sent, lit } = await opened(table(ticked("7H"), `<div id="row" data-drop="move=lay">${spot("left", "7H", 40)}${spot("right", "7H", 200)}${spot("other", "9H", 120)}</div>`));
  for (const one of page.querySelectorAll("[data-x]")) one.getBoundingClientRect = () => ({ x: Number(one.dataset.x) });
  lift("7H");
  assert.deepEqual(lit(), ["row"]);
  over("#row", "#board");
  drop(150);
  assert.deepEqual([pressed, sent()], [["right"], null]);
});

test("what is ticked goes along: the card is ticked, too, and they are laid", async () => {
  const { page, lift, over, drop, pressed, lit } = await opened(table(ticked("7H"), "", '<div id="actions"><button class="ticked" id="lay" type="button"></button></div>'));
  lift("7H");
  assert.deepEqual(lit(), ["discard-pile"]);
  over("#board");
  drop();
  assert.ok(page.querySelector("#card-7H input").checked);
  assert.equal(pressed.at(-1), "lay");
});

test("a card to be ticked is not played where nothing lays it", async () => {
  const { page, lift, over, drop, pressed } = await opened(table(ticked("7H")));
  lift("7H");
  over("#board");
  drop();
  assert.deepEqual(pressed, []);
  assert.ok(!page.querySelector("#card-7H input").checked);
});

test("a stack goes where its rank fits", async () => {
  const stack = '<div class="own"><label class="lay stack" id="stack-7"><input type="radio" name="rank" value="7"><b class="face" id="card-7C">7</b></label></div>';
  const { page, lit, over, drop, sent } = await opened(table("", '<div id="low" class="fit-7" data-drop="move=put&stack=1"></div><div id="high" class="fit-9" data-drop="move=put&stack=2"></div>', stack));
  const at = page.getElementById("stack-7");
  const point = (name, y) => at.dispatchEvent(new window.MouseEvent(name, { bubbles: true, button: 0, clientX: 0, clientY: y }));
  point("pointerdown", 100);
  point("pointermove", 60);
  assert.deepEqual(lit(), ["low"]);
  over("#low", "#board");
  drop();
  assert.deepEqual(sent(), ["/t/one/moves?view=2", "move=put stack=1 rank=7 seen=4"]);
});

test("what lies on the table and may be taken is taken into the hand, and nowhere else", async () => {
  for (const [place, taken] of [["#mine", ["card-2S"]], ["#board", []]]) {
    const pile = '<form method="post"><button class="lay now" id="card-2S" type="button"><b class="face">2S</b></button></form>';
    const { lift, over, drop, pressed, lit } = await opened(table(button("7H"), pile));
    lift("2S");
    assert.deepEqual(lit(), ["mine"]);
    over(place);
    drop();
    assert.deepEqual(pressed, taken);
  }
});

test("along the hand cards are arranged, and nothing is played", async () => {
  const { page, lift, over, drop, pressed, sent } = await opened(table(button("7H", "now") + button("8H") + button("9H")));
  const [, , last] = page.querySelectorAll("[data-arranged] > li");
  const told = [];
  page.addEventListener("snug:tell", ({ detail }) => told.push(detail));
  lift("7H");
  over(last);
  over(page.querySelector("#card-7H").closest("li"), page.querySelector("[data-arranged]"));
  drop();
  assert.deepEqual([...page.querySelectorAll("button.lay")].map((one) => one.value), ["8H", "9H", "7H"]);
  assert.deepEqual(told, [" is 3 of 3"]);
  assert.deepEqual([pressed, sent()], [[], null]);
});

test("a card that was played goes where it lies, and stays there until the room has answered", async () => {
  const { page, lift, over, drop } = await opened(table(ticked("7H"), '<div id="run" data-drop="move=lay&run=2"><button data-picks="1" form="arrange"></button></div>'));
  lift("7H");
  over("#run", "#board");
  drop();
  await pass(5_000);
  assert.ok(page.querySelector(".dragged.sent"));
  happens(page, "htmx:finally:request", { ctx: request("GET", "/t/one/live") });
  assert.ok(page.querySelector(".dragged.sent"));
  happens(page, "htmx:finally:request", { ctx: { ...request("POST", "/t/one/moves"), response: { status: 200 } } });
  await pass(200);
  assert.equal(page.querySelector(".dragged"), null);
});

test("another button and a second finger drag nothing", async () => {
  const { page, lift } = await opened(table(button("7H", "now")));
  const point = (name, at, more) => at.dispatchEvent(Object.assign(new Event(name, { bubbles: true }), { button: 0, isPrimary: true, pointerId: 1, clientX: 0, clientY: 0, ...more }));
  const card = page.getElementById("card-7H");
  for (const more of [{ button: 1 }, { isPrimary: false }]) {
    point("pointerdown", card, more);
    point("pointermove", page.body, { clientX: 50 });
    assert.equal(page.querySelector(".dragged"), null);
  }
  point("pointerdown", card);
  point("pointermove", page.body, { clientX: 50, pointerId: 2 });
  assert.equal(page.querySelector(".dragged"), null);
  point("pointerup", page.body);
  lift("7H");
  assert.ok(page.getElementById("card-7H").closest("li").classList.contains("carried"));
});

test("a cancelled pointer and a card that went end it", async () => {
  const { page, lift, over } = await opened(table(button("7H", "now")));
  lift("7H");
  page.dispatchEvent(new Event("pointercancel"));
  await pass(200);
  assert.equal(page.querySelector(".dragged"), null);
  lift("7H");
  page.getElementById("card-7H").closest("li").remove();
  over("main");
  await pass(200);
  assert.equal(page.querySelector(".dragged"), null);
});

test("cards of which several are ticked go where such are laid", async () => {
  const { page, lift, over, lit } = await opened(table(ticked("7H"), '<b id="melds" data-drop="move=down"><button data-picks="3" form="arrange"></button></b><b id="other" data-drop="move=lay"></b>', '<div id="actions"></div>'));
  lift("7H");
  assert.deepEqual(lit(), ["melds"]);
  page.getElementById("actions").innerHTML = '<button class="ticked" form="arrange"></button>';
  over("main");
  assert.deepEqual(lit(), ["discard-pile"]);
});

test("a hand too tall for its place scrolls, one that lies in a row does not", async () => {
  const { page } = await opened(table(button("7H")));
  const hand = page.querySelector("[data-arranged]");
  Object.defineProperty(hand, "clientHeight", { value: 100 });
  for (const [height, many, scrolls] of [[101, true, false], [150, true, true], [150, false, false]]) {
    Object.defineProperty(hand, "scrollHeight", { value: height, configurable: true });
    hand.classList.toggle("many", many);
    window.dispatchEvent(new Event("resize"));
    assert.equal(hand.classList.contains("scrolls"), scrolls, `${height} ${many}`);
  }
});
