import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, quiet, set } from "./page.js";

const LOOKS = `
  <details id="looks" data-corners="corners.css" open><summary>Looks</summary><form method="post" action="/preferences">
    <input type="radio" name="deck" value="two"><input type="radio" name="deck" value="four" checked>
    <input type="hidden" name="letters" value="off"><input type="checkbox" name="letters" value="on">
    <select name="indices"><option value="usual" selected></option><option value="large"></option></select>
    <input type="hidden" name="back" value="/"><button>Done</button></form>
    <p role="status" data-lost="Not kept."></p></details>
  <button id="elsewhere"></button>`;
const redirected = (type) => fetch.mock.mockImplementation(async () => ({ type }));
const corners = (page) => page.querySelectorAll("link[href='corners.css']").length;
const told = () => fetch.mock.calls.map((call) => call.arguments[1].body.toString());

async function choose(page, selector, change) {
  const field = page.querySelector(selector);
  change(field);
  field.dispatchEvent(new Event("change", { bubbles: true }));
  await quiet();
}

test("what is chosen shows at once, and the room is told", async () => {
  const page = await open("looks.js", LOOKS);
  redirected("opaqueredirect");
  await choose(page, "[value=two]", (field) => (field.checked = true));
  const { dataset } = page.documentElement;
  assert.deepEqual([dataset.deck, dataset.letters, dataset.back], ["two", "off", undefined]);
  assert.deepEqual(told(), ["deck=two&letters=off&indices=usual&back=%2F"]);
  const { method, redirect, keepalive } = fetch.mock.calls[0].arguments[1];
  assert.deepEqual([method, redirect, keepalive], ["POST", "manual", true], "it is told though the page is left");
  assert.equal(page.querySelector("[role=status]").textContent, "");
  assert.equal(corners(page), 0);
});

test("another language draws the page anew, once it is kept", async () => {
  const language = LOOKS.replace("<button>", "<select name=language><option value=auto selected></option><option value=de></option></select><button>");
  const page = await open("looks.js", language);
  const { reload } = set("location", { reload: mock.fn() });
  redirected("basic");
  await choose(page, "[name=language]", (field) => (field.value = "de"));
  assert.equal(reload.mock.callCount(), 0);
  redirected("opaqueredirect");
  await choose(page, "[value=two]", (field) => (field.checked = true));
  assert.equal(reload.mock.callCount(), 0);
  await choose(page, "[name=language]", (field) => (field.value = "auto"));
  assert.equal(reload.mock.callCount(), 1);
});

test("the styles of letters and large indices come once, when somebody wants them", async () => {
  const page = await open("looks.js", LOOKS);
  redirected("opaqueredirect");
  await choose(page, "[type=checkbox]", (field) => (field.checked = true));
  assert.equal(page.documentElement.dataset.letters, "on");
  assert.equal(corners(page), 1);
  await choose(page, "select", (field) => (field.value = "large"));
  assert.equal(corners(page), 1);
  const other = await open("looks.js", LOOKS);
  await choose(other, "select", (field) => (field.value = "large"));
  assert.equal(corners(other), 1);
});

test("what the room does not keep is said, until it is kept", async () => {
  const page = await open("looks.js", LOOKS);
  const said = page.querySelector("[role=status]");
  redirected("basic");
  await choose(page, "[value=two]", (field) => (field.checked = true));
  assert.equal(said.textContent, "Not kept.");
  redirected("opaqueredirect");
  await choose(page, "[value=four]", (field) => (field.checked = true));
  assert.equal(said.textContent, "");
  fetch.mock.mockImplementation(async () => { throw new TypeError("no network"); });
  await choose(page, "[value=two]", (field) => (field.checked = true));
  assert.equal(said.textContent, "Not kept.");
});

test("what was chosen before the script came is told, and nothing else", async () => {
  await open("looks.js", LOOKS);
  assert.deepEqual(told(), []);
  await open("looks.js", LOOKS, { before: (window) => (window.document.querySelector("[value=two]").checked = true) });
  await quiet();
  assert.equal(told().length, 1);
});

test("the panel closes by Escape, by its button, and by whatever is beside it", async () => {
  const page = await open("looks.js", LOOKS);
  const [panel, summary, elsewhere] = [page.getElementById("looks"), page.querySelector("summary"), page.getElementById("elsewhere")];
  const press = (key) => page.body.dispatchEvent(Object.assign(new Event("keydown", { bubbles: true }), { key }));
  const closes = (act) => {
    panel.open = true;
    act();
    return !panel.open;
  };
  assert.ok(!closes(() => press("a")));
  assert.ok(closes(() => press("Escape")));
  assert.equal(page.activeElement, summary);
  elsewhere.focus();
  press("Escape");
  assert.equal(page.activeElement, elsewhere, "a closed panel takes no focus");
  assert.ok(closes(() => assert.ok(!page.querySelector("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })))));
  assert.ok(closes(() => happens(elsewhere, "pointerdown")));
  assert.ok(!closes(() => happens(page.querySelector("select"), "pointerdown")));
  const leaves = (relatedTarget) => () => summary.dispatchEvent(Object.assign(new Event("focusout", { bubbles: true }), { relatedTarget }));
  assert.ok(closes(leaves(elsewhere)));
  assert.ok(!closes(leaves(page.querySelector("select"))));
  assert.ok(!closes(leaves(null)));
});
