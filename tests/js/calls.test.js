import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open, pass, quiet } from "./page.js";

const aside = (inner = "", more = "") => `<aside data-call="/call?seen=1" ${more}><p role="status">${inner}</p></aside>`;
const answer = (status, text = "") => async () => ({ status, ok: status < 400, text: async () => text });
const asked = () => fetch.mock.callCount();

test("who is called is told once, and the tab says it", async () => {
  const page = await open("calls.js", aside());
  const heard = mock.fn();
  page.addEventListener("snug:called", ({ detail }) => heard(detail.called));
  const called = aside('<b data-called="/t/two" data-title="Your table is ready">Your table</b>');
  fetch.mock.mockImplementation(answer(200, called));
  await pass(400);
  assert.deepEqual(heard.mock.calls.map((call) => call.arguments), [["/t/two"]]);
  assert.equal(page.title, "Your table is ready");
  await pass(400);
  assert.equal(heard.mock.callCount(), 1);
});

test("a room that answers is asked again soon, one that does not more and more seldom", async () => {
  await open("calls.js", aside());
  await quiet();
  assert.equal(asked(), 1);
  await pass(399);
  assert.equal(asked(), 1);
  fetch.mock.mockImplementation(answer(503));
  await pass(1);
  assert.equal(asked(), 2);
  for (const wait of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
    const before = asked();
    await pass(wait - 1);
    assert.equal(asked(), before, `asked before ${wait} ms`);
    await pass(1);
    assert.equal(asked(), before + 1, `not asked after ${wait} ms`);
  }
  fetch.mock.mockImplementation(answer(204));
  await pass(15_000);
  const before = asked();
  await pass(400);
  assert.equal(asked(), before + 1);
});

test("what was announced stays read", async () => {
  const news = aside('<b data-news="evening/3"></b><button data-read>Got it</button>');
  const page = await open("calls.js", news);
  page.querySelector("[data-read]").click();
  assert.ok(page.querySelector("aside").hidden);
  assert.equal(localStorage.getItem("read:evening"), "evening/3");
});
