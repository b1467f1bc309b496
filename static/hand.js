// One's own hand lies as one likes it: dragged, moved by keys or sorted. Only this browser tab knows and keeps it; what
// the room sends is put in that order before it is shown. Without scripts the sort links do it.

const { placed } = document.getElementById("hand-script").dataset; // what is said, in the reader's language
const HAND = "[data-arranged]";
const DRAG_FROM = 10; // px
const keptAt = `hand:${location.pathname}`;
const idOf = (held) => held.querySelector("[id^=card-]").id;
const handIn = (root) => root.querySelector(HAND);

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(keptAt)) ?? {};
  } catch {
    return {};
  }
}

function keep(hand, order) {
  const ids = order.by ? undefined : [...hand.children].map(idOf);
  sessionStorage.setItem(keptAt, JSON.stringify({ ...kept(), deal: hand.dataset.arranged, ids, ...order }));
}

function arrange(root) {
  const hand = handIn(root);
  if (!hand) return;
  const { deal, ids, by } = kept();
  const mine = deal === hand.dataset.arranged && ids;
  if (!mine && !by) return;
  const place = mine ? (held) => ids.indexOf(idOf(held)) : (held) => Number(held.dataset[by]);
  const before = [...hand.children];
  const places = new Map(before.map((held) => [held, place(held) < 0 ? Infinity : place(held)]));
  const after = before.toSorted((one, other) => places.get(one) - places.get(other) || 0);
  if (after.some((held, at) => held !== before[at])) hand.append(...after);
}

function step(held, by) {
  const neighbour = by > 0 ? held.nextElementSibling : held.previousElementSibling;
  if (!neighbour) return false;
  if (by > 0) held.before(neighbour);
  else held.after(neighbour);
  return true;
}

function arranged(held) {
  const hand = held.parentElement;
  keep(hand, {});
  const said = {
    card: held.querySelector(".sr")?.textContent ?? "",
    place: [...hand.children].indexOf(held) + 1,
    cards: hand.children.length,
  };
  document.getElementById("arranged").textContent = placed.replace(/\{(\w+)\}/g, (_, name) => said[name]);
}

document.addEventListener("htmx:before:swap", (event) => {
  for (const task of event.detail.tasks) arrange(task.fragment);
});
document.addEventListener("click", (event) => {
  const by = event.target.closest?.("[data-sort]")?.dataset.sort;
  const hand = by && handIn(document);
  if (!hand) return;
  event.preventDefault();
  keep(hand, { by });
  arrange(document);
});
document.addEventListener("keydown", (event) => {
  const held = event.target.closest?.(`${HAND} > li`);
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!held || !by || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (!event.shiftKey) (by > 0 ? held.nextElementSibling : held.previousElementSibling)?.querySelector("input, button")?.focus();
  else if (step(held, by)) arranged(held);
});

let drag = null;

document.addEventListener("pointerdown", (event) => {
  const held = event.button === 0 && event.target.closest?.(`${HAND} > li`);
  drag = held ? { id: idOf(held), x: event.clientX, y: event.clientY, moved: false } : null;
});
document.addEventListener("pointermove", (event) => {
  const held = drag && document.getElementById(drag.id)?.closest("li");
  if (!held) return;
  drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_FROM;
  if (!drag.moved) return;
  held.classList.add("carried");
  const over = document
    .elementsFromPoint(event.clientX, event.clientY)
    .map((element) => element.closest(`${HAND} > li`))
    .find((other) => other); // the uppermost: in two rows others lie beneath it
  if (!over || over === held) return;
  const by = held.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;
  while ((held.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1) === by && step(held, by));
  keep(held.parentElement, {});
});
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    const held = drag?.moved && document.getElementById(drag.id)?.closest("li");
    if (held) {
      held.classList.remove("carried");
      arranged(held);
      setTimeout(() => (drag = null)); // after the click that ends the drag
    } else drag = null;
  });
}
document.addEventListener(
  "click",
  (event) => {
    if (drag?.moved && event.target.closest?.(HAND)) event.preventDefault();
  },
  true,
);
document.addEventListener("dragstart", (event) => event.target.closest?.(HAND) && event.preventDefault());

// --- Buttons that want so many ticked cards wait until they are ticked.

function count() {
  for (const button of document.querySelectorAll("[data-picks]")) {
    const ticked = [...button.form.elements].filter((field) => field.type === "checkbox" && field.checked);
    button.disabled = ticked.length !== Number(button.dataset.picks);
  }
}

document.addEventListener("change", count);
document.addEventListener("htmx:after:swap", count);

arrange(document);
count();
