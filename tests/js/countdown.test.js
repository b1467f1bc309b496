import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, run, show } from "./page.js";

const PAGE = '<main id="live" data-version="4"><b id="left" data-countdown="30"></b></main>';

test("seconds are told as minutes, hours or days", async () => {
  show(PAGE);
  const { face } = await run("snug/countdown.js");
  for (const [seconds, words] of [[0, "0:00"], [9, "0:09"], [61, "1:01"], [7_199, "119:59"], [7_200, "2 h"], [172_799, "47 h"], [172_800, "2 days"]]) {
    assert.equal(face(seconds, "# h"), words);
  }
});

test("what is only planned is told in whole minutes, and is never at its end", async () => {
  show(PAGE);
  const { about } = await run("snug/countdown.js");
  for (const [seconds, words] of [[0, "1 minute"], [60, "1 minute"], [61, "2 minutes"], [900, "15 minutes"]]) {
    assert.equal(about(seconds), words);
  }
});

test("a clock goes on over a page that says the same of the same version, and begins anew with the next", async () => {
  const page = show(PAGE);
  const [live, left] = [page.getElementById("live"), page.getElementById("left")];
  const { setCountdowns } = await run("snug/countdown.js");
  setCountdowns();
  assert.equal(left.textContent, "30");
  await pass(4_000);
  setCountdowns();
  assert.equal(left.textContent, "26");
  live.dataset.version = "5";
  setCountdowns();
  assert.equal(left.textContent, "30");
  left.dataset.countdown = "12";
  setCountdowns();
  assert.equal(left.textContent, "12");
  left.remove();
  setCountdowns();
  await pass(1_000);
  assert.equal(left.textContent, "12");
});
