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
  page.title = `(2) ${page.title}`;
  page.dispatchEvent(new CustomEvent("htmx:after:swap"));
  assert.equal(page.title, "(2) Your table is ready", "other tables that wait are counted by others");
  page.querySelector("[data-called]").dataset.title = "";
  page.dispatchEvent(new CustomEvent("htmx:after:swap"));
  assert.equal(page.title, "(2)");
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

test("what is announced anew is told though older news was read, and a tap elsewhere reads nothing", async () => {
  const news = (number) => aside(`<b data-news="evening/${number}"></b><button data-read>Got it</button>`);
  const page = await open("calls.js", news(3));
  page.body.click();
  assert.ok(!page.querySelector("aside").hidden);
  page.querySelector("[data-read]").click();
  assert.ok(page.querySelector("aside").hidden);
  fetch.mock.mockImplementation(answer(200, news(4)));
  await pass(400);
  assert.ok(!page.querySelector("aside").hidden);
});

test("the element stays and becomes what the room says", async () => {
  const page = await open("calls.js", aside("<b>old</b>", 'class="quiet" hidden') + "<p></p>");
  const kept = page.querySelector("aside");
  fetch.mock.mockImplementation(answer(200, "<p>an error page of a proxy</p>"));
  await pass(400);
  assert.equal(kept.textContent, "old");
  fetch.mock.mockImplementation(answer(200, aside("<b>new</b>", 'data-mark="1"').replace("</aside>", "<a>more</a></aside>").replace("seen=1", "seen=2")));
  await pass(400);
  await pass(400);
  assert.equal(page.querySelector("aside"), kept);
  assert.deepEqual([...kept.getAttributeNames()].sort(), ["data-call", "data-mark"]);
  assert.equal(kept.textContent, "newmore");
  assert.equal(kept.children.length, 2);
  await pass(400);
  assert.equal(fetch.mock.calls.at(-1).arguments[0], "/call?seen=2");
});
