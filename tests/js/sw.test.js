import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open, quiet, set } from "./page.js";

let heard = {};
let pages = [];
const away = { status: 200, page: "away" };

/** The worker, with what a browser gives it. */
async function worker(reached) {
  heard = {};
  await open("sw.js", "", { before: () => {
    set("self", { addEventListener: (name, listener) => (heard[name] = listener), skipWaiting: mock.fn() });
    set("clients", { matchAll: mock.fn(async () => pages), openWindow: mock.fn() });
    set("registration", { showNotification: mock.fn(async () => {}), navigationPreload: { enable: mock.fn() } });
    set("caches", { open: async () => ({ add: add }), match: mock.fn(async () => away) });
    set("Request", class { constructor(url, how) { Object.assign(this, { url, ...how }); } });
    globalThis.fetch = mock.fn(async () => reached());
  } });
}
const add = mock.fn(async () => {});

/** Something happens to the worker; what it waits for. */
async function happens(name, event) {
  const waits = [];
  heard[name]({ ...event, waitUntil: (promise) => waits.push(promise) });
  await Promise.all(waits);
  await quiet();
  return waits.length;
}

async function goTo(mode = "navigate", method = "GET", preloadResponse = undefined) {
  let answer = null;
  heard.fetch({ request: { mode, method }, preloadResponse, respondWith: (promise) => (answer = promise) });
  return answer && (await answer);
}

const told = () => registration.showNotification.mock.calls.map((call) => call.arguments);

test("a notice is shown, and waited for", async () => {
  await worker();
  pages = [{ visibilityState: "hidden", url: "https://snug.example/t/one" }, { visibilityState: "visible", url: "https://snug.example/t/two" }];
  let isShown = false;
  registration.showNotification.mock.mockImplementation(async () => { await quiet(); isShown = true; });
  assert.equal(await happens("push", { data: { json: () => ({ title: "Your turn", body: "Life", url: "/t/one", tag: "one" }) } }), 1);
  assert.deepEqual(told(), [["Your turn", { body: "Life", tag: "one", renotify: true, data: { url: "/t/one" } }]]);
  assert.ok(isShown);
  assert.deepEqual(clients.matchAll.mock.calls[0].arguments, [{ type: "window", includeUncontrolled: true }]);
  await happens("push", {});
  assert.deepEqual(told()[1], ["Snug", { body: "", tag: undefined, renotify: false, data: { url: "/" } }]);
});

test("nobody is told of what he looks at", async () => {
  await worker();
  pages = [{ visibilityState: "visible", url: "https://snug.example/t/one?sort=suit" }];
  await happens("push", { data: { json: () => ({ url: "/t/one" }) } });
  assert.deepEqual(told(), []);
});

test("a notice leads to its page: to the open one, else to a new one, and never out of the room", async () => {
  await worker();
  const focus = mock.fn();
  pages = [{ url: "https://snug.example/", focus: mock.fn() }, { url: "https://snug.example/t/one", focus }];
  const close = mock.fn();
  await happens("notificationclick", { notification: { close, data: { url: "/t/one" } } });
  assert.deepEqual([close, focus, clients.openWindow].map((one) => one.mock.callCount()), [1, 1, 0]);
  await happens("notificationclick", { notification: { close, data: { url: "https://else.example/t/two" } } });
  assert.deepEqual(clients.openWindow.mock.calls[0].arguments, ["/t/two"]);
});

test("pages that are reached are as they are, and the page for when they are not is kept anew once", async () => {
  const page = { status: 404 };
  await worker(() => page);
  add.mock.resetCalls();
  assert.equal(await goTo(), page);
  assert.equal(await goTo("navigate", "GET", Promise.resolve({ status: 200, page: "preloaded" })).then((answer) => answer.page), "preloaded");
  assert.equal(await goTo("navigate", "GET", Promise.resolve(undefined)), page, "nothing was preloaded");
  await quiet();
  assert.equal(add.mock.callCount(), 1);
  const { url, credentials, cache } = add.mock.calls[0].arguments[0];
  assert.deepEqual([url, credentials, cache], ["/offline", "omit", "reload"]);
});

test("only whole pages are answered for", async () => {
  await worker(() => ({ status: 200 }));
  assert.equal(await goTo("cors"), null);
  assert.equal(await goTo("navigate", "POST"), null);
});

test("where the room is not reached, or closed behind its proxy, its page is the kept one", async () => {
  await worker(() => { throw new TypeError("no network"); });
  assert.equal(await goTo(), away);
  for (const status of [502, 504]) {
    await worker(() => ({ status }));
    assert.equal(await goTo(), away);
  }
  assert.deepEqual(caches.match.mock.calls[0].arguments, ["/offline", { ignoreVary: true }]);
  caches.match.mock.mockImplementation(async () => undefined);
  assert.deepEqual(await goTo(), { status: 504 });
});

test("the worker is ready at once and has its page", async () => {
  await worker();
  add.mock.resetCalls();
  await happens("install", {});
  assert.equal(self.skipWaiting.mock.callCount(), 1);
  assert.equal(add.mock.callCount(), 1);
  await happens("activate", {});
  assert.equal(registration.navigationPreload.enable.mock.callCount(), 1);
});
