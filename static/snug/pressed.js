// What is pressed says so in the same frame, by finger, mouse or key, and after a moment that it waits.

const BUSY = 150; // ms
const BLINK = 300; // ms

/** @type {Map<Element, number>} */
const pressed = new Map(); // what waits to say that it waits

function release() {
  for (const [button, timer] of pressed) {
    clearTimeout(timer);
    button.classList.remove("pressed");
    button.removeAttribute("aria-busy");
  }
  pressed.clear();
}

// After those who may not let it be sent.

window.addEventListener("submit", (event) => {
  const { submitter, target } = event;
  if (!submitter || !target.matches("[hx-boost]")) return;
  release();
  submitter.classList.add("pressed");
  pressed.set(submitter, setTimeout(() => submitter.setAttribute("aria-busy", "true"), BUSY));
});
document.addEventListener("htmx:finally:request", ({ detail }) => detail.ctx.request?.method === "POST" && release());

// Whoever presses Enter twice in a blink has not heard what came of the first: if that is an act of another kind, it is not
// done. Any other key in between means it.

let [kind, at] = ["", -Infinity]; // of the last Enter

/** @type {(one: any) => string} */
const kindOf = (one) => one.form?.elements.namedItem("move")?.value ?? "";

window.addEventListener(
  "keydown",
  (event) => {
    const isEnter = event.key === "Enter";
    const isBlind = isEnter && kind && kindOf(event.target) !== kind && Date.now() - at < BLINK;
    if (!isBlind) kind = isEnter ? kindOf(event.target) : "";
    at = Date.now();
    if (!isBlind) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
