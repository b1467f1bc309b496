import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open, pass, quiet, run, show } from "./page.js";

test("a form learns the time zone once, and what is chosen there stays", async () => {
  const page = show('<input data-zone value="UTC"><input value="UTC">');
  const [field, other] = page.querySelectorAll("input");
  mock.method(Intl, "DateTimeFormat", () => ({ resolvedOptions: () => ({ timeZone: "Europe/Vienna" }) }));
  const { fillZones } = await run("snug/zone.js");
  fillZones();
  assert.deepEqual([field.value, other.value], ["Europe/Vienna", "UTC"]);
  field.value = "Europe/Rome";
  fillZones();
  assert.equal(field.value, "Europe/Rome");
});

test("who deals first is one of as many seats as are chosen", async () => {
  const seats = [3, 4, 5].map((count) => `<input type="radio" name="seats" value="${count}"${count === 4 ? " checked" : ""}>`).join("");
  const dealers = ["random", 1, 2, 3, 4, 5].map((seat) => `<option value="${seat}"${seat === 5 ? " selected" : ""}>`).join("");
  const page = await open("snug/chairs.js", `${seats}<select data-seat>${dealers}</select><select><option value="9"></select>`);
  const [dealer, other] = page.querySelectorAll("select");
  const offered = () => [...dealer.options].filter((option) => !option.disabled && !option.hidden).map((option) => option.value);
  assert.deepEqual([dealer.value, other.value, offered()], ["random", "9", ["random", "1", "2", "3", "4"]]);
  page.querySelector("[value='5']").click();
  assert.deepEqual(offered(), ["random", "1", "2", "3", "4", "5"]);
  dealer.value = "5";
  page.querySelector("[name=seats][value='3']").click();
  assert.deepEqual([dealer.value, offered()], ["random", ["random", "1", "2", "3"]]);
});

test("a link is copied, or selected for the person to copy", async () => {
  for (const [copies, words] of [[async () => {}, "Copied"], [() => Promise.reject(new Error("not here")), "Selected"]]) {
    const page = await open("snug/copy.js", '<input id="link" value="/t/one"><button data-copy="link" data-copied="Copied" data-selected="Selected"></button>');
    const writeText = mock.fn(copies);
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
    page.querySelector("button").click();
    await quiet();
    assert.equal(page.querySelector("button").textContent, words);
    assert.deepEqual(writeText.mock.calls[0].arguments, ["/t/one"]);
    assert.deepEqual([page.getElementById("link").selectionStart, page.getElementById("link").selectionEnd], [0, 6]);
  }
});

test("a sheet over the table goes with a tap beside it and with Escape; a panel beside the table stays", async () => {
  for (const [position, target, key, isOpen] of [
    ["fixed", "beside", null, false],
    ["fixed", "within", null, true],
    ["fixed", "beside", "Escape", false],
    ["fixed", "beside", "Enter", true],
    ["static", "beside", null, true],
  ]) {
    const page = await open(
      "snug/sheet.js",
      '<div class="felt"><div class="side"><details open><summary id="top">Scores</summary><p id="within"></p></details></div></div><p id="beside"></p>',
    );
    globalThis.getComputedStyle = () => ({ position });
    const event = key ? new window.KeyboardEvent("keydown", { key, bubbles: true }) : new window.MouseEvent("click", { bubbles: true, cancelable: true });
    page.getElementById(target).dispatchEvent(event);
    assert.equal(page.querySelector("details").open, isOpen, `${position} ${target} ${key}`);
    if (!isOpen) assert.equal(page.activeElement.id, "top");
  }
});

test("what is opened within a sheet comes into view", async () => {
  const page = await open("snug/sheet.js", '<div class="felt"><div class="side"><details open><details id="sure"></details></details></div></div><details id="looks"></details>');
  const seen = mock.fn();
  window.Element.prototype.scrollIntoView = function scroll() { seen(this.id); };
  for (const [id, isOpen] of [["looks", true], ["sure", true], ["sure", false]]) {
    page.getElementById(id).open = isOpen;
    page.getElementById(id).dispatchEvent(new Event("toggle"));
  }
  assert.deepEqual(seen.mock.calls.map((call) => call.arguments), [["sure"]]);
});

