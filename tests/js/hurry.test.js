import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open } from "./page.js";

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
