import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, pass, request, set } from "./page.js";

const PAGE = `
  <link id="favicon" href="calm.svg" data-calm="calm.svg" data-turn="turn.svg">
  <main id="live" data-version="4" data-my-turn="false" data-title="Waiting · Snug">
    <b id="bar" tabindex="-1">Bob is to play</b>
    <section id="mine"><button id="card-1" class="now">7</button><button id="card-2" class="now">8</button></section>
    <b id="left" data-countdown="12" data-face="on" data-hours="# h">0:12</b>
  </main>
  <i id="poll" hx-get="/t/one/live?seen=4"></i>
  <p id="offline" hidden></p>
  <form id="unsent" hidden><b data-once="Not sent." data-again="Still not sent." data-sending="Sending…"></b><fieldset></fieldset><button>Again</button></form>
  <form id="deal"><input name="cut"></form>`;

const asks = (page, ctx = request("GET", "/t/one/live?seen=4")) => happens(page.getElementById("poll"), "htmx:before:request", { ctx });
const fails = (page) => happens(page.getElementById("poll"), "htmx:error", { ctx: request("GET", "/t/one/live") });

function answers(page, status = 200, ctx = request("GET", "/t/one/live?seen=4")) {
  ctx.response = { status };
  for (const moment of ["htmx:after:request", "htmx:finally:request"]) happens(page.getElementById("poll"), moment, { ctx });
}

function hide(page, hidden) {
  Object.defineProperty(page, "hidden", { value: hidden, configurable: true });
  happens(page, "visibilitychange");
}

test("a room that is away is asked once a second, then more and more seldom", async () => {
  const page = await open("snug.js", PAGE);
  for (const [failures, wait] of [[1, 1_000], [30, 1_000], [31, 2_000], [33, 8_000], [34, 15_000], [60, 15_000]]) {
    for (answers(page); failures > 0 && !page.failed; page.failed = true) for (let n = 0; n < failures; n += 1) fails(page);
    page.failed = false;
    assert.ok(!asks(page), `${failures} failures`);
    await pass(wait - 1);
    assert.ok(!asks(page), `${failures} failures: 1 ms before`);
    await pass(1);
    assert.ok(asks(page), `${failures} failures: after ${wait} ms`);
  }
});

test("chance spreads those who ask a room that comes back", async () => {
  const page = await open("snug.js", PAGE);
  Math.random.mock.mockImplementation(() => 0);
  fails(page);
  await pass(499);
  assert.ok(!asks(page));
  await pass(1);
  assert.ok(asks(page));
});

test("a page that is left lets go of the poll it holds, and asks nothing for a moment", async () => {
  const page = await open("snug.js", PAGE);
  const held = request("GET", "/t/one/live?seen=4");
  assert.ok(asks(page, held));
  window.dispatchEvent(new Event("beforeunload"));
  assert.equal(held.request.abort.mock.callCount(), 1);
  await pass(999);
  assert.ok(!asks(page));
  await pass(1);
  assert.ok(asks(page), "it has stayed");
});

test("a hidden page asks every five seconds, and at once when it is shown", async () => {
  const page = await open("snug.js", PAGE);
  hide(page, true);
  assert.ok(asks(page));
  await pass(4_999);
  assert.ok(!asks(page));
  await pass(1);
  assert.ok(asks(page));
  hide(page, false);
  assert.deepEqual(htmx.trigger.mock.calls.at(-1).arguments, ["#poll", "wake"]);
  assert.ok(asks(page));
});

test("the second failure is told, an answer takes it back", async () => {
  const page = await open("snug.js", PAGE);
  const offline = page.getElementById("offline");
  fails(page);
  assert.ok(offline.hidden);
  fails(page);
  assert.ok(!offline.hidden);
  answers(page, 503);
  assert.ok(!offline.hidden);
  answers(page);
  assert.ok(offline.hidden);
});