const FELT = '<div class="felt"><div class="side"><details><summary>Scores</summary></details></div></div><dialog></dialog>';

/** A table on a phone, and a way to open or shut something there. */
async function felt() {
  const page = await open("snug/back.js", FELT);
  globalThis.getComputedStyle = () => ({ position: "fixed" });
  const turn = (name, isOpen) => {
    page.querySelector(name).open = isOpen;
    page.querySelector(name).dispatchEvent(new Event("toggle"));
  };
  return { page, turn };
}

test("what lies over the table is a step of the history, which goes with it however it is put away", async () => {
  const { turn } = await felt();
  const back = mock.method(history, "back", () => history.replaceState(null, ""));
  turn("details", true);
  turn("dialog", true);
  assert.deepEqual([history.length, history.state], [2, { over: true }]);
  turn("dialog", false);
  assert.equal(back.mock.callCount(), 0);
  turn("details", false);
  assert.equal(back.mock.callCount(), 1);
});

test("Back puts away what lies uppermost", async () => {
  const { page, turn } = await felt();
  const [scores, rules] = page.querySelectorAll("details, dialog");
  rules.close = mock.fn(() => (rules.open = false));
  turn("details", true);
  turn("dialog", true);
  history.replaceState(null, "");
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  assert.deepEqual([scores.open, rules.open], [true, false]);
  window.dispatchEvent(new window.PopStateEvent("popstate"));
  assert.equal(scores.open, false);
});

test("a list that is opened for a moment goes with a tap beside it, which is not lost, and with Escape", async () => {
  const page = await open("snug/sheet.js", '<details data-passing open><summary id="top">How</summary><p id="within"></p></details><p id="beside"></p>');
  const list = page.querySelector("details");
  const tap = (id) => page.getElementById(id).dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true }));
  tap("within");
  assert.ok(list.open);
  assert.ok(tap("beside"));
  assert.ok(!list.open);
  list.open = true;
  page.body.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  assert.deepEqual([list.open, page.activeElement.id], [false, "top"]);
});

const says = (word) => `data:text/javascript,document.body.dataset.here%3D"${word}"`;

/** What a script says that is imported now: waited for, however long it is on its way. */
async function come(page) {
  if (!page.body.dataset.here) await new Promise((done) => new MutationObserver(done).observe(page.body, { attributes: true }));
  return page.body.dataset.here;
}

test("what a panel does comes when it is opened", async () => {
  const page = await open("snug/later.js", `<details data-script='${says("panel")}'></details>`);
  page.querySelector("details").dispatchEvent(new Event("toggle"));
  assert.equal(await come(page), "panel");
});

test("what is needed later comes when the page is there", async () => {
  const page = await open("snug/later.js", `<template data-later='${says("later")}'></template>`);
  window.dispatchEvent(new Event("load"));
  assert.equal(await come(page), "later");
});

test("that somebody is writing is told every three seconds at most, and not of an empty field", async () => {
  const page = await open("snug.js", '<details data-writing="/t/one/writing"><input id="talk-text"><input id="other"></details>');
  const field = page.getElementById("talk-text");
  const types = (at, text) => {
    at.value = text;
    at.dispatchEvent(new Event("input", { bubbles: true }));
  };
  types(field, "");
  types(page.getElementById("other"), "Hm");
  assert.equal(fetch.mock.callCount(), 0);
  types(field, "H");
  assert.deepEqual([fetch.mock.calls[0].arguments[0], fetch.mock.calls[0].arguments[1].method], ["/t/one/writing", "POST"]);
  await pass(2_999);
  types(field, "Hm");
  assert.equal(fetch.mock.callCount(), 1);
  await pass(1);
  types(field, "Hm,");
  assert.equal(fetch.mock.callCount(), 2);
});
