import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { happens, open, quiet, request, set } from "./page.js";

const line = (number, more = "") => `<li data-said="${number}" class="${more}">x</li>`;
const table = (lines = "", open = "") => `
  <script id="notices-script" type="application/json" data-turn="Your turn" data-unsafe="Only by {scheme}." data-denied="Denied." data-pushed="Pushed." data-unpushed="Unpushed."></script>
  <main id="live" data-my-turn="false" data-title="Life · Snug"></main><i id="notices" data-push-key="key"></i>
  <details id="happened" ${open}><ol id="log" hidden></ol>${lines}</details><span id="unread" hidden><b>0</b></span><input id="talk-text">
  <input type="checkbox" id="switch-notify" data-switch="notify"><input type="checkbox" id="other" data-switch="motion"><p id="notify-why"></p>`;
const unread = (page) => (page.getElementById("unread").hidden ? 0 : Number(page.querySelector("#unread b").textContent));
const show = mock.fn(async () => {});
const subscription = { endpoint: "https://push.example/1", toJSON: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "p", auth: "a" } }), unsubscribe: mock.fn() };

/** A browser that may show notices. */
function able(permission = "granted", { pushes = true } = {}) {
  const pushManager = pushes ? { subscribe: mock.fn(async () => subscription), getSubscription: mock.fn(async () => subscription) } : undefined;
  const worker = { showNotification: show, pushManager };
  return (window) => {
    show.mock.resetCalls();
    subscription.unsubscribe.mock.resetCalls();
    window.Notification = set("Notification", { permission, requestPermission: mock.fn(async () => permission) });
    set("navigator", { serviceWorker: { ready: Promise.resolve(worker), register: mock.fn(async () => worker), getRegistration: async () => worker } });
  };
}
const kept = (before, more) => (window) => {
  before(window);
  for (const [name, value] of Object.entries(more)) window.localStorage.setItem(name, value);
};

async function flip(page, id, on) {
  const box = page.getElementById(id);
  box.checked = on;
  box.dispatchEvent(new Event("change", { bubbles: true }));
  for (let turn = 0; turn < 5; turn += 1) await quiet();
  return page.getElementById("notify-why").textContent;
}

async function look(page, { isMyTurn, hidden = false }) {
  Object.defineProperty(page, "hidden", { value: hidden, configurable: true });
  page.getElementById("live").dataset.myTurn = String(isMyTurn);
  happens(page, "htmx:after:swap");
  for (let turn = 0; turn < 5; turn += 1) await quiet();
}

const posted = () => fetch.mock.calls.map(({ arguments: [to, { body }] }) => `${to} ${body}`);

test("what was sent leaves the field, what is half typed stays", async () => {
  const page = await open("notices.js", table());
  const field = page.getElementById("talk-text");
  const sent = (text, status) => happens(page, "htmx:after:request", { ctx: { ...request("POST", "/t/one/talk", { text }), response: { status } } });
  field.value = "Hello";
  sent("Hello", 422);
  sent("Hel", 200);
  assert.equal(field.value, "Hello");
  sent("Hello", 200);
  assert.equal(field.value, "");
});

test("the badge counts what others said behind a closed panel", async () => {
  const page = await open("notices.js", table(line(2) + line(3, "mine") + line(4)));
  assert.equal(unread(page), 2);
  const panel = page.getElementById("happened");
  panel.open = true;
  happens(panel, "toggle");
  assert.equal(unread(page), 0);
  assert.equal(localStorage.getItem("read:/t/one"), "4");
  panel.open = false;
  panel.insertAdjacentHTML("beforeend", line(5));
  await look(page, { isMyTurn: false });
  assert.equal(unread(page), 1);
  page.getElementById("log").hidden = false;
  await look(page, { isMyTurn: false });
  assert.equal(unread(page), 0, "the log is seen without the panel");
});

