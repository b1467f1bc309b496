// A move, made as a form of the page would make it.

import { live } from "./cards.js";
import { mark } from "./refused.js";

const form = document.createElement("form");
form.hidden = true;
form.method = "post";
for (const [name, value] of [["hx-boost", "true"], ["hx-target", "#live"], ["hx-swap", "outerMorph"], ["hx-sync", "#live:queue all"]]) {
  form.setAttribute(name, value);
}
document.body.append(form);
htmx.process(form);

/** @type {(one: unknown) => boolean} */
export const isMadeHere = (one) => one === form;

/** @type {(fields: string[][], id: string) => void} */
export function send(fields, id) {
  const moves = String(live().querySelector("#poll")?.getAttribute("hx-get")).replace("/live", "/moves").replace(/seen=\d+&?/, "");
  const [path, asked] = moves.split("?");
  const kept = [...new URLSearchParams(asked)].filter((one) => !fields.some((field) => field.join() === one.join())); // what goes is ticked no more
  form.setAttribute("action", kept.length ? `${path}?${new URLSearchParams(kept)}` : path);
  const all = fields.some(([name]) => name === "seen") ? fields : [...fields, ["seen", live().dataset.version]];
  form.replaceChildren(...all.map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })));
  mark(id);
  form.requestSubmit();
}
