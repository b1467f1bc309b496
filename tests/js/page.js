// A page without a browser: the document, a clock that tests move, and what htmx and the network would do.

import assert from "node:assert/strict";
import { register } from "node:module";
import { afterEach, mock } from "node:test";
import { JSDOM, VirtualConsole } from "jsdom";

const TAKEN = [
  ...["window", "document", "location", "history", "navigator", "localStorage", "sessionStorage"],
  ...["Node", "Element", "HTMLInputElement", "HTMLFormElement", "DocumentFragment", "DOMParser", "Event", "CustomEvent"],
  ...["FormData", "MutationObserver"],
];
const SPOKEN = ["addEventListener", "getComputedStyle", "prompt", "requestAnimationFrame"]; // by their bare names
const faults = []; // what went wrong in listeners, which nobody would hear of
const complaints = new VirtualConsole().on("jsdomError", (error) => error.type === "unhandled-exception" && faults.push(error.cause));
let opened = 0;

register("./fresh.js", import.meta.url);

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
  assert.deepEqual(faults.splice(0), []);
});

/** Opens a page and runs one of our scripts on it, as if it were the first. No time passes but by `pass`. */
export async function open(script, body, options) {
  const page = show(body, options);
  await run(script);
  return page;
}

/** A page without any script; `before` makes ready what scripts will find. */
export function show(body, { now = 1_000_000, before = () => {} } = {}) {
  const { window } = new JSDOM(`<!doctype html><html lang="en"><body>${body}</body></html>`, {
    url: "https://snug.example/t/one",
    pretendToBeVisual: true,
    virtualConsole: complaints,
  });
  for (const name of TAKEN) Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
  for (const name of SPOKEN) set(name, (...given) => window[name](...given));
  globalThis.CSS = { escape: (text) => text.replace(/[^\w-]/g, "\\$&") };
  globalThis.htmx = { trigger: mock.fn(), process: mock.fn() };
  globalThis.matchMedia = () => ({ matches: false });
  globalThis.fetch = mock.fn(async () => ({ status: 204, ok: true, text: async () => "", headers: new Headers() }));
  window.Element.prototype.getClientRects = () => [1]; // everything is seen
  window.Element.prototype.animate = mock.fn(() => ({ finished: Promise.resolve(), cancel() {}, finish() {} }));
  window.Element.prototype.getAnimations = () => []; // and nothing is on its way
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now });
  mock.method(Math, "random", () => 1);
  opened += 1;
  before(window);
  return window.document;
}

/** What scripts find under this name. */
export function set(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return value;
}

/** Runs a script, or a module of one, on the page that is open; gives what it exports. */
export const run = (script) => import(`../../static/${script}?page=${opened}`);

/** So many milliseconds pass, and what waited for them is done. */
export async function pass(ms) {
  mock.timers.tick(ms);
  await quiet();
}

/** What has been promised is there. */
export async function quiet() {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Says that something happened at an element; whether nobody minded. */
export function happens(target, name, detail) {
  return target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, cancelable: true }));
}

/** A request as htmx tells of it. */
export function request(method, action, fields = {}) {
  return { request: { method, action, body: new URLSearchParams(fields), abort: mock.fn() } };
}
