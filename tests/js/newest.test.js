import assert from "node:assert/strict";
import { test } from "node:test";
import { happens, open, request } from "./page.js";

const PAGE = `
  <main id="live" data-version="4"><i id="poll" hx-get="/t/one/live?seen=4"></i><section id="mine"></section></main>
  <p id="offline" hidden></p><form id="unsent" hidden><p></p><span></span></form><link id="favicon">`;

async function opened() {
  const page = await open("snug.js", PAGE);
  const [live, poll] = ["live", "poll"].map((id) => page.getElementById(id));
  const asks = (target = live, ctx = request("POST", "/t/one/moves", { seen: "4" })) => {
    happens(target, "htmx:before:request", { ctx });
    return ctx;
  };
  const comes = (ctx, html, target = live) => {
    const fragment = page.createRange().createContextualFragment(html);
    return happens(target, "htmx:before:swap", { ctx, tasks: [{ target: live, fragment, swapSpec: { style: "none" } }] });
  };
  const nextPoll = ({ dropped = false } = {}) => {
    const ctx = request("GET", "/t/one/live?seen=7");
    happens(poll, "htmx:config:request", { ctx });
    if (!dropped) comes(asks(poll, ctx), part(live.dataset.version), poll);
    return ctx.request.action;
  };
  return { page, live, poll, asks, comes, nextPoll };
}

const part = (version) => `<i id="poll" data-version="${version}"></i>`;

test("of two answers the older is dropped", async () => {
  const { live, asks, comes, nextPoll } = await opened();
  const [move, talk, again] = [asks(), asks(), asks()];
  live.dataset.version = "6";
  assert.ok(!comes(move, part(5)));
  assert.ok(comes(talk, part(6)));
  assert.equal(nextPoll(), "/t/one/live?seen=7");
  assert.ok(comes(again, part(7)));
  const lacks = "what came in between may have been told by nobody";
  assert.equal(nextPoll({ dropped: true }), "/t/one/live?seen=0", lacks);
  assert.equal(nextPoll(), "/t/one/live?seen=0", "one that was dropped brought nothing");
  assert.equal(nextPoll(), "/t/one/live?seen=7");
});

test("what is dropped leaves its words and its question", async () => {
  const { page, live, poll, asks, comes, nextPoll } = await opened();
  const move = asks();
  live.dataset.version = "6";
  const refused = '<main id="live" data-version="5"><i id="poll" hx-get="/t/one/live?seen=5&amp;view=2"></i><p class="messages">No.</p></main>';
  assert.ok(!comes(move, refused));
  assert.equal(page.querySelector("#mine .messages").textContent, "No.");
  assert.equal(poll.getAttribute("hx-get"), "/t/one/live?seen=5&view=2");
  assert.equal(nextPoll(), "/t/one/live?seen=0");
});

test("what a click was told outlasts a poll that brings nothing new", async () => {
  for (const [now, left, place] of [[4, "No.", ""], [6, "No.", ""], [4, "No.Link out.", '<p class="messages"><b>Link out.</b></p>']]) {
    const { page, live, poll, asks } = await opened();
    const asked = asks(poll);
    live.dataset.version = String(now);
    live.insertAdjacentHTML("afterbegin", '<div class="messages"><b id="refusal">No.</b><b>Old.</b></div>');
    const fragment = (version) => page.createRange().createContextualFragment(`<main id="live" data-version="${version}"><section id="mine">${place}</section></main>`);
    for (const [version, words] of [[now, left], [now + 1, place && "Link out."]]) {
      const tasks = [{ target: live, fragment: fragment(version), swapSpec: { style: "none" } }];
      assert.ok(happens(poll, "htmx:before:swap", { ctx: asked, tasks }));
      assert.equal(tasks[0].fragment.querySelector(".messages")?.textContent ?? "", words);
    }
  }
});

test("a room that was put back is believed", async () => {
  const { poll, asks, comes } = await opened();
  assert.ok(comes(asks(poll), part(2), poll));
});

test("a poll that was asked before its player chose what to see is asked anew", async () => {
  const { poll, asks, comes, nextPoll } = await opened();
  const held = asks(poll, request("GET", "/t/one/live?seen=4"));
  poll.setAttribute("hx-get", "/t/one/live?seen=4&part=8S.8H.8D");
  assert.ok(!comes(held, part(5), poll));
  assert.equal(nextPoll(), "/t/one/live?seen=0");
});
