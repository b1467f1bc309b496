import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, quiet, run, show } from "./page.js";

const said = (number, more = "") => `<p data-said="${number}" class="${more}">Hm</p>`;
const page_ = (lines = "", panel = "") => `
  <script id="notices-script" data-turn="Your turn" data-unsafe="Only on {scheme} pages." data-denied="Not allowed." data-pushed="Even when closed." data-unpushed="While open."></script>
  <main id="live" data-my-turn="false" data-title="Life · Snug"></main>
  <details id="happened" ${panel}><div id="log">${lines}</div><b id="unread" hidden><span>0</span></b><form id="say-form"><input id="talk-text"></form></details>
  <div id="notices" data-push-key="key"></div><p id="notify-why"></p>
  <input type="checkbox" data-switch="notify" id="switch-notify"><input type="checkbox" data-switch="other">`;

/** A browser that may show notices, and what it shows. */
function mayNotify(permission = "granted", subscribed = {}) {
  const shown = mock.fn();
  const subscription = { endpoint: "https://push.example/1", toJSON: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "p", auth: "a" } }), unsubscribe: mock.fn() };
  const worker = { showNotification: shown, pushManager: { subscribe: async () => subscription, getSubscription: async () => subscription, ...subscribed } };
  window.Notification = globalThis.Notification = { permission, requestPermission: async () => permission };
  Object.defineProperty(navigator, "serviceWorker", { value: { ready: Promise.resolve(worker), register: async () => worker, getRegistration: async () => worker } });
  return shown;
}

async function opened(html, { permission, subscribed, on = {} } = {}) {
  const page = show(html);
  for (const [name, value] of Object.entries(on)) localStorage.setItem(name, value);
  const shown = permission ? mayNotify(permission, subscribed) : null;
  await run("snug/older_browsers.js");
  await run("notices.js");
  return { page, shown };
}

const hide = (page) => Object.defineProperty(page, "hidden", { value: true });
const swap = async (page, isMyTurn) => {
  page.getElementById("live").dataset.myTurn = String(isMyTurn);
  happens(page, "htmx:after:swap", {});
  await quiet();
};
const change = async (page, name, checked) => {
  const box = page.querySelector(`[data-switch=${name}]`);
  box.checked = checked;
  happens(box, "change");
  await quiet();
  return box;
};
const why = (page) => page.getElementById("notify-why").textContent;
const posts = () => fetch.mock.calls.map(({ arguments: [to, { body }] }) => [to, Object.fromEntries(body)]);

test("one's turn is noticed once, when it comes", async () => {
  const { page, shown } = await opened(page_(), { permission: "granted", on: { "on:notify": "true" } });
  hide(page);
  await swap(page, false);
  assert.equal(shown.mock.callCount(), 0);
  await swap(page, true);
  await swap(page, true);
  assert.deepEqual(shown.mock.calls.map((call) => call.arguments), [["Your turn", { body: "Life · Snug", tag: "one", data: { url: "/t/one" } }]]);
  await swap(page, false);
  await swap(page, true);
  assert.equal(shown.mock.callCount(), 2);
});

test("a turn that was there when the page came is no news", async () => {
  const { page, shown } = await opened(page_().replace('data-my-turn="false"', 'data-my-turn="true"'), { permission: "granted", on: { "on:notify": "true" } });
  hide(page);
  await swap(page, true);
  assert.equal(shown.mock.callCount(), 0);
});

test("who looks at the page, wants no notices or does not allow them, gets none", async () => {
  for (const [permission, on, isHidden] of [["granted", "true", false], ["granted", "false", true], ["denied", "true", true]]) {
    const { page, shown } = await opened(page_(), { permission, on: { "on:notify": on } });
    if (isHidden) hide(page);
    await swap(page, true);
    assert.equal(shown.mock.callCount(), 0, `${permission} ${on} ${isHidden}`);
  }
});

test("a call is noticed where it leads", async () => {
  const { page, shown } = await opened(page_(), { permission: "granted", on: { "on:notify": "true" } });
  hide(page);
  happens(page, "snug:called", { notice: "Your table", body: "Cup · stage 2", called: "/t/two" });
  await quiet();
  assert.deepEqual(shown.mock.calls[0].arguments, ["Your table", { body: "Cup · stage 2", tag: "two", data: { url: "/t/two" } }]);
});

