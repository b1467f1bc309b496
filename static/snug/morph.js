// Only what is different is touched: other words, other attributes, lines more or less are put right here, which costs
// a phone a fraction of a morph. What is more than that is left to htmx, in the smallest piece of the page it lies in.

const WIRED = "[hx-get], [hx-boost]"; // what htmx must be told of
const KEPT = ["open", "data-htmx-powered"]; // as in htmx's own `morphIgnore`

/** @param {Element} element */
const idIn = (element) => element.querySelector("[id]")?.id;

// Whether one may become the other: they have the same id, or the first id in one is also in the other.

/** @type {(old: any, now: any) => boolean} */
export function isAlike(old, now) {
  if (old.nodeName !== now.nodeName || old.id !== now.id) return false;
  if (old.id || !(old instanceof Element)) return true;
  const [one, other] = [idIn(old), idIn(now)];
  return !one || !other || one === other || Boolean(hasId(now, one) || hasId(old, other));
}

/** @type {(node: ParentNode, id: string) => Element | null} */
const hasId = (node, id) => node.querySelector(`[id="${CSS.escape(id)}"]`);
/** @type {(node: any, selector: string) => boolean} */
const has = (node, selector) => node.matches?.(selector) || node.querySelector?.(selector);

/** @typedef {{ target: Element, now: Element }} Piece what of the page is left to htmx, and what it is to become */

// The changes that make `old` the same as `now`, and the pieces that are htmx's, are added to these lists. False if cards
// wander about in `root`: then htmx takes all of it, so that they stay the same elements.

/** @type {(root: Element, old: any, now: any, changes: (() => void)[], pieces: Piece[]) => boolean} */
export function compare(root, old, now, changes, pieces) {
  if (old.isEqualNode(now)) return true;
  if (!(old instanceof Element)) {
    changes.push(() => (old.nodeValue = now.nodeValue));
    return true;
  }
  const names = new Set([...old.getAttributeNames(), ...now.getAttributeNames()]);
  const other = [...names].filter((name) => !KEPT.includes(name) && old.getAttribute(name) !== now.getAttribute(name));
  /** @type {any[]} */
  const before = [...old.childNodes];
  /** @type {any[]} */
  const after = [...now.childNodes];
  const shorter = Math.min(before.length, after.length);
  let [head, tail] = [0, 0];
  while (head < shorter && isAlike(before[head], after[head])) head += 1;
  while (head + tail < shorter && isAlike(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  const gone = before.slice(head, before.length - tail);
  const come = after.slice(head, after.length - tail);
  const wanderers = come
    .flatMap((node) => (node instanceof Element ? [node, ...node.querySelectorAll("[id]")] : []))
    .map((element) => (element.id ? document.getElementById(element.id) : null))
    .filter((element) => element && root.contains(element));
  if (wanderers.some((element) => !old.contains(element))) return false;
  const isMore =
    wanderers.length ||
    other.some((name) => name.startsWith("hx-") && name !== "hx-get") ||
    old.matches("textarea, [hx-morph-skip], [hx-morph-skip-children]") ||
    gone.some((node) => has(node, "[hx-trigger]"));
  if (isMore) {
    pieces.push({ target: old, now });
    return true;
  }
  if (other.length) changes.push(() => other.forEach((name) => setAttribute(old, name, now.getAttribute(name))));
  if (gone.length || come.length) {
    changes.push(() => {
      const next = before[head + gone.length] ?? null;
      for (const node of gone) node.remove();
      for (const node of come) {
        old.insertBefore(node, next);
        if (has(node, WIRED)) htmx.process(node);
      }
    });
  }
  const pairs = [...before.slice(0, head).keys()].map((at) => [before[at], after[at]]);
  for (let at = tail; at > 0; at -= 1) pairs.push([before.at(-at), after.at(-at)]);
  return pairs.every(([one, another]) => compare(root, one, another, changes, pieces));
}

/** @type {(element: Element, name: string, value: string | null) => void} */
function setAttribute(element, name, value) {
  if (value === null) return element.removeAttribute(name);
  element.setAttribute(name, value);
  if (name === "value" && element instanceof HTMLInputElement && element !== document.activeElement) element.value = value;
}

// Other words take the place of those that were there (`data-anew`): put right in place, they would be the same ones that
// have moved, to the browser, since a line begins elsewhere or is a line more.

/** @type {(target: Element | null, fragment: DocumentFragment) => void} */
export function renew(target, fragment) {
  for (const now of fragment.querySelectorAll("[data-anew]")) {
    const old = target && hasId(target, now.id);
    if (old && !old.isEqualNode(now)) old.replaceWith(now.cloneNode(true));
  }
}

// After every other listener, since those look at all that has come and put the hand in order.

window.addEventListener("htmx:before:swap", (event) => {
  const { tasks } = event.detail;
  for (const task of tasks.splice(0)) {
    renew(task.target, task.fragment);
    const [now, ...more] = task.fragment.children;
    /** @type {(() => void)[]} */
    const changes = [];
    /** @type {Piece[]} */
    const pieces = [];
    const mayBe = task.swapSpec.style === "outerMorph" && now && !more.length && task.target?.id === now.id;
    if (mayBe && isAlike(task.target, now) && compare(task.target, task.target, now, changes, pieces)) {
      for (const change of changes) change();
      for (const { target, now: piece } of pieces) {
        const fragment = new DocumentFragment();
        fragment.append(piece);
        tasks.push({ ...task, target, fragment });
      }
    } else tasks.push(task);
  }
});
