import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open } from "./page.js";

const LESSON = `
  <main id="live" class="lesson" data-here="/learn/life/3"><div class="felt">
    <p id="said" data-not-yet="Not yet.">Take the seven.</p>
    <label id="ticked" data-lit><input type="checkbox" checked></label>
    <label id="seven"><input type="radio" data-lit></label>
    <form method="post"><button id="eight">8</button></form> <form><button id="panel">Panel</button></form>
    <form method="post"><input required><button id="unfilled">Send</button></form><i id="board"></i></div>
  </main><button id="outside"></button>`;
const shaken = (page) => [...page.querySelectorAll(".shaken")].map((one) => one.id);

/** A tap; whether it does what it usually does. */
const tap = (page, id) => happens(page.getElementById(id), "click");

async function lesson(body = LESSON) {
  const page = await open("learn.js", body, { before: (window) => mock.method(window.history, "replaceState") });
  window.HTMLFormElement.prototype.requestSubmit = window.HTMLFormElement.prototype.submit = () => {};
  page.addEventListener("submit", (event) => event.preventDefault());
  return page;
}

test("what is lit may be tapped, and so may what is outside the lesson", async () => {
  const page = await lesson();
  assert.ok(tap(page, "seven"));
  assert.ok(tap(page, "outside"));
  assert.deepEqual(shaken(page), []);
});

test("any other card is answered by the room, and what is lit shakes", async () => {
  const page = await lesson();
  assert.ok(tap(page, "eight"));
  assert.deepEqual(shaken(page), ["seven"]);
  assert.equal(page.getElementById("said").textContent, "Take the seven.");
});

test("whatever else is tapped has to wait, and is told so", async () => {
  const page = await lesson();
  for (const id of ["panel", "unfilled"]) {
    assert.ok(!tap(page, id), id);
    assert.equal(page.getElementById("said").textContent.replace(/ +/g, " "), "Not yet. Take the seven.");
  }
  assert.deepEqual(shaken(page), ["seven"]);
  assert.equal(page.querySelectorAll("#again").length, 1);
});

test("a tap on the board has what was said read once more, and says no more", async () => {
  const page = await lesson();
  assert.ok(!tap(page, "board"));
  assert.equal(page.getElementById("again"), null);
  assert.equal(page.getElementById("said").textContent, "Take the seven.");
});

test("the address is that of the step, and who has learned is coached no more", async () => {
  const page = await lesson();
  assert.deepEqual(history.replaceState.mock.calls[0].arguments, [null, "", "/learn/life/3"]);
  page.documentElement.dataset.game = "life";
  happens(page, "htmx:after:swap");
  assert.equal(localStorage.getItem("coached-life"), null);
  page.getElementById("live").classList.add("learned");
  happens(page, "htmx:after:swap");
  assert.equal(localStorage.getItem("coached-life"), "yes");
});

test("what is lit shakes again with a page on which something had to wait", async () => {
  const page = await lesson();
  happens(page, "htmx:after:swap");
  assert.deepEqual(shaken(page), []);
  page.getElementById("said").insertAdjacentHTML("beforeend", '<b id="again"></b>');
  happens(page, "htmx:after:swap");
  assert.deepEqual(shaken(page), ["seven"]);
});

test("what is lit comes into view with each page, and the second of two after the first", async () => {
  const page = await lesson();
  const seen = () => page.getElementById("seven").scrollIntoView.mock.calls.map((call) => call.this.id);
  assert.deepEqual(seen(), ["seven"]);
  happens(page, "change");
  assert.deepEqual(seen(), ["seven", "seven"]);
});

test("what has to wait hears nothing of the tap", async () => {
  const page = await lesson();
  const heard = mock.fn();
  page.getElementById("panel").addEventListener("click", heard);
  tap(page, "panel");
  assert.equal(heard.mock.callCount(), 0);
  page.getElementById("eight").addEventListener("click", heard);
  tap(page, "eight");
  assert.equal(heard.mock.callCount(), 1);
});
