// What the rules refuse shakes where it was tapped; the sentence stands where the table says everything.

const WRONG = 700; // ms
/** @type {string | null} */
let tapped = null;

/** @type {(element: Element | null) => void} */
function shake(element) {
  if (!element) return;
  element.classList.add("wrong");
  setTimeout(() => element.classList.remove("wrong"), WRONG);
}

document.addEventListener("submit", (event) => event.target.matches("[hx-boost]") && (tapped = event.submitter?.id || tapped), true);
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.request.method !== "POST" || !tapped) return;
  ctx.tapped = tapped;
  tapped = null;
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx.tapped && [403, 409, 422].includes(ctx.response?.status)) shake(document.getElementById(ctx.tapped));
});

// What is sent for a card as if it had been tapped.

/** @type {(id: string) => void} */
export function mark(id) {
  tapped = id;
}
