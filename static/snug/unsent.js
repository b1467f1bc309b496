// What could not be sent: one button sends the very same once more. What names the page it was made on is done once,
// however often it arrives: it goes by itself when the room is reached again. Whatever else gets through takes its place.

import { isLook, isPoll, live } from "./page.js";

const POST_PATIENCE = "8s"; // for what was clicked

/** @param {Asked["request"] | null} request */
function setUnsent(request) {
  const form = document.getElementById("unsent");
  if (!form) return;
  const [words, fields] = form.children;
  if (request) {
    words.setAttribute("role", "alert");
    words.textContent = form.hidden ? words.dataset.once : words.dataset.again;
    form.setAttribute("action", request.action);
    fields.replaceChildren(
      ...[...request.body].map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })),
    );
  } else if (form.contains(document.activeElement)) live()?.focus({ preventScroll: true });
  form.hidden = !request;
}

export const unsentOnce = () => document.querySelector('#unsent:not([hidden]) [name="seen"]');

export function sendUnsent() {
  const form = document.getElementById("unsent");
  if (!form.hidden) form.requestSubmit();
}

document.addEventListener("htmx:config:request", (event) => {
  const { request } = event.detail.ctx;
  if (request.method === "POST") request.timeout = POST_PATIENCE;
});
document.addEventListener("htmx:after:request", (event) => {
  const isThere = event.detail.ctx.response.status < 500;
  if (!isPoll(event) && !isLook(event)) setUnsent(isThere ? null : event.detail.ctx.request);
});
document.addEventListener("htmx:error", (event) => {
  const request = event.detail.ctx?.request;
  if (request && !isPoll(event) && !isLook(event)) setUnsent(request);
});
