import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, pass, ran, request, set } from "./page.js";

const HAND = "[data-arranged]";
const held = (code, input) => `<li><label class="card-of"><span class="face" id="card-${code}"></span>${input}</label></li>`;
const TABLE = `
  <main id="live" data-version="4"><i id="poll" hx-get="/t/one/live?seen=4&amp;sort=suit"></i>
    <section id="mine" data-place="hand"><ol data-arranged="1/1" class="many">${["7C", "8C"].map((code) => held(code, `<input type="radio" name="card" value="${code}" id="pick-${code}" class="now">`)).join("")}</ol></section>
    <section id="board"><b id="discard-pile"></b><b id="meld" data-drop="move=lay&amp;meld=2"></b></section>
    <div id="actions"></div><b id="nowhere"></b></main>`;
const box = (x, y) => ({ x, y, left: x, top: y, width: 40, height: 60 });
let under = []; // what lies under the finger, the uppermost first

/** A hand of two cards that can be dragged. */
async function table(body = TABLE) {
  const heard = { step: mock.fn(() => true), arranged: mock.fn(), mark: mock.fn(), codeOf: (id) => id.split("-")[1] };
  const page = await open("drag.js", body, { before: (window) => {
    set("matchMedia", () => ({ matches: false }));
    window.Element.prototype.getBoundingClientRect = function () { return box(this.id === "card-8C" ? 50 : 0, 500); };
    window.document.elementsFromPoint = () => under;
    Object.defineProperty(window.HTMLElement.prototype, "offsetParent", { get() { return this.parentElement; }, configurable: true });
    window.HTMLFormElement.prototype.requestSubmit = mock.fn(function () { this.dispatchEvent(new window.Event("submit", { bubbles: true, cancelable: true })); });
  } });
  ran.start({ HAND, ...heard });
  under = [];
  return { page, heard, form: page.body.querySelector("form[hidden]") };
}

function point(page, name, target, x, y, more = {}) {
  const event = Object.assign(new Event(name, { bubbles: true, cancelable: true }), { button: 0, isPrimary: true, pointerId: 1, clientX: x, clientY: y, ...more });
  target.dispatchEvent(event);
}

/** Drags a card until it is over these elements. */
function drag(page, code, over, more = {}) {
  point(page, "pointerdown", page.getElementById(`card-${code}`), 10, 510, more);
  under = over;
  point(page, "pointermove", page.body, 60, 300, more);
}

const lit = (page) => [...page.querySelectorAll(".lit")].map((one) => one.id);
const ghost = (page) => page.querySelector(".dragged");

test("a card follows the finger, and where it goes is lit", async () => {
  const { page } = await table();
  drag(page, "7C", [page.getElementById("nowhere")]);
  assert.equal(ghost(page).style.transform, "translate(50px, -210px)");
  assert.equal(ghost(page).getAttribute("aria-hidden"), "true");
  assert.equal(ghost(page).querySelector("[id]"), null);
  assert.deepEqual(lit(page), ["discard-pile"]);
  assert.ok(page.getElementById("card-7C").closest("li").classList.contains("carried"));
});

test("a trembling finger, another button and a second finger drag nothing", async () => {
  const { page } = await table();
  const card = page.getElementById("card-7C");
  point(page, "pointerdown", card, 10, 510);
  point(page, "pointermove", page.body, 16, 517);
  assert.equal(ghost(page), null);
  point(page, "pointermove", page.body, 60, 300, { pointerId: 2 });
  assert.equal(ghost(page), null);
  point(page, "pointerup", page.body, 16, 517);
  for (const more of [{ button: 1 }, { isPrimary: false }]) {
    drag(page, "7C", [], more);
    assert.equal(ghost(page), null);
  }
  point(page, "pointermove", page.body, 60, 300);
  assert.equal(ghost(page), null, "nothing is held");
});

test("let go over the table a card is played; where it was taken, it lands again", async () => {
  const { page } = await table('<button id="lay"></button>' + TABLE);
  const card = page.getElementById("pick-7C");
  drag(page, "7C", [page.getElementById("discard-pile")]);
  point(page, "pointerup", page.body, 60, 300);
  assert.ok(card.checked);
  assert.deepEqual(lit(page), []);
  await pass(199);
  assert.ok(ghost(page));
  await pass(1);
  assert.equal(ghost(page), null);
  assert.ok(!page.querySelector(".carried"));
});