test("when the network comes or goes, the poll that is held is left for one that is answered at once", async () => {
  const page = await open("snug.js", PAGE);
  const held = request("GET", "/t/one/live?seen=4");
  asks(page, held);
  happens(window, "online");
  assert.equal(held.request.abort.mock.callCount(), 1);
  assert.equal(htmx.trigger.mock.callCount(), 1);
  const next = request("GET", "/t/one/live?seen=4");
  happens(page.getElementById("poll"), "htmx:config:request", { ctx: next });
  assert.equal(next.request.action, "/t/one/live?seen=0");
  answers(page);
  const after = request("GET", "/t/one/live?seen=4");
  happens(page.getElementById("poll"), "htmx:config:request", { ctx: after });
  assert.equal(after.request.action, "/t/one/live?seen=4");
});

test("a move that was not sent goes by itself when the room answers again", async () => {
  const page = await open("snug.js", PAGE);
  const [form, live, poll] = ["unsent", "live", "poll"].map((id) => page.getElementById(id));
  form.requestSubmit = mock.fn();
  for (let n = 0; n < 2; n += 1) happens(live, "htmx:error", { ctx: request("POST", "/t/one/moves", { move: "play", seen: "4" }) });
  assert.ok(!form.hidden);
  assert.equal(htmx.trigger.mock.callCount(), 2, "the poll that is held may have no line either");
  happens(poll, "htmx:error", { ctx: request("GET", "/t/one/live?seen=4") });
  answers(page, 503);
  await pass(1);
  assert.equal(form.requestSubmit.mock.callCount(), 0);
  answers(page);
  await pass(1);
  assert.equal(form.requestSubmit.mock.callCount(), 1);
});

test("who does not cut the deck has it cut by chance, anew each time", async () => {
  const page = await open("snug.js", PAGE);
  const [form, field] = [page.getElementById("deal"), page.querySelector("[name=cut]")];
  const send = () => form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  send();
  const first = field.value;
  assert.match(first, /^[0-9a-f]{32}$/);
  send();
  assert.notEqual(field.value, first);
  field.value = "my own cut";
  send();
  assert.equal(field.value, "my own cut");
});

/** What comes in the place of #live; gives what is left for htmx to do. */
function swap(page, html) {
  const fragment = new DocumentFragment();
  const made = page.createElement("div");
  made.innerHTML = html;
  fragment.append(...made.childNodes);
  const detail = { tasks: [{ target: page.getElementById("live"), fragment, swapSpec: { style: "outerMorph" } }] };
  happens(page, "htmx:before:swap", detail);
  return detail.tasks;
}

test("only what is different is touched", async () => {
  const page = await open("snug.js", PAGE);
  const [live, card, other] = ["live", "card-1", "card-2"].map((id) => page.getElementById(id));
  const now = live.outerHTML.replace("Bob is to play", "You are to play").replace('data-version="4"', 'data-version="5"');
  assert.deepEqual(swap(page, now.replace('<button id="card-2" class="now">8</button>', '<button id="card-3" class="now">9</button>')), []);
  assert.equal(page.getElementById("live"), live);
  assert.equal(page.getElementById("card-1"), card);
  assert.equal(live.dataset.version, "5");
  assert.equal(page.getElementById("bar").textContent, "You are to play");
  assert.ok(!other.isConnected);
  assert.equal(page.getElementById("card-3").textContent, "9");
});

test("cards that wander are left to htmx, and so is what is typed", async () => {
  const page = await open("snug.js", PAGE.replace("</main>", "<div id='pile'></div><p id='talk'><textarea>Hm</textarea></p></main>"));
  const live = page.getElementById("live");
  const away = live.outerHTML.replace('<button id="card-2" class="now">8</button>', "").replace('<div id="pile">', '<div id="pile"><button id="card-2">8</button>');
  const [task] = swap(page, away);
  assert.equal(task.target, live);
  const [piece, ...more] = swap(page, live.outerHTML.replace("Hm", "Hm, well"));
  assert.equal(piece.target.nodeName, "TEXTAREA");
  assert.deepEqual(more, []);
});

test("when what had the focus is played, the next thing to do has it", async () => {
  const page = await open("snug.js", PAGE.replace('data-my-turn="false"', 'data-my-turn="true"'));
  const card = page.getElementById("card-1");
  card.focus();
  swap(page, page.getElementById("live").outerHTML.replace(card.outerHTML, ""));
  happens(page, "htmx:after:swap", {});
  assert.equal(page.activeElement.id, "card-2");
  page.getElementById("live").dataset.myTurn = "false";
  page.getElementById("card-2").focus();
  swap(page, page.getElementById("live").outerHTML.replace(page.getElementById("card-2").outerHTML, ""));
  happens(page, "htmx:after:swap", {});
  assert.equal(page.activeElement.id, "bar");
});

