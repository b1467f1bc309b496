import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, pass, quiet, request, set } from "./page.js";

const held = (id) => `<li><button class="lay now" form="play" name="card" value="${id.split("-")[0]}"><b class="face" id="card-${id}">${id}</b></button></li>`;
const mine = (...ids) => `<section id="mine"><ul id="hand" data-arranged="1/1" data-place="hand">${ids.map(held).join("")}</ul></section>`;
const board = (top) => `<section id="board"><div id="discard-pile" data-place="discard-pile"><span class="lay"><b class="face" id="card-${top}">${top}</b></span></div></section>`;
const form = (id, to, fields = "") => `<form id="${id}" hx-boost="true" method="post" action="/t/one/moves" data-to="${to}">${fields}<input type="hidden" name="seen" value="4"></form>`;
const PAGE = `
  <main id="live" data-version="4" data-my-turn="true"><i id="poll" hx-get="/t/one/live?seen=4"></i>
    ${mine("7H", "8H", "9H", "9H-2")}${board("2S")}<b id="melds" data-drop="move=meld&run=2"></b>
    ${form("play", "nowhere discard-pile", '<input type="hidden" name="move" value="play">')}
    ${form("pair", "melds", '<input type="hidden" name="move" value="pair"><input type="hidden" name="cards" value="7H 9H">')}
    ${form("nowhere-to-go", "", '<input type="hidden" name="move" value="play"><input type="hidden" name="card" value="7H">')}
    ${form("draw", "discard-pile", '<input type="hidden" name="move" value="draw">')}
    <form id="why" action="/t/one/why" method="post"></form><form id="talk" action="/t/one/talk" method="post"></form>
    <div id="actions"><button id="pass" form="draw">Pass</button></div></main>
  <form id="arrange"></form><script id="hand-script" data-placed=""></script>`;

async function opened({ reduced = false, motion = "usual" } = {}) {
  const page = await open("hand.js", PAGE, { before: () => set("matchMedia", () => ({ matches: reduced })) });
  page.documentElement.dataset.motion = motion;
  const told = [];
  for (const name of ["snug:moved", "snug:flight"]) page.addEventListener(name, ({ detail }) => told.push([name, detail]));
  const submit = (id, submitter = null) => {
    const event = Object.assign(new Event("submit", { bubbles: true, cancelable: true }), { submitter });
    return page.getElementById(id).dispatchEvent(event);
  };
  const card = (id) => page.getElementById(`card-${id}`);
  const tap = (id) => submit("play", card(id).closest("button"));
  const comes = (...parts) => {
    const tasks = parts.map((html) => ({ fragment: page.createRange().createContextualFragment(html) }));
    happens(page, "htmx:before:swap", { tasks });
    const marked = [...page.querySelectorAll("[data-sent]")].map((one) => one.id);
    for (const { fragment } of tasks) page.getElementById(fragment.firstElementChild.id).replaceWith(fragment);
    happens(page, "htmx:after:swap", {});
    return marked;
  };
  const answers = (status) => happens(page, "htmx:finally:request", { ctx: { ...request("POST", "/t/one/moves"), response: status && { status } } });
  const ghosts = () => page.querySelectorAll(".dragged.sent").length;
  const away = () => [...page.querySelectorAll(".away [id^=card-]")].map((one) => one.id);
  return { page, told, submit, card, tap, comes, answers, ghosts, away, isInert: () => page.documentElement.matches("[data-moving]") };
}

test("a card leaves at the tap, lies where it goes, and nothing else is played until the room answers", async () => {
  const { page, tap, submit, comes, answers, ghosts, away, told, isInert } = await opened();
  assert.ok(tap("7H"));
  assert.deepEqual([ghosts(), away(), isInert()], [1, ["card-7H"], true]);
  assert.equal(page.getElementById("pass").getAttribute("aria-disabled"), "true");
  const move = { kind: "play", from: "hand", to: "discard-pile", cards: 1 };
  assert.deepEqual(told, [["snug:moved", { moves: [move], isLastCard: false }], ["snug:flight", move]]);
  assert.equal(window.Element.prototype.animate.mock.callCount(), 1);
  for (const id of ["draw", "why", "play"]) assert.ok(!submit(id), id);
  assert.ok(submit("talk"));
  assert.deepEqual(comes(mine("8H", "9H", "9H-2"), board("7H")), ["card-7H"]);
  assert.equal(ghosts(), 0);
  answers(200);
  assert.deepEqual([isInert(), page.querySelector("[aria-disabled]")], [false, null]);
  assert.ok(submit("draw"));
});