test("who wants notices is told whether they come to a closed page, too", async () => {
  for (const [subscribed, sentence, told] of [
    [{}, "Even when closed.", [["/push", { endpoint: "https://push.example/1", p256dh: "p", auth: "a" }]]],
    [{ subscribe: () => Promise.reject(new Error("no service")) }, "While open.", []],
  ]) {
    const { page } = await opened(page_(), { permission: "granted", subscribed });
    const box = await change(page, "notify", true);
    assert.deepEqual([why(page), posts(), box.checked, localStorage.getItem("on:notify")], [sentence, told, true, "true"]);
  }
});

test("a switch that cannot be on is off again, and says why", async () => {
  for (const [permission, sentence] of [["denied", "Not allowed."], [undefined, "Only on https:// pages."]]) {
    const { page } = await opened(page_(), { permission });
    const box = await change(page, "notify", true);
    assert.deepEqual([why(page), box.checked, localStorage.getItem("on:notify")], [sentence, false, "false"]);
  }
});

test("who wants no notices any more is forgotten by the room", async () => {
  const { page } = await opened(page_(), { permission: "granted", on: { "on:notify": "true" } });
  fetch.mock.resetCalls();
  await change(page, "notify", false);
  assert.deepEqual(posts(), [["/push/forget", { endpoint: "https://push.example/1" }]]);
});

test("talk behind a closed panel is counted, one's own is not, and what was read stays read", async () => {
  const { page } = await opened(page_(said(1) + said(2, "mine") + said(3)));
  const badge = page.getElementById("unread");
  assert.deepEqual([badge.hidden, badge.textContent], [false, "2"]);
  const panel = page.getElementById("happened");
  panel.open = true;
  panel.dispatchEvent(new Event("toggle"));
  assert.deepEqual([badge.hidden, localStorage.getItem("read:/t/one")], [true, "3"]);
  panel.open = false;
  page.getElementById("log").insertAdjacentHTML("beforeend", said(4));
  happens(page, "htmx:after:swap", {});
  assert.deepEqual([badge.hidden, badge.textContent], [false, "1"]);
});

test("what was said leaves the field, what was typed meanwhile stays", async () => {
  const { page } = await opened(page_());
  const field = page.getElementById("talk-text");
  const answered = (status, text) => happens(page, "htmx:finally:request", { ctx: { request: { body: new Map([["text", text]]) }, response: { status } } });
  field.value = "Hello";
  answered(422, "Hello");
  assert.equal(field.value, "Hello");
  answered(200, "Hell");
  assert.equal(field.value, "Hello");
  answered(200, "Hello");
  assert.equal(field.value, "");
  field.value = "Hello";
  happens(field, "input"); // the same again, before a second click on the first is answered
  answered(200, "Hello");
  assert.equal(field.value, "Hello");
  happens(page.getElementById("say-form"), "submit");
  answered(200, "Hello");
  assert.equal(field.value, "");
});

test("talk is read where the log is seen, though the panel is closed", async () => {
  const { page } = await opened(page_(said(1)));
  page.getElementById("log").checkVisibility = () => true;
  page.getElementById("log").insertAdjacentHTML("beforeend", said(2));
  happens(page, "htmx:after:swap", {});
  assert.ok(page.getElementById("unread").hidden);
});

test("where there is no push, or the room refuses it, notices of an open page still work", async () => {
  for (const manager of [undefined, {}]) {
    const { page } = await opened(page_(), { permission: "granted" });
    const worker = await navigator.serviceWorker.ready;
    if (!manager) worker.pushManager = undefined;
    fetch.mock.mockImplementation(async () => ({ ok: false }));
    const box = await change(page, "notify", true);
    assert.deepEqual([why(page), box.checked], ["While open.", true]);
  }
});

test("the switches are this browser's own, and any other is only kept", async () => {
  const { page } = await opened(page_(), { permission: "denied", on: { "on:other": "true", "on:notify": "true" } });
  const [notify, other] = page.querySelectorAll("[data-switch]");
  assert.deepEqual([notify.checked, other.checked], [false, true], "not without the permission");
  await change(page, "other", false);
  assert.equal(localStorage.getItem("on:other"), "false");
  assert.deepEqual(posts(), []);
});

test("a subscription is renewed when the page comes", async () => {
  await opened(page_(), { permission: "granted", on: { "on:notify": "true" } });
  await quiet();
  assert.deepEqual(posts().map(([to]) => to), ["/push"]);
});

test("what sounds is fetched once the page is there", async () => {
  const sound = "data:text/javascript,globalThis.sounds=true";
  await opened(page_().replace("<script", `<script data-sound="${sound}"`));
  await import("data:text/javascript,0"); // one after the other
  assert.ok(globalThis.sounds);
});