test("whoever plays from the hand stays in it, and whoever does not goes to what is done as a rule", async () => {
  const acts = '<div id="actions"><button class="main" id="draw">Draw</button><button id="pass">Pass</button></div>';
  const body = PAGE.replace('data-my-turn="false"', 'data-my-turn="true"').replace('<section id="mine">', `${acts}<section id="mine"><i class="sorter"><button id="sort">suit</button></i><div id="hand">`).replace("</section>", "</div></section>");
  for (const [from, to] of [["card-1", "card-2"], ["pass", "draw"]]) {
    const page = await open("snug.js", body);
    const played = page.getElementById(from);
    played.focus();
    swap(page, page.getElementById("live").outerHTML.replace(played.outerHTML, ""));
    happens(page, "htmx:after:swap", {});
    assert.equal(page.activeElement.id, to);
  }
  const page = await open("snug.js", body);
  page.getElementById("card-2").focus();
  swap(page, page.getElementById("live").outerHTML.replace(/<button id="card-\d" class="now">\d<\/button>/g, "").replace('<button class="main" id="draw">Draw</button>', ""));
  happens(page, "htmx:after:swap", {});
  assert.equal(page.activeElement.id, "pass"); // never the sorter
});

test("where Enter would play the first of several cards the hand has the focus, and from the bar on it says whose turn it is", async () => {
  const held = '<ul id="hand" tabindex="-1"><li><label class="pick"><input type="checkbox" id="pick-1"></label></li></ul>';
  const page = await open("snug.js", PAGE.replace('<section id="mine">', `<section id="mine">${held}`).replace(/<button id="card-\d" class="now">\d<\/button>/g, ""));
  page.getElementById("bar").focus();
  swap(page, page.getElementById("live").outerHTML);
  page.getElementById("live").dataset.myTurn = "true";
  happens(page, "htmx:after:swap", {});
  assert.deepEqual([page.activeElement.id, page.activeElement.getAttribute("aria-labelledby")], ["hand", "whose-turn hand"]);
  page.getElementById("pick-1").focus();
  assert.equal(page.getElementById("hand").hasAttribute("aria-labelledby"), false);
});

test("what was drawn is asked about again soon, once", async () => {
  const page = await open("snug.js", PAGE);
  page.getElementById("live").dataset.version = "5";
  happens(page, "htmx:after:swap", {});
  happens(page, "htmx:after:swap", {});
  await pass(79);
  assert.equal(htmx.trigger.mock.callCount(), 0);
  await pass(1);
  assert.equal(htmx.trigger.mock.callCount(), 1);
});

test("the browser's tab says whose turn it is", async () => {
  const page = await open("snug.js", PAGE);
  assert.deepEqual([page.title, page.getElementById("favicon").getAttribute("href")], ["Waiting · Snug", "calm.svg"]);
  Object.assign(page.getElementById("poll").dataset, { title: "Your turn · Snug", version: "5", myTurn: "true" });
  happens(page, "htmx:after:swap", {});
  assert.deepEqual([page.title, page.getElementById("favicon").getAttribute("href")], ["Your turn · Snug", "turn.svg"]);
  assert.equal(page.getElementById("live").dataset.version, "5");
});

test("a clock counts down, is late from ten seconds on, and ends at nothing", async () => {
  const page = await open("snug.js", PAGE);
  const left = page.getElementById("left");
  for (const [ms, text, late] of [[0, "0:12", false], [1_000, "0:11", false], [1_000, "0:10", true], [60_000, "0:00", true]]) {
    await pass(ms);
    assert.deepEqual([left.textContent, left.classList.contains("late")], [text, late]);
  }
});

