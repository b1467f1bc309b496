import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, pass, quiet, set } from "./page.js";

const TABLE = '<main id="live" class="at-playing" data-version="4"><section id="board">as it was</section><p id="say"></p></main><i id="poll"></i>';
const SCORES = '<main id="live" class="at-scores" data-version="5"><a id="replay-1" href="/t/one/replay/1/1">Replay</a></main>';
const LAST = '<main id="live"><section id="board">as it was left</section></main>';
let answer = null; // gives the last moment of the replay

async function table({ reduced = false } = {}) {
  return open("motion.js", TABLE, { before: (window) => {
    set("matchMedia", () => ({ matches: reduced }));
    window.Element.prototype.animate = () => ({ finished: new Promise(() => {}), cancel() {}, finish() {} });
    globalThis.fetch = mock.fn(() => new Promise((done) => (answer = () => done({ ok: true, text: async () => LAST }))));
  } });
}

/** The page of scores comes; whether it may be put onto the page. */
function scoresCome(page) {
  const fragment = page.createRange().createContextualFragment(SCORES);
  return happens(page, "htmx:before:swap", { tasks: [{ target: page.getElementById("live"), fragment }] });
}

const board = (page) => page.getElementById("board").textContent;
const wakes = () => htmx.trigger.mock.calls.map((call) => call.arguments.join(" "));

async function comes() {
  answer();
  for (let turn = 0; turn < 3; turn += 1) await quiet();
}

test("a round ends before one's eyes: its last moment stays two seconds, then come the scores", async () => {
  const page = await table();
  assert.ok(!scoresCome(page));
  assert.match(fetch.mock.calls[0].arguments[0], /\/t\/one\/replay\/1\/1\?step=99999$/);
  await comes();
  assert.equal(board(page), "as it was left");
  await pass(1_999);
  assert.deepEqual(wakes(), []);
  await pass(1);
  assert.deepEqual(wakes(), ["#poll wake"]);
  assert.ok(scoresCome(page));
});

test("a replay that does not come is waited for six seconds", async () => {
  const page = await table();
  scoresCome(page);
  assert.ok(!scoresCome(page));
  assert.equal(fetch.mock.callCount(), 1);
  await pass(5_999);
  assert.deepEqual(wakes(), []);
  await pass(1);
  assert.deepEqual(wakes(), ["#poll wake"]);
});

test("a tap or a key goes on at once, and what comes too late changes nothing", async () => {
  const page = await table();
  scoresCome(page);
  page.body.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Tab", bubbles: true }));
  assert.deepEqual(wakes(), []);
  page.body.click();
  assert.deepEqual(wakes(), ["#poll wake"]);
  await comes();
  assert.equal(board(page), "as it was");
  await pass(10_000);
  assert.deepEqual(wakes(), ["#poll wake"]);
});

test("while the end is looked at nothing is asked for", async () => {
  const page = await table();
  const asks = () => happens(page.getElementById("poll"), "htmx:before:request", {});
  assert.ok(asks());
  scoresCome(page);
  assert.ok(!asks());
  page.body.click();
  assert.ok(asks());
});

test("whoever wants no motion sees the scores at once", async () => {
  const page = await table({ reduced: true });
  assert.ok(scoresCome(page));
  assert.equal(fetch.mock.callCount(), 0);
});
