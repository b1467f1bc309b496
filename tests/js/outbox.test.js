import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, pass, request, run, show } from "./page.js";

const PAGE = `
  <form id="unsent" hidden><p data-once="Not sent." data-again="Still not sent." data-sending="Sending…"></p><span></span><button id="again">Again</button></form>
  <main id="live" data-version="4" tabindex="-1"><i id="actions"></i></main><i id="poll"></i><i id="hall"></i>`;

async function opened({ body = PAGE, kept } = {}) {
  const page = show(body);
  if (kept) sessionStorage.setItem("outbox", JSON.stringify(kept));
  const form = page.getElementById("unsent");
  if (form) form.requestSubmit = mock.fn();
  Object.defineProperty(page, "readyState", { value: "complete" });
  const outbox = await run("snug/outbox.js");
  const live = page.getElementById("live");
  const at = (name, ctx, target = live) => happens(target, `htmx:${name}`, { ctx });
  const sends = (ctx, status, target = live) => {
    at("before:request", ctx, target);
    if (status) at("after:request", Object.assign(ctx, { response: { status } }), target);
    else at("error", ctx, target);
    at("finally:request", ctx, target);
  };
  const isStored = () => sessionStorage.getItem("outbox") !== null;
  return { page, form, live, at, sends, isStored, tries: () => form.requestSubmit.mock.callCount(), ...outbox };
}

const move = (fields = {}) => request("POST", "/t/one/moves", { seen: "4", ...fields });

test("only what was clicked is kept, not what the page asks by itself", async () => {
  const { page, form, live, at, isStored } = await opened();
  for (const id of ["poll", "hall"]) at("error", request("GET", "/t/one/live"), page.getElementById(id));
  happens(live, "htmx:error", { ctx: {} });
  assert.deepEqual([form.hidden, isStored()], [true, false]);
});

test("what fails at once is tried once more before a word is said", async () => {
  const { form, sends, tries, isStored } = await opened();
  sends(move());
  assert.deepEqual([form.hidden, tries(), isStored()], [true, 0, true]);
  await pass(300);
  assert.deepEqual([form.hidden, tries()], [true, 1]);
  sends(move(), 503, form);
  assert.deepEqual([form.hidden, form.children[0].textContent], [false, "Not sent."]);
  sends(move(), 200, form);
  assert.deepEqual([form.hidden, isStored()], [true, false]);
});

test("without a network it is said at once, and sent when there is one", async () => {
  const { form, sends, tries } = await opened();
  Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
  sends(move());
  assert.ok(!form.hidden);
  happens(window, "online");
  assert.equal(tries(), 1);
});

test("the tries are further and further apart", async () => {
  const { sends, form, tries } = await opened();
  sends(move());
  await pass(300);
  for (const wait of [2_000, 4_000, 8_000, 15_000, 15_000]) {
    const before = tries();
    sends(move(), 502, form);
    await pass(wait - 1);
    assert.equal(tries(), before, `${wait}`);
    await pass(1);
    assert.equal(tries(), before + 1, `${wait}`);
  }
});

test("what was too often is not lost", async () => {
  const { form, sends, isStored } = await opened();
  sends(move(), 429);
  assert.deepEqual([form.hidden, isStored()], [false, true]);
});

test("a newer page says that it is not sent no more, and asks what came of it", async () => {
  const { page, form, live, sends, tries } = await opened();
  for (let n = 0; n < 2; n += 1) sends(move());
  assert.ok(!form.hidden);
  happens(page, "htmx:after:swap", {});
  assert.ok(!form.hidden);
  live.dataset.version = "5";
  happens(page, "htmx:after:swap", {});
  assert.deepEqual([form.hidden, tries()], [true, 1]);
  sends(move(), 409, form);
  assert.ok(form.hidden);
});

test("what takes long is on its way", async () => {
  const { form, at } = await opened();
  const ctx = move();
  at("before:request", ctx);
  await pass(1_499);
  assert.ok(form.hidden);
  await pass(1);
  assert.deepEqual([form.hidden, form.children[0].textContent, form.children[0].getAttribute("role")], [false, "Sending…", "status"]);
  at("after:request", Object.assign(ctx, { response: { status: 200 } }));
  assert.ok(form.hidden);
});

test("what does not name its page waits for a tap, and takes no move's place", async () => {
  const { form, live, sends, tries, sendKept, isStored } = await opened();
  const talk = () => request("POST", "/t/one/talk", { text: "Hm" });
  sends(talk());
  assert.deepEqual([form.hidden, form.getAttribute("action"), isStored()], [false, "/t/one/talk", false]);
  assert.deepEqual([...form.querySelectorAll("input")].map(({ type, name, value }) => [type, name, value]), [["hidden", "text", "Hm"]]);
  live.dataset.version = "5";
  sendKept();
  assert.equal(tries(), 0);
  for (let n = 0; n < 2; n += 1) sends(move());
  sends(talk());
  assert.equal(form.getAttribute("action"), "/t/one/moves");
  sends(talk(), 200);
  assert.ok(!form.hidden, "that the line was said does not say that the move was made");
  sends(talk());
  sends(move(), 200, form);
  assert.deepEqual([form.hidden, form.getAttribute("action")], [false, "/t/one/talk"]);
  sends(talk(), 200, form);
  assert.ok(form.hidden);
});

