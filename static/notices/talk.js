// What was sent leaves the field, once the page knows of it, what is half typed stays; the badge counts what was said behind
// a closed panel.

import { byId, path } from "./page.js";

let isNew = false; // what stands in the field was typed since something was sent

document.addEventListener("input", ({ target }) => (isNew ||= target.id === "talk-text"));
document.addEventListener("submit", ({ target }) => (isNew &&= target.id !== "say-form"), true);
document.addEventListener("htmx:finally:request", (event) => {
  const { request, response } = event.detail.ctx;
  const field = byId("talk-text");
  if (response?.status === 200 && field && !isNew && request.body?.get("text") === field.value) field.value = "";
});

const readKey = `read:${path}`;
const newestSaid = () => Math.max(0, ...[...document.querySelectorAll("[data-said]")].map((line) => Number(line.dataset.said)));

function countUnread() {
  const panel = byId("happened");
  if (!panel) return;
  let read = Number(localStorage.getItem(readKey) ?? 0);
  if (panel.open || panel.querySelector("#log")?.checkVisibility()) {
    const newest = newestSaid();
    if (newest !== read) localStorage.setItem(readKey, String((read = newest)));
  }
  const unread = [...panel.querySelectorAll("[data-said]:not(.mine)")].filter((line) => Number(line.dataset.said) > read);
  const badge = byId("unread");
  const [count] = badge.children;
  if (count.textContent !== String(unread.length)) count.textContent = String(unread.length);
  if (badge.hidden !== !unread.length) badge.hidden = !unread.length;
}
document.addEventListener("toggle", (event) => event.target.id === "happened" && countUnread(), true);
document.addEventListener("htmx:after:swap", countUnread);

countUnread();
