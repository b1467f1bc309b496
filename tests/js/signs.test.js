import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, run, show } from "./page.js";

const TOLD = '<p id="sign" data-seat="2" data-number="7" data-sign="/signs.svg#glass">Bob raises a glass.</p>';

test("a sign is seen over its seat for two seconds, once", async () => {
  const page = show(`<ul><li id="player-2"></li></ul>${TOLD}`);
  page.getElementById("player-2").getBoundingClientRect = () => ({ left: 100, top: 50, width: 60 });
  const { showSign } = await run("snug/signs.js");
  showSign();
  showSign();
  const [sign, ...more] = page.querySelectorAll(".sign");
  assert.deepEqual([sign.style.left, sign.style.top, more.length], ["130px", "50px", 0]);
  assert.equal(sign.querySelector("use").getAttribute("href"), "/signs.svg#glass");
  await pass(2_000);
  assert.equal(page.querySelector(".sign"), null);
  page.getElementById("sign").dataset.number = "7";
  showSign();
  assert.ok(page.querySelector(".sign"), "a room that was started anew counts anew");
});

test("who has no place of their own on the page is seen over mine, or the board", async () => {
  for (const [seat, id] of [["1", "mine"], ["", "board"], ["3", "live"]]) {
    const page = show(`<main id="live"></main>${id === "live" ? "" : '<i id="mine"></i><i id="board"></i>'}${TOLD.replace('"2"', `"${seat}"`)}`);
    page.getElementById(id).getBoundingClientRect = () => ({ left: 10, top: 5, width: 0 });
    (await run("snug/signs.js")).showSign();
    assert.equal(page.querySelector(".sign").style.left, "10px");
  }
});

test("the sheet over a table goes when a sign is shown from it, a panel beside it stays", async () => {
  for (const [position, isOpen] of [["fixed", false], ["static", true]]) {
    const page = show('<details open><form id="sign-form"></form></details>');
    globalThis.getComputedStyle = () => ({ position });
    await run("snug/signs.js");
    page.querySelector("form").dispatchEvent(new Event("submit", { bubbles: true }));
    assert.equal(page.querySelector("details").open, isOpen);
  }
});
