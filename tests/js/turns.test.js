import assert from "node:assert/strict";
import { test } from "node:test";
import { run, show } from "./page.js";

const DOOR = '<a id="door" href="/"><b hidden>0</b><span class="sr"></span></a>';

test("the door and the title tell how many tables wait, and lead to them", async () => {
  const page = show(`${DOOR}<div id="turns" data-count="2" data-words="2 tables wait for you"></div>`);
  page.title = "Rules · Snug";
  const { tellTurns } = await run("snug/turns.js");
  const [door, told] = [page.getElementById("door"), page.getElementById("turns")];
  tellTurns();
  assert.deepEqual([door.getAttribute("href"), door.textContent, door.querySelector("b").hidden], ["/me", "22 tables wait for you", false]);
  assert.equal(page.title, "(2) Rules · Snug");
  told.dataset.count = "0";
  tellTurns();
  assert.deepEqual([door.getAttribute("href"), door.querySelector(".sr").textContent, door.querySelector("b").hidden], ["/", "", true]);
  assert.equal(page.title, "Rules · Snug");
});

test("a page that tells nothing of it stays as it is", async () => {
  const page = show(DOOR);
  page.title = "Snug";
  (await run("snug/turns.js")).tellTurns();
  assert.equal(page.title, "Snug");
});
