import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, request, run, show } from "./page.js";

const PAGE = `
  <main id="live" tabindex="-1"></main><i id="poll"></i><i id="hall"></i>
  <form id="unsent" hidden><p data-once="Not sent." data-again="Still not sent."></p><span></span><button id="again">Again</button></form>`;

async function opened() {
  const page = show(PAGE);
  const unsent = await run("snug/unsent.js");
  const form = page.getElementById("unsent");
  form.requestSubmit = mock.fn();
  return { page, form, live: page.getElementById("live"), ...unsent };
}

test("only what was clicked is kept, not what the page asks by itself", async () => {
  const { page, form, live } = await opened();
  for (const id of ["poll", "hall"]) happens(page.getElementById(id), "htmx:error", { ctx: request("GET", "/t/one/live") });
  happens(live, "htmx:error", { ctx: {} });
  assert.ok(form.hidden);
  happens(live, "htmx:error", { ctx: request("POST", "/t/one/moves", { seen: "4" }) });
  assert.ok(!form.hidden);
  happens(page.getElementById("poll"), "htmx:after:request", { ctx: { ...request("GET", "/"), response: { status: 200 } } });
  assert.ok(!form.hidden, "an answer to a poll does not say that the move is through");
});

test("a room that cannot answer has not heard", async () => {
  const { form, live } = await opened();
  happens(live, "htmx:after:request", { ctx: { ...request("POST", "/t/one/moves", { seen: "4" }), response: { status: 503 } } });
  assert.ok(!form.hidden);
});

test("the latest takes the place of what was kept", async () => {
  const { form, live } = await opened();
  happens(live, "htmx:error", { ctx: request("POST", "/t/one/moves", { seen: "4", move: "draw" }) });
  happens(live, "htmx:error", { ctx: request("POST", "/t/one/talk", { text: "Hm" }) });
  assert.equal(form.getAttribute("action"), "/t/one/talk");
  assert.deepEqual([...form.querySelectorAll("input")].map(({ type, name, value }) => [type, name, value]), [["hidden", "text", "Hm"]]);
});

test("only what names its page goes by itself, and only while it is kept", async () => {
  const { form, live, unsentOnce, sendUnsent } = await opened();
  sendUnsent();
  assert.equal(form.requestSubmit.mock.callCount(), 0);
  happens(live, "htmx:error", { ctx: request("POST", "/t/one/talk", { text: "Hm" }) });
  assert.ok(!unsentOnce());
  happens(live, "htmx:error", { ctx: request("POST", "/t/one/moves", { seen: "4" }) });
  assert.ok(unsentOnce());
  sendUnsent();
  assert.equal(form.requestSubmit.mock.callCount(), 1);
});

test("who pressed it again is at the table once it is through", async () => {
  const { page, form, live } = await opened();
  happens(live, "htmx:error", { ctx: request("POST", "/t/one/moves", { seen: "4" }) });
  page.getElementById("again").focus();
  happens(form, "htmx:after:request", { ctx: { ...request("POST", "/t/one/moves"), response: { status: 200 } } });
  assert.ok(form.hidden);
  assert.equal(page.activeElement, live);
});

test("what was clicked is not waited for without end", async () => {
  const { live } = await opened();
  const [post, get] = [request("POST", "/t/one/moves"), request("GET", "/t/one/live")];
  for (const ctx of [post, get]) happens(live, "htmx:config:request", { ctx });
  assert.deepEqual([post.request.timeout, get.request.timeout], ["8s", undefined]);
});
