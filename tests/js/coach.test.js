import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, pass } from "./page.js";

const TABLE = `
  <template id="coach" data-close="Got it"><p data-when=".now" data-at="mine">It is your turn.</p><p data-when="#lay" data-at="actions">You may lay.</p>
    <p data-of=".pile .under">So many are under it.</p><p data-of=".pile">The pile.</p></template>
  <main id="live"><div class="felt"><section id="mine"><button class="now">7</button></section><section id="actions"></section>
    <b class="pile"><i class="under">3</i></b><b id="plain"></b></div></main><p id="unsent" hidden></p><p id="offline" hidden></p>`;
const callout = (page) => page.querySelector(".callout");
const said = (page) => callout(page)?.firstElementChild.textContent;
const box = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height, width, height, x: left, y: top });

/** A table where everything is seen: my cards below, what may be done above them, the pile in the middle. */
async function table(kept = {}, places = {}) {
  const page = await open("coach.js", TABLE, { before: (window) => {
    window.document.documentElement.dataset.game = "life";
    for (const [name, value] of Object.entries(kept)) window.localStorage.setItem(name, value);
    window.Element.prototype.checkVisibility = function () { return !this.closest("[hidden]"); };
    globalThis.innerWidth = 400;
    globalThis.innerHeight = 600;
    const boxes = { mine: box(0, 500, 400, 90), actions: box(0, 440, 400, 50), ...places };
    window.Element.prototype.getBoundingClientRect = function () {
      if (this.className === "callout") return box(parseFloat(this.style.left) || 0, parseFloat(this.style.top) || 0, 200, 60);
      if (this.matches("#mine, #mine *")) return boxes.mine;
      return boxes[this.id] ?? (this.closest(".pile") ? box(180, 250, 40, 60) : box(0, 0, 0, 0));
    };
    for (const [name, size] of [["offsetWidth", 200], ["offsetHeight", 60]]) Object.defineProperty(window.HTMLElement.prototype, name, { value: size, configurable: true });
    mock.method(window, "addEventListener");
  } });
  page.documentElement.dataset.game = "life";
  return page;
}

test("a few words are said at their moment, beside what they are about, and once", async () => {
  const page = await table();
  assert.equal(said(page), "It is your turn.");
  assert.equal(callout(page).dataset.side, "beside", "what may be done lies between");
  const { left, top } = callout(page).style;
  assert.equal(left, "100px");
  assert.ok(parseFloat(top) + 60 <= 440 && parseFloat(top) + 60 > 430, top);
  callout(page).querySelector("button").click();
  assert.equal(callout(page), null);
  assert.equal(localStorage.getItem("coached-life"), "0");
  happens(page, "htmx:after:swap");
  assert.equal(callout(page), null);
  page.getElementById("actions").innerHTML = '<button id="lay"></button>';
  happens(page, "htmx:after:swap");
  assert.equal(said(page), "You may lay.");
  callout(page).querySelector("button").click();
  assert.equal(localStorage.getItem("coached-life"), "01");
});

test("words whose moment is over go by themselves, and are said again another time", async () => {
  const page = await table();
  const aloud = mock.fn();
  page.addEventListener("snug:tell", aloud);
  page.querySelector(".now").className = "";
  happens(page, "htmx:after:swap");
  assert.equal(callout(page), null);
  assert.equal(localStorage.getItem("coached-life"), null);
  page.querySelector("#mine button").className = "now";
  happens(page, "htmx:after:swap");
  assert.equal(said(page), "It is your turn.");
  assert.equal(aloud.mock.callCount(), 0, "aloud it was said already");
});

test("whoever has finished a match or a lesson is told nothing", async () => {
  assert.equal(callout(await table({ "coached-life": "yes" })), null);
  const page = await table();
  page.getElementById("live").classList.add("at-finished");
  happens(page, "htmx:after:swap");
  assert.equal(localStorage.getItem("coached-life"), "yes");
});

