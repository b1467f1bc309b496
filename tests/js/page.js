// A page without a browser: the document, a clock that tests move, and what htmx and the network would do.

import { readFileSync } from "node:fs";
import { afterEach, mock } from "node:test";
import { JSDOM } from "jsdom";

const TAKEN = ["document", "window", "location", "history", "localStorage", "sessionStorage", "Element", "HTMLInputElement", "Event", "CustomEvent", "DocumentFragment", "DOMParser", "FormData", "MutationObserver", "Node"];
const SPOKEN = ["addEventListener", "getComputedStyle", "prompt"]; // by their bare names
let opened = 0;
export let ran = {}; // what the script that runs on the page gives to others
let broken = []; // what listeners threw

afterEach(() => {
  const errors = broken;
  broken = [];
  mock.timers.reset();
  mock.restoreAll();
  if (errors.length) throw errors[0];
});

/** Opens a page and runs one of our scripts on it, as if it were the first; `before` makes ready what it finds. No time
 * passes but by `pass`. */
export async function open(script, body, { now = 1_000_000, before = () => {} } = {}) {
  const { window } = new JSDOM(`<!doctype html><html lang="en"><body>${body}</body></html>`, { url: "https://snug.example/t/one", pretendToBeVisual: true });
  for (const name of TAKEN) Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
  for (const name of SPOKEN) globalThis[name] = (...given) => window[name](...given);
  set("navigator", {});
  window.Element.prototype.checkVisibility = function () { return !this.closest("[hidden]"); };
  window.Element.prototype.scrollIntoView = mock.fn();
  globalThis.CSS = { escape: (text) => text.replace(/[^\w-]/g, "\\$&") };
  globalThis.htmx = { trigger: mock.fn(), process: mock.fn() };
  globalThis.fetch = mock.fn(async () => ({ status: 204, ok: true, text: async () => "" }));
  window.Element.prototype.getClientRects = () => [1]; // everything is seen
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now });
  mock.method(Math, "random", () => 1);
  window.addEventListener("error", (event) => {
    event.preventDefault();
    broken.push(event.error);
  });
  before(window);
  opened += 1;
  const text = readFileSync(new URL(`../../static/${script}`, import.meta.url), "utf8");
  ran = await import(`data:text/javascript,${encodeURIComponent(`${text}\n// ${script} on page ${opened}`)}`); // else it is run once
  return window.document;
}

/** What a script finds under this name. */
export function set(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return value;
}

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