test("hours and days are told as such", async () => {
  const counts = (seconds) => `<b data-countdown="${seconds}" data-face="on" data-hours="# h"></b>`;
  const page = await open("snug.js", PAGE.replace("</main>", `${[7_199, 7_200, 172_799, 172_800].map(counts).join("")}</main>`));
  assert.deepEqual([...page.querySelectorAll("b[data-countdown]:not([id])")].map((one) => one.textContent), ["119:59", "2 h", "47 h", "2 days"]);
});

test("keys press what bears them, but not while one writes", async () => {
  const page = await open("snug.js", `${PAGE}<a data-key="ArrowRight" id="next"></a><input id="field">`);
  const clicked = mock.fn();
  page.getElementById("next").addEventListener("click", clicked);
  const press = (at, more = {}) => at.dispatchEvent(new window.KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, ...more }));
  press(page.body);
  press(page.body, { ctrlKey: true });
  press(page.getElementById("field"));
  assert.equal(clicked.mock.callCount(), 1);
});

const SHEET = '<div class="felt"><div class="side"><details open style="position: fixed"><summary>Log</summary><b id="line"></b></details></div></div>';

test("a sheet over the table goes with a tap beside it and with Escape", async () => {
  const page = await open("snug.js", PAGE.replace("</main>", `${SHEET}</main>`));
  const sheet = page.querySelector("details");
  page.getElementById("line").click();
  assert.ok(sheet.open);
  const card = page.getElementById("card-1");
  let pressed = false;
  card.addEventListener("click", () => (pressed = true));
  card.click();
  assert.ok(!sheet.open);
  assert.ok(!pressed, "the tap does nothing else");
  assert.equal(page.activeElement, sheet.querySelector("summary"));
  sheet.open = true;
  page.body.dispatchEvent(new window.KeyboardEvent("keydown", { key: "a", bubbles: true }));
  assert.ok(sheet.open);
  page.getElementById("line").dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
  assert.ok(!sheet.open);
  sheet.open = true;
  sheet.style.position = "static"; // a wide screen
  card.click();
  assert.ok(sheet.open);
  assert.ok(pressed);
});

test("a link is copied, or selected where it cannot be", async () => {
  const copy = '<input id="link" value="https://snug.example/t/one"><button data-copy="link" data-copied="Copied" data-selected="Selected">Copy</button>';
  const page = await open("snug.js", PAGE.replace("</main>", `${copy}</main>`));
  const button = page.querySelector("[data-copy]");
  set("navigator", { clipboard: { writeText: mock.fn(async () => {}) } });
  button.click();
  await pass(0);
  assert.deepEqual(navigator.clipboard.writeText.mock.calls[0].arguments, ["https://snug.example/t/one"]);
  assert.equal(button.textContent, "Copied");
  navigator.clipboard.writeText.mock.mockImplementation(async () => { throw new Error("not allowed"); });
  button.click();
  await pass(0);
  assert.equal(button.textContent, "Selected");
});

test("what is not to be morphed is left to htmx as it is", async () => {
  const page = await open("snug.js", PAGE);
  const live = page.getElementById("live");
  const fragment = new DocumentFragment();
  fragment.append(page.createElement("section"));
  const task = { target: live, fragment, swapSpec: { style: "outerMorph" } };
  const detail = { tasks: [task] };
  happens(page, "htmx:before:swap", detail);
  assert.deepEqual(detail.tasks, [task]);
  const other = { target: live, fragment: new DocumentFragment(), swapSpec: { style: "innerHTML" } };
  other.fragment.append(live.cloneNode(true));
  const plain = { tasks: [other] };
  happens(page, "htmx:before:swap", plain);
  assert.deepEqual(plain.tasks, [other]);
});

test("my own clock is said aloud at ten seconds, once, and nobody else's is", async () => {
  const said = '<p id="told" data-left="{seconds} left."></p>';
  for (const [body, times] of [[PAGE.replace('<b id="left"', '<b id="left" class="mine"'), 1], [PAGE, 0]]) {
    const page = await open("snug.js", body + said);
    const told = page.getElementById("told");
    let heard = 0;
    for (let second = 0; second < 12; second += 1) {
      await pass(1_000);
      if (told.textContent === "10 left.") heard += 1;
      told.textContent = "";
    }
    assert.equal(heard, times);
  }
});
