import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open } from "./page.js";

test("a tap on the felt or a key hurries the bots, but not while it is my turn or somebody types", async () => {
  for (const [target, key, myTurn, times] of [
    ["board", null, "false", 1],
    ["inside", null, "false", 1],
    ["card", null, "false", 0],
    ["aside", null, "false", 0],
    ["board", null, "true", 0],
    ["card", "b", "false", 1],
    ["card", "c", "false", 0],
    ["aside", "b", "false", 0],
    ["field", "b", "false", 0],
  ]) {
    const page = await open(
      "snug/hurry.js",
      `<main id="live" data-my-turn="${myTurn}"><div class="felt"><div class="board" id="board"><i id="inside"></i><button id="card"></button></div><input id="field"></div></main>
      <p id="aside"></p><form id="hurry"></form>`,
    );
    const form = page.getElementById("hurry");
    form.requestSubmit = mock.fn();
    const event = key ? new window.KeyboardEvent("keydown", { key, bubbles: true }) : new window.MouseEvent("click", { bubbles: true });
    page.getElementById(target).dispatchEvent(event);
    assert.equal(form.requestSubmit.mock.callCount(), times, `${target} ${key} ${myTurn}`);
  }
});

test("once hurried, they hurry on until it is my turn or nothing is played any more", async () => {
  for (const ends of ["my turn", "scores"]) {
    const page = await open(
      "snug/hurry.js",
      '<main id="live" data-my-turn="false"><div class="felt"><div class="board"></div></div></main><form id="hurry"><button></button></form>',
    );
    const form = page.getElementById("hurry");
    form.requestSubmit = mock.fn();
    const times = () => form.requestSubmit.mock.callCount();
    happens(page, "htmx:after:swap");
    assert.equal(times(), 0);
    form.dispatchEvent(new Event("submit", { bubbles: true }));
    happens(page, "htmx:after:swap");
    happens(page, "htmx:after:swap");
    assert.equal(times(), 2);
    if (ends === "scores") form.remove();
    else page.getElementById("live").dataset.myTurn = "true";
    happens(page, "htmx:after:swap");
    page.getElementById("live").dataset.myTurn = "false";
    page.body.append(form);
    happens(page, "htmx:after:swap");
    assert.equal(times(), 2, ends);
  }
});
