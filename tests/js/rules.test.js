import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open, quiet, set } from "./page.js";

const TABLE = `
  <script id="rules-script" type="application/json" data-close="Close" data-rules="The rules"></script><main id="live" tabindex="-1"></main>
  <a id="rule" href="/t/one/rules#sets">the rule</a> <a id="other" href="/t/one/rules#runs">another</a> <a id="game" href="/rules/life?seats=3"><b>rules</b></a>
  <a id="lobby" href="/">the lobby</a> <a id="new" href="/rules/life" target="_blank">rules</a> <a id="away" href="https://else.example/rules">rules</a>`;
const RULES = `<main class="prose"><p><a id="way-back">Back</a></p><h2 id="sets">Sets</h2><h2 id="runs">Runs</h2><section aria-labelledby="sets">Three</section>
  <p><a id="way-back-below">Back</a></p></main>`;

function before(window) {
  window.Element.prototype.scrollIntoView = mock.fn();
  window.HTMLElement.prototype.showModal = mock.fn(function () { this.setAttribute("open", ""); });
  window.HTMLElement.prototype.close = function () {
    this.removeAttribute("open");
    this.dispatchEvent(new window.Event("close"));
  };
  Object.defineProperty(window.HTMLElement.prototype, "open", { get() { return this.hasAttribute("open"); }, configurable: true });
  set("location", { origin: "https://snug.example", assign: mock.fn() });
}

/** A click; whether the link is followed as usual. */
async function click(page, id, more = {}) {
  const event = Object.assign(new Event("click", { bubbles: true, cancelable: true }), { button: 0, ...more });
  const isUsual = page.querySelector(id).dispatchEvent(event);
  for (let turn = 0; turn < 5; turn += 1) await quiet();
  return isUsual;
}

async function table() {
  const page = await open("rules.js", TABLE, { before });
  fetch.mock.mockImplementation(async () => ({ ok: true, text: async () => RULES }));
  return [page, page.getElementById("rules-sheet")];
}

test("a link to the rules opens them over the table, at its place", async () => {
  const [page, sheet] = await table();
  assert.ok(!(await click(page, "#rule")));
  assert.ok(sheet.open);
  assert.deepEqual(fetch.mock.calls[0].arguments, ["/t/one/rules"]);
  assert.equal(sheet.getAttribute("aria-label"), "The rules");
  assert.equal(sheet.querySelector("button").getAttribute("aria-label"), "Close");
  assert.equal(sheet.querySelector("#rules-sets").className, "pointed");
  assert.equal(window.Element.prototype.scrollIntoView.mock.calls[0].this.id, "rules-sets");
  assert.equal(sheet.querySelector("section").getAttribute("aria-labelledby"), "rules-sets");
  assert.ok(!sheet.textContent.includes("Back"));
});

test("the same rules are fetched once, others anew", async () => {
  const [page, sheet] = await table();
  await click(page, "#rule");
  await click(page, "#other");
  assert.deepEqual([...sheet.querySelectorAll(".pointed")].map((place) => place.id), ["rules-runs"]);
  assert.equal(fetch.mock.callCount(), 1);
  assert.equal(window.HTMLElement.prototype.showModal.mock.callCount(), 1);
  assert.equal(location.assign.mock.callCount(), 0);
  await click(page, "#game b");
  assert.deepEqual(fetch.mock.calls[1].arguments, ["/rules/life?seats=3"]);
  assert.equal(sheet.querySelector(".pointed"), null);
});

test("any other link, and one that is to open elsewhere, is one like any other", async () => {
  const [page, sheet] = await table();
  for (const id of ["#lobby", "#new", "#away"]) assert.ok(await click(page, id), id);
  for (const key of ["ctrlKey", "metaKey", "shiftKey", "altKey"]) assert.ok(await click(page, "#rule", { [key]: true }), key);
  assert.ok(await click(page, "#rule", { button: 1 }));
  assert.equal(fetch.mock.callCount(), 0);
  assert.ok(!sheet.open);
});

test("rules that cannot be fetched are gone to", async () => {
  const [page, sheet] = await table();
  for (const answer of [{ ok: false, text: async () => RULES }, { ok: true, text: async () => "<p>No rules" }, null]) {
    fetch.mock.mockImplementation(async () => answer);
    await click(page, "#rule");
  }
  assert.deepEqual(location.assign.mock.calls.map((call) => call.arguments[0]), Array(3).fill("https://snug.example/t/one/rules#sets"));
  assert.ok(!sheet.open);
});

test("a tap beside the sheet closes it, and who has lost the focus is at the table", async () => {
  const [page, sheet] = await table();
  await click(page, "#rule");
  await click(page, "#rules-sheet");
  assert.ok(!sheet.open);
  assert.equal(page.activeElement.id, "live");
});