test("a place that takes cards gets the very move, and the card stays there until the room has answered", async () => {
  const { page, heard, form } = await table();
  drag(page, "7C", [page.getElementById("meld")]);
  point(page, "pointerup", page.body, 60, 300);
  assert.equal(form.getAttribute("action"), "/t/one/moves?sort=suit");
  assert.deepEqual([...form.children].map(({ name, value }) => [name, value]), [["move", "lay"], ["meld", "2"], ["card", "7C"], ["seen", "4"]]);
  assert.deepEqual(heard.mark.mock.calls.map((call) => call.arguments), [["pick-7C"]]);
  assert.equal(form.requestSubmit.mock.callCount(), 1);
  await pass(1_000);
  assert.ok(ghost(page));
  happens(page, "htmx:finally:request", { ctx: request("GET", "/t/one/live") });
  assert.ok(ghost(page));
  page.getElementById("card-7C").closest("li").remove();
  happens(page, "htmx:finally:request", { ctx: request("POST", "/t/one/moves") });
  assert.equal(ghost(page), null);
});

test("beside the table nothing is meant", async () => {
  const { page, form } = await table();
  drag(page, "7C", [page.getElementById("nowhere")]);
  point(page, "pointerup", page.body, 60, 300);
  assert.ok(!page.getElementById("pick-7C").checked);
  assert.equal(form.requestSubmit.mock.callCount(), 0);
});

test("along the hand cards are arranged, and the room is told when the finger goes", async () => {
  const { page, heard } = await table();
  const [mine, other] = page.querySelectorAll(`${HAND} > li`);
  heard.step.mock.mockImplementation((card, by) => (by > 0 ? card.nextElementSibling.after(card) : card.previousElementSibling.before(card), true));
  drag(page, "7C", [other, other.parentElement]);
  assert.deepEqual([...other.parentElement.children], [other, mine]);
  assert.equal(heard.arranged.mock.callCount(), 0);
  point(page, "pointerup", page.body, 60, 300);
  assert.deepEqual(heard.arranged.mock.calls.map((call) => call.arguments), [[mine]]);
  assert.ok(!page.getElementById("pick-7C").checked);
});

test("Escape, a cancelled pointer and a card that went end it", async () => {
  const { page } = await table();
  const ends = async (act) => {
    drag(page, "8C", []);
    assert.ok(ghost(page));
    act();
    await pass(200);
    assert.equal(ghost(page), null);
  };
  await ends(() => page.body.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape", bubbles: true })));
  await ends(() => point(page, "pointercancel", page.body, 0, 0));
  await ends(() => {
    page.getElementById("card-8C").closest("li").remove();
    point(page, "pointermove", page.body, 61, 300);
  });
});

test("cards of which several are ticked go where such are laid", async () => {
  const body = TABLE.replaceAll('type="radio"', 'type="checkbox"').replace('<b id="meld"', '<b id="melds" data-drop="move=down"><button data-picks="3"></button></b><b id="meld"');
  const { page } = await table(body);
  drag(page, "7C", []);
  assert.deepEqual(lit(page), ["melds"]);
  page.getElementById("actions").innerHTML = '<button class="ticked"></button>';
  point(page, "pointermove", page.body, 61, 300);
  assert.deepEqual(lit(page), ["discard-pile"]);
});

test("a hand too tall for its place scrolls, one that lies in a row does not", async () => {
  const { page } = await table();
  const hand = page.querySelector(HAND);
  const high = (height) => Object.defineProperty(hand, "scrollHeight", { value: height, configurable: true });
  Object.defineProperty(hand, "clientHeight", { value: 100, configurable: true });
  for (const [height, many, scrolls] of [[101, true, false], [150, true, true], [150, false, false]]) {
    high(height);
    hand.classList.toggle("many", many);
    window.dispatchEvent(new Event("resize"));
    assert.equal(hand.classList.contains("scrolls"), scrolls, `${height} ${many}`);
  }
});