test("what is said waits beside a move, and both are sent, the older first", async () => {
  const { form, sends, tries } = await opened();
  const talk = () => request("POST", "/t/one/talk", { text: "Hm", seen: "4" });
  const kept = () => JSON.parse(sessionStorage.getItem("outbox") ?? "[]").map(({ action }) => action);
  for (let n = 0; n < 2; n += 1) sends(move());
  assert.ok(form.matches("[data-row]"));
  for (let n = 0; n < 2; n += 1) sends(talk());
  assert.ok(!form.matches("[data-row]"), "no move waits for what is said");
  assert.deepEqual(kept(), ["/t/one/moves", "/t/one/talk"]);
  await pass(15_000);
  assert.deepEqual([tries(), form.getAttribute("action")], [1, "/t/one/moves"]);
  sends(move(), 200, form);
  assert.deepEqual([tries(), form.getAttribute("action"), form.hidden], [2, "/t/one/talk", false]);
  sends(talk(), 200, form);
  assert.deepEqual([kept(), form.hidden], [[], true]);
});

test("a form that is sent anew takes the place of what it said before", async () => {
  const { form, sends, isStored } = await opened();
  sends(move({ card: "7H" }));
  sends(move({ card: "8H" }));
  assert.ok(form.hidden, "it is tried once more");
  sends(move({ card: "8H" }), 200);
  assert.ok(!isStored());
});

test("a refusal that the form itself says is an answer", async () => {
  const { page, form, live, sends, isStored } = await opened();
  live.insertAdjacentHTML("beforeend", '<form id="say-form" hx-status:429="swap:outerMorph"></form>');
  const talk = () => request("POST", "/t/one/talk", { text: "Hm", seen: "4" });
  sends(talk(), 429, page.getElementById("say-form"));
  assert.deepEqual([form.hidden, isStored()], [true, false]);
  sends(talk(), 0, page.getElementById("say-form"));
  sends(talk(), 429, form);
  assert.deepEqual([form.hidden, isStored()], [false, true]);
});

test("bots that were not hurried are not hurried later", async () => {
  const { page, form, sends } = await opened();
  const hurry = Object.assign(page.createElement("form"), { id: "hurry" });
  page.body.append(hurry);
  sends(request("POST", "/t/one/hurry"), 0, hurry);
  assert.ok(form.hidden);
});

test("who pressed it again is told that it still is not, and is at the table once it is", async () => {
  const { page, form, live, sends } = await opened();
  for (let n = 0; n < 2; n += 1) sends(move());
  page.getElementById("again").focus();
  page.getElementById("again").addEventListener("click", (event) => event.preventDefault());
  page.getElementById("again").click();
  sends(move(), 0, form);
  assert.equal(form.children[0].textContent, "Still not sent.");
  sends(move(), 200, form);
  assert.equal(page.activeElement, live);
});

test("a page that was loaded anew sends what was kept, if it is not old", async () => {
  const kept = { action: "/t/one/moves", fields: [["move", "play"], ["seen", "4"]], path: "/t/one", since: 500_000 };
  const { form, tries } = await opened({ kept });
  assert.equal(tries(), 1);
  assert.deepEqual([...form.children[1].children].map(({ name, value }) => [name, value]), kept.fields);
  assert.equal((await opened({ kept: { ...kept, path: "/t/two" } })).tries(), 0);
  const old = await opened({ kept: { ...kept, since: 399_999 } });
  assert.deepEqual([old.tries(), old.isStored()], [0, false]);
  await opened({ kept, body: "<p>This table is put away.</p>" });
  assert.notEqual(sessionStorage.getItem("outbox"), null, "the table may be back soon");
});

test("what was clicked is not waited for without end", async () => {
  const { at } = await opened();
  const [post, get] = [move(), request("GET", "/t/one/live")];
  for (const ctx of [post, get]) at("config:request", ctx);
  assert.deepEqual([post.request.timeout, get.request.timeout], ["8s", undefined]);
});

test("the notice stands in the row of what can be done, wherever that goes", async () => {
  const { page, form, sends } = await opened();
  const row = { left: 1, top: 2, width: 300, height: 56 };
  page.getElementById("actions").getBoundingClientRect = () => row;
  for (let n = 0; n < 2; n += 1) sends(move());
  assert.ok(form.matches(".in-row"));
  row.top = 20;
  happens(window, "resize");
  assert.deepEqual([form.style.left, form.style.top, form.style.width, form.style.height], ["1px", "20px", "300px", "56px"]);
  row.height = 0;
  happens(window, "resize");
  assert.ok(!form.matches(".in-row"));
});