test("where there is no place nothing is said", async () => {
  assert.equal(callout(await table({}, { mine: box(0, 0, 400, 600) })), null);
});

test("a place above is told from one beside", async () => {
  const page = await table({}, { actions: box(0, 0, 0, 0) });
  assert.equal(callout(page).dataset.side, "above");
  const under = await table({}, { actions: box(0, 0, 0, 0), mine: box(0, 0, 400, 90) });
  assert.equal(callout(under).dataset.side, "below");
});

test("what is tapped says what it means, the innermost of it, until something else is tapped", async () => {
  const page = await table({ "coached-life": "yes" });
  page.querySelector(".under").click();
  assert.equal(said(page), "So many are under it.");
  page.querySelector(".pile").click();
  assert.equal(said(page), "The pile.");
  page.getElementById("plain").click();
  assert.equal(callout(page), null);
  page.querySelector(".pile").click();
  callout(page).querySelector("button").click();
  assert.equal(callout(page), null);
  assert.equal(localStorage.getItem("coached-life"), "yes");
});

test("what may be pressed is pressed, not explained", async () => {
  const page = await table({ "coached-life": "yes" });
  page.querySelector(".under").innerHTML = "<button>3</button>";
  page.querySelector(".under button").click();
  assert.equal(callout(page), null);
});

test("what was tapped and is gone is no longer spoken of", async () => {
  const page = await table({ "coached-life": "yes" });
  page.querySelector(".pile").click();
  happens(page, "htmx:after:swap");
  assert.equal(said(page), "The pile.");
  page.querySelector(".pile").remove();
  happens(page, "htmx:after:swap");
  assert.equal(callout(page), null);
});

test("a message that comes where words stand has them look for another place", async () => {
  const page = await table();
  const before = callout(page).style.top;
  const offline = page.getElementById("offline");
  const { getBoundingClientRect } = offline;
  offline.getBoundingClientRect = () => box(0, 370, 400, 60);
  offline.hidden = false;
  await pass(1);
  assert.ok(parseFloat(callout(page).style.top) < parseFloat(before));
  offline.getBoundingClientRect = getBoundingClientRect;
});

test("words stay where they are as long as nothing comes in their way", async () => {
  const page = await table();
  const { left, top } = callout(page).style;
  page.getElementById("mine").getBoundingClientRect = () => box(0, 100, 400, 90);
  happens(page, "htmx:after:swap");
  assert.deepEqual([callout(page).style.left, callout(page).style.top], [left, top]);
});

test("what was done twice is said no more", async () => {
  const page = await table();
  const form = page.createElement("form");
  form.setAttribute("action", "/t/one/moves");
  page.getElementById("live").append(form);
  const other = page.getElementById("live").appendChild(page.createElement("form"));
  other.setAttribute("action", "/t/one/talk");
  const send = (one) => one.dispatchEvent(new Event("submit", { bubbles: true }));
  send(form);
  send(other);
  assert.equal(said(page), "It is your turn.");
  send(form);
  assert.equal(callout(page), null);
  assert.equal(localStorage.getItem("coached-life"), "0");
  happens(page, "htmx:after:swap");
  assert.equal(callout(page), null);
});

test("words go as soon as a card is picked or a choice is open, and stay away from what is read", async () => {
  const page = await table();
  page.getElementById("mine").innerHTML = '<button class="now">7</button><input type="checkbox" checked>';
  happens(page, "change");
  assert.equal(callout(page), null);
  page.querySelector("input").checked = false;
  happens(page, "change");
  assert.equal(said(page), "It is your turn.");
  page.getElementById("actions").innerHTML = "<details open>How</details>";
  happens(page, "toggle");
  assert.equal(callout(page), null);
  assert.equal(localStorage.getItem("coached-life"), null);
  page.getElementById("actions").innerHTML = "";
  page.getElementById("plain").className = "fits";
  page.getElementById("plain").getBoundingClientRect = () => box(0, 0, 400, 600);
  happens(page, "htmx:after:swap");
  assert.equal(callout(page), null);
});