test("an answer, whose ever it is, waits until the card was seen to leave", async () => {
  const { page, tap } = await opened();
  const heard = [];
  const ask = (name) => {
    const ctx = { ...request("GET", "/t/one/live"), fetch: async () => name };
    happens(page, "htmx:before:request", { ctx });
    ctx.fetch().then((answer) => heard.push(answer));
    return quiet();
  };
  await ask("before");
  assert.deepEqual(heard, ["before"]);
  tap("7H");
  await ask("after");
  assert.deepEqual(heard, ["before"]);
  await pass(100);
  assert.deepEqual(heard, ["before", "after"]);
});

test("what is refused lies again where it was", async () => {
  const { page, tap, comes, answers, ghosts, away, isInert } = await opened();
  tap("7H");
  comes(mine("7H", "8H", "9H", "9H-2"));
  assert.deepEqual(away(), ["card-7H"]);
  answers(422);
  assert.deepEqual([ghosts(), isInert()], [0, false]);
  await pass(200);
  assert.deepEqual([away(), page.querySelector(".dragged")], [[], null]);
});

test("news from elsewhere leaves it where it goes, unless it is another's turn now", async () => {
  const { page, tap, comes, answers, ghosts, away, isInert } = await opened();
  tap("7H");
  comes(board("3S"));
  assert.deepEqual([ghosts(), away()], [1, ["card-7H"]]);
  page.getElementById("live").dataset.myTurn = "false";
  comes(board("4S"));
  await pass(200);
  assert.deepEqual([ghosts(), away(), isInert()], [0, [], true]);
  answers(409);
  assert.ok(!isInert());
});

test("what is not sent lies again where it was; what is sent again by itself stays", async () => {
  const { page, tap, answers, ghosts, isInert } = await opened();
  tap("7H");
  for (const status of [0, 502, 429]) answers(status);
  assert.deepEqual([ghosts(), isInert()], [1, true]);
  happens(page, "snug:unsent", { action: "/t/one/talk" });
  assert.deepEqual([ghosts(), isInert()], [1, true]);
  happens(page, "snug:unsent", { action: "/t/one/moves" });
  assert.deepEqual([ghosts(), isInert()], [0, false]);
});

test("of two equal cards one goes", async () => {
  const { tap, comes, ghosts } = await opened();
  tap("9H-2");
  assert.deepEqual(comes(mine("7H", "8H", "9H"), board("9H")), ["card-9H-2"]);
  assert.equal(ghosts(), 0);
});

test("of a ticked card that goes, the twin that stays is not ticked", async () => {
  const { page, comes } = await opened();
  const label = (id) => `<li><label class="lay"><input type="checkbox" id="pick-${id}"><b class="face" id="card-${id}">${id}</b></label></li>`;
  page.getElementById("hand").insertAdjacentHTML("beforeend", label("5H") + label("6H"));
  for (const id of ["5H", "6H"]) page.getElementById(`pick-${id}`).checked = true;
  page.getElementById("pair").insertAdjacentHTML("beforeend", '<input type="hidden" name="cards" value="5H">');
  page.getElementById("pair").dispatchEvent(Object.assign(new Event("submit", { bubbles: true, cancelable: true }), { submitter: null }));
  const [gone, stays] = ["5H", "6H"].map((id) => page.getElementById(`pick-${id}`));
  comes(mine("8H", "9H-2", "6H"));
  assert.deepEqual([gone.checked, stays.checked], [false, true]);
});

test("cards that go together are those that the form names", async () => {
  const { submit, away } = await opened();
  submit("pair");
  assert.deepEqual(away(), ["card-7H", "card-9H"]);
});

test("where a form does not say where to, or moves no card, nothing is guessed", async () => {
  for (const id of ["nowhere-to-go", "draw"]) {
    const { submit, ghosts, told, isInert } = await opened();
    submit(id);
    assert.deepEqual([ghosts(), told, isInert()], [0, [], true]);
  }
});

