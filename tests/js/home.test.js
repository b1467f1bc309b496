import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { open, pass, quiet, set } from "./page.js";

const AWAY = '<main id="away" data-page="/offline"></main>';
const SHARE = '<button data-share="Friday" data-url="/c/x/join/1" data-copied="Copied"><i></i><span>Share</span></button>';
const answers = (ok) => fetch.mock.mockImplementation(async () => ({ ok }));

/** The page is there under this address, and can be left. */
const at = (pathname) => set("location", { pathname, origin: "https://snug.example", replace: mock.fn(), reload: mock.fn() });

test("the page for when there is no network knocks every three seconds and goes on when the room is there", async () => {
  await open("home.js", AWAY);
  const here = at("/t/one");
  answers(false);
  await pass(2_999);
  assert.equal(fetch.mock.callCount(), 0);
  await pass(1);
  assert.equal(fetch.mock.calls[0].arguments[0], "/healthz");
  fetch.mock.mockImplementation(async () => { throw new TypeError("no network"); });
  await pass(3_000);
  assert.equal(here.reload.mock.callCount(), 0);
  answers(true);
  await pass(3_000);
  assert.equal(here.reload.mock.callCount(), 1);
  assert.equal(here.replace.mock.callCount(), 0);
});

test("whoever asked for that page itself is led home, as soon as there is a network", async () => {
  await open("home.js", AWAY);
  const here = at("/offline");
  answers(true);
  window.dispatchEvent(new Event("online"));
  await quiet();
  assert.deepEqual(here.replace.mock.calls.map((call) => call.arguments), [["/"]]);
  assert.equal(here.reload.mock.callCount(), 0);
});

test("any other page asks for nothing", async () => {
  await open("home.js", "<main></main>");
  await pass(10_000);
  window.dispatchEvent(new Event("online"));
  await quiet();
  assert.equal(fetch.mock.callCount(), 0);
});

test("a link is shared by the device, else copied, else shown", async () => {
  const page = await open("home.js", SHARE);
  const [button, url] = [page.querySelector("button"), "https://snug.example/c/x/join/1"];
  const device = set("navigator", { share: mock.fn(async () => { throw new Error("he changed his mind"); }) });
  button.click();
  await quiet();
  assert.deepEqual(device.share.mock.calls[0].arguments, [{ title: "Friday", url }]);
  assert.equal(button.textContent, "Share");
  const writeText = mock.fn(async () => {});
  set("navigator", { clipboard: { writeText } });
  button.click();
  await quiet();
  assert.deepEqual(writeText.mock.calls[0].arguments, [url]);
  assert.equal(button.textContent, "Copied");
  set("prompt", mock.fn());
  button.lastElementChild.textContent = "Share";
  for (const device of [{}, { clipboard: { writeText: async () => { throw new Error("not allowed"); } } }]) {
    set("navigator", device);
    button.click();
    await quiet();
    assert.deepEqual(prompt.mock.calls.at(-1).arguments, ["Friday", url]);
  }
  assert.equal(prompt.mock.callCount(), 2);
  assert.equal(button.textContent, "Share");
});

test("the device is told of the page for when there is no network", async () => {
  const register = mock.fn(async () => { throw new Error("refused"); });
  await open("home.js", "", { before: () => set("navigator", { serviceWorker: { register } }) });
  await quiet();
  assert.deepEqual(register.mock.calls[0].arguments, ["/sw.js"]);
});
