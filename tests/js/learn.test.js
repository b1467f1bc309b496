import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, run, show } from "./page.js";

const PAGE = `
  <div class="lesson"><main id="live" data-here="/learn/life/3">
    <p id="said" data-not-yet="Not yet.">Play the seven.</p>
    <div class="felt">
      <form method="post"><button id="seven" data-lit name="card" value="7">7</button><button id="eight" name="card" value="8">8</button></form>
      <label id="tick"><input type="checkbox" id="box"></label>
      <button id="sort" type="button">Sort</button><i id="felt"></i>
    </div>
  </main></div><button id="outside" type="button"></button>`;

async function opened(html = PAGE) {
  const page = show(html);
  page.documentElement.dataset.game = "life";
  window.Element.prototype.scrollIntoView = mock.fn();
  await run("snug/older_browsers.js");
  await run("learn.js");
  for (const form of page.forms) form.addEventListener("submit", (event) => event.preventDefault());
  const tap = (id) => {
    const event = new window.MouseEvent("click", { bubbles: true, cancelable: true });
    page.getElementById(id).dispatchEvent(event);
    return !event.defaultPrevented;
  };
  return { page, tap, said: () => page.getElementById("said").textContent.replace(/\s+/g, " "), isShaken: () => page.getElementById("seven").classList.contains("shaken") };
}

test("what is lit may be tapped, and whatever is beside the table", async () => {
  const { tap, isShaken } = await opened();
  assert.ok(tap("outside"));
  assert.ok(!isShaken());
  let heard = false;
  document.getElementById("seven").addEventListener("click", () => (heard = true));
  tap("seven");
  assert.ok(heard && !isShaken());
});

test("any other card is the room's to answer, and what is lit shakes", async () => {
  const { tap, said, isShaken } = await opened();
  let heard = false;
  document.getElementById("eight").addEventListener("click", () => (heard = true));
  tap("eight");
  assert.ok(heard);
  assert.ok(isShaken());
  assert.equal(said(), "Play the seven.");
});

test("whatever else is tapped has to wait, and is told so once", async () => {
  const { page, tap, said, isShaken } = await opened();
  page.getElementById("sort").addEventListener("click", () => assert.fail("it is heard of by nobody"));
  assert.ok(!tap("sort"));
  assert.ok(!tap("box"));
  assert.ok(!page.getElementById("box").checked);
  assert.equal(said(), "Not yet. Play the seven.");
  assert.ok(isShaken());
});

test("who taps nothing in particular hears what was said once more", async () => {
  const { tap, said } = await opened();
  assert.ok(!tap("felt"));
  assert.equal(said(), "Play the seven.");
});

test("of two that are lit the one comes into view that is not ticked yet", async () => {
  const lit = (id) => `<label id="${id}"><input type="checkbox" data-lit></label>`;
  const { page } = await opened(`<div class="lesson"><main id="live" data-here="/learn/life/3"><div class="felt">${lit("one")}${lit("two")}</div></main></div>`);
  const seen = () => window.Element.prototype.scrollIntoView.mock.calls.at(-1).this.id;
  assert.equal(seen(), "one");
  page.querySelector("#one input").checked = true;
  happens(page, "change");
  assert.equal(seen(), "two");
});

test("the address is that of the step, and who has learned a game is not coached any more", async () => {
  const { page } = await opened();
  assert.equal(location.pathname, "/learn/life/3");
  const live = page.getElementById("live");
  live.dataset.here = "/learn/life/4";
  happens(page, "htmx:after:swap", {});
  assert.equal(location.pathname, "/learn/life/4");
  assert.equal(localStorage.getItem("coached-life"), null);
  live.classList.add("learned");
  happens(page, "htmx:after:swap", {});
  assert.equal(localStorage.getItem("coached-life"), "yes");
});

test("a form that is not filled in has to wait, too", async () => {
  const { tap, said } = await opened(PAGE.replace('<i id="felt">', '<form method="post"><input required><button id="unfilled">Send</button></form><i id="felt">'));
  assert.ok(!tap("unfilled"));
  assert.equal(said(), "Not yet. Play the seven.");
});

test("what is lit shakes again with a page on which something had to wait", async () => {
  const { page, isShaken } = await opened();
  happens(page, "htmx:after:swap", {});
  assert.ok(!isShaken());
  page.getElementById("said").insertAdjacentHTML("beforeend", '<b id="again"></b>');
  happens(page, "htmx:after:swap", {});
  assert.ok(isShaken());
});