for (const [how, wish] of Object.entries({ "the device's": { reduced: true }, "the room's": { motion: "less" } })) test(`with less motion, ${how}, a card changes its place, and nothing flies`, async () => {
  const { page, tap, told, ghosts, answers } = await opened(wish);
  tap("7H");
  assert.deepEqual([ghosts(), window.Element.prototype.animate.mock.callCount(), told.map(([name]) => name)], [1, 0, ["snug:moved"]]);
  answers(422);
  assert.equal(page.querySelector(".dragged, .away"), null);
});

test("what is pressed says so at once, and later that it waits", async () => {
  const page = await open("snug.js", PAGE.replace("<main", '<p id="offline" hidden></p><form id="unsent" hidden><b></b><i></i></form><link id="favicon"><main'));
  const button = page.getElementById("pass");
  const event = Object.assign(new Event("submit", { bubbles: true, cancelable: true }), { submitter: button });
  page.getElementById("draw").dispatchEvent(event);
  assert.deepEqual([button.className, button.getAttribute("aria-busy")], ["pressed", null]);
  await pass(150);
  assert.equal(button.getAttribute("aria-busy"), "true");
  happens(page, "htmx:finally:request", { ctx: request("POST", "/t/one/moves") });
  assert.deepEqual([button.className, button.getAttribute("aria-busy")], ["", null]);
  mock.timers.reset();
});

async function discarding(clock = "") {
  const opening = await opened();
  const { page, tap } = opening;
  page.getElementById("discard-pile").dataset.wayBack = "Take it back";
  page.getElementById("live").insertAdjacentHTML("beforeend", `<div id="clock"><p class="mine"><b role="timer">${clock}</b></p></div>`);
  const made = [...page.forms].at(-1);
  made.requestSubmit = mock.fn();
  const goes = tap("7H");
  const wait = () => page.querySelector(".regret button");
  return { ...opening, goes, wait, sent: () => made.requestSubmit.mock.callCount(), fields: () => [...made.children].map(({ name, value }) => `${name}=${value}`) };
}

test("what one tap would throw away lies a moment before it is sent, with what the page was then", async () => {
  const { page, goes, wait, sent, fields, ghosts } = await discarding();
  assert.deepEqual([goes, wait().textContent, ghosts()], [false, "Take it back", 1]);
  page.getElementById("live").dataset.version = "5";
  await pass(1_199);
  assert.equal(sent(), 0);
  await pass(1);
  assert.deepEqual([sent(), wait(), ghosts(), fields()], [1, null, 1, ["card=7H", "move=play", "seen=4"]]);
});

test("a tap takes it back, a second one at once does not, and so does Escape", async () => {
  for (const isKey of [false, true]) {
    const { page, wait, sent, ghosts, away, isInert } = await discarding();
    wait().click();
    assert.ok(wait());
    await pass(251);
    if (isKey) page.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape" }));
    else wait().click();
    await pass(2_000);
    assert.deepEqual([wait(), sent(), ghosts(), away(), isInert()], [null, 0, 0, [], false]);
  }
});

test("it does not wait where a clock is nearly out, and it goes with the page", async () => {
  assert.ok((await discarding("0:14")).goes);
  assert.ok(!(await discarding("0:15")).goes);
  const { sent } = await discarding();
  window.dispatchEvent(new Event("pagehide"));
  assert.equal(sent(), 1);
});

test("what the table no longer waits for is not sent", async () => {
  const { page, comes, sent, isInert } = await discarding();
  page.getElementById("live").dataset.myTurn = "false";
  comes(board("4S"));
  await pass(1_200);
  assert.deepEqual([sent(), isInert()], [0, false]);
});

test("a second Enter in a blink is no act of another kind, unless a key in between means it", async () => {
  const form = (id, move) => `<form id="${id}-form"><input name="move" value="${move}"><button id="${id}"></button></form>`;
  const page = await open("snug.js", PAGE.replace("<main", `<p id="offline" hidden></p><form id="unsent" hidden><b></b><i></i></form><link id="favicon">${form("lay", "lay")}${form("more", "lay")}${form("steal", "steal")}<main`));
  const press = (id, key = "Enter") => page.getElementById(id).dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  assert.deepEqual([press("lay"), press("more"), press("steal")], [true, true, false]);
  await pass(200);
  assert.equal(press("steal"), false, "held down");
  press("steal", "a");
  assert.equal(press("steal"), true);
  await pass(300);
  assert.equal(press("lay"), true);
});