test("whoever looks elsewhere is told once that his turn has come", async () => {
  const page = await open("notices.js", table(), { before: kept(able(), { "on:notify": "true" }) });
  await look(page, { isMyTurn: true });
  assert.equal(show.mock.callCount(), 0, "he sees it");
  await look(page, { isMyTurn: false, hidden: true });
  assert.equal(show.mock.callCount(), 0);
  await look(page, { isMyTurn: true, hidden: true });
  assert.equal(show.mock.callCount(), 1);
  await look(page, { isMyTurn: true, hidden: true });
  assert.deepEqual(show.mock.calls.map((call) => call.arguments), [["Your turn", { body: "Life · Snug", tag: "one", data: { url: "/t/one" } }]]);
  happens(page, "snug:called", { notice: "Your table", body: "Stage 2", called: "/t/two" });
  await quiet();
  assert.equal(show.mock.calls[1].arguments[1].tag, "two");
});

test("without a permission, or a wish, nobody is told", async () => {
  for (const before of [kept(able("denied"), { "on:notify": "true" }), able()]) {
    const page = await open("notices.js", table(), { before });
    await look(page, { isMyTurn: true, hidden: true });
    happens(page, "snug:called", { notice: "Your table", body: "", called: "/t/two" });
    await quiet();
    assert.equal(show.mock.callCount(), 0);
  }
});

test("whoever turns notices on is asked, and the room can push them", async () => {
  const page = await open("notices.js", table(), { before: able() });
  fetch.mock.mockImplementation(async () => ({ ok: true }));
  assert.equal(await flip(page, "switch-notify", true), "Pushed.");
  assert.equal(localStorage.getItem("on:notify"), "true");
  assert.ok(page.getElementById("switch-notify").checked);
  assert.deepEqual(posted(), ["/push endpoint=https%3A%2F%2Fpush.example%2F1&p256dh=p&auth=a"]);
  const { pushManager } = await navigator.serviceWorker.ready;
  assert.deepEqual(pushManager.subscribe.mock.calls[0].arguments, [{ userVisibleOnly: true, applicationServerKey: "key" }]);
  assert.equal(await flip(page, "switch-notify", false), "");
  assert.equal(posted()[1], "/push/forget endpoint=https%3A%2F%2Fpush.example%2F1");
  assert.equal(subscription.unsubscribe.mock.callCount(), 1);
});

test("where there is no push, or the room refuses it, notices of an open page still work", async () => {
  const page = await open("notices.js", table(), { before: able("granted", { pushes: false }) });
  assert.equal(await flip(page, "switch-notify", true), "Unpushed.");
  assert.equal(fetch.mock.callCount(), 0);
  assert.ok(page.getElementById("switch-notify").checked);
  const refused = await open("notices.js", table(), { before: able() });
  fetch.mock.mockImplementation(async () => ({ ok: false }));
  assert.equal(await flip(refused, "switch-notify", true), "Unpushed.");
});

test("who may not be told has the switch back off, and reads why", async () => {
  const page = await open("notices.js", table(), { before: able("denied") });
  assert.equal(await flip(page, "switch-notify", true), "Denied.");
  assert.ok(!page.getElementById("switch-notify").checked);
  assert.equal(localStorage.getItem("on:notify"), "false");
  const unsafe = await open("notices.js", table());
  assert.equal(await flip(unsafe, "switch-notify", true), "Only by https://.");
  assert.ok(!unsafe.getElementById("switch-notify").checked);
});

test("the switches are this browser's own, and any other is only kept", async () => {
  const page = await open("notices.js", table(), { before: kept(able("denied"), { "on:motion": "true", "on:notify": "true" }) });
  assert.ok(page.getElementById("other").checked);
  assert.ok(!page.getElementById("switch-notify").checked, "not without the permission");
  await flip(page, "other", false);
  assert.equal(localStorage.getItem("on:motion"), "false");
  assert.equal(Notification.requestPermission.mock.callCount(), 0);
  await open("notices.js", table(), { before: kept(able(), { "on:notify": "true" }) });
  for (let turn = 0; turn < 5; turn += 1) await quiet();
  assert.equal(posted().length, 1, "a subscription is renewed when the page comes");
});
