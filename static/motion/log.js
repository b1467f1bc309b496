// What happened stands newest first, and yet nothing in it jumps: what is there stays where it is, and the log is
// scrolled to what is new.

const log = () => /** @type {HTMLElement | null} */ (document.getElementById("log"));
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @type {{ id: string, top: number, isAtTop: boolean } | null} */
let anchor = null; // a line that is seen, and where
let above = 0; // px of room over the newest line, where the lines have become fewer
let isGliding = false;
let next = 0; // the frame in which it begins to

document.addEventListener("htmx:before:swap", () => {
  const shown = log();
  anchor = null;
  if (!shown?.checkVisibility()) return;
  const { top, bottom } = shown.getBoundingClientRect();
  /** @type {(line: Element) => boolean} */
  const isSeen = (line) => line.getBoundingClientRect().bottom > top && line.getBoundingClientRect().top < bottom;
  const line = [...shown.querySelectorAll("#earlier > [id]")].find(isSeen) ?? [...shown.querySelectorAll("#since li")].filter(isSeen).at(-1);
  if (line) anchor = { id: line.id, top: line.getBoundingClientRect().top, isAtTop: isGliding || shown.scrollTop <= above + 1 };
});

document.addEventListener("htmx:after:swap", () => {
  const [shown, line] = [log(), anchor && document.getElementById(anchor.id)];
  if (!anchor || !shown || !line) return;
  cancelAnimationFrame(next);
  const before = shown.style.getPropertyValue("--above");
  shown.style.setProperty("--below", `${shown.clientHeight}px`); // so that what is short is scrolled, too
  shown.style.setProperty("--above", "0px");
  const to = shown.scrollTop + Math.round(line.getBoundingClientRect().top - anchor.top);
  above = Math.max(0, -to);
  shown.style.setProperty("--above", `${above}px`);
  shown.scrollTop = to + above;
  if (!anchor.isAtTop || (shown.scrollTop === above && before === `${above}px`)) return;
  isGliding = true;
  const glide = () => shown.scrollTo({ top: above, behavior: isStill() ? "instant" : "smooth" });
  next = requestAnimationFrame(() => (next = requestAnimationFrame(glide))); // once it has been drawn where it stands
});

document.addEventListener(
  "scroll",
  ({ target }) => {
    if (target === log() && log()?.scrollTop === above) isGliding = false;
  },
  true,
);
