// Cards are dragged where they go, beside being tapped: with mouse, finger or pen. Along the hand they are arranged; out
// of it they are played where they are let go. What may be done, the page says: this presses its buttons, and where none
// is meant it makes the very move and lets the room refuse it.

const FROM = 10; // px that a finger may tremble
const LANDING = 200; // ms
const CARDS = "button.lay:not([data-picks], [name=open]), label.lay";
const STACK = ".own .stack";
const live = () => document.getElementById("live");
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function start({ HAND, step, arranged, codeOf, mark }) {
  const form = document.createElement("form");
  form.hidden = true;
  form.method = "post";
  for (const [name, value] of [["hx-boost", "true"], ["hx-target", "#live"], ["hx-swap", "outerMorph"], ["hx-sync", "#poll:replace"]]) {
    form.setAttribute(name, value);
  }
  document.body.append(form);
  htmx.process(form);

  let drag = null;
  let played = null;
  let isSent = false;
  let swallow = false; // the click that ends a drag

  const cardAt = (element) => element?.closest?.(`${HAND} > li`) ?? element?.closest?.(CARDS);
  const held = () => cardAt(document.getElementById(drag.id));
  const controlOf = (card) => card.querySelector("input, button") ?? card;
  const isMine = (card) => card.matches(`${HAND} > li`) || card.closest(STACK);
  const under = (event) => document.elementsFromPoint(event.clientX, event.clientY);

  // Where the page says that a card goes.

  const onBoard = () => document.querySelector(".board > .front") ?? document.getElementById("discard-pile");
  const cardOf = (card) => codeOf(card.querySelector("[id^=card-]").id);

  function spotsOn(place, card) {
    const code = cardOf(card);
    const spots = [...place.querySelectorAll("button.spot")].filter((spot) => spot.form.elements.card?.value === code);
    const wins = [...place.querySelectorAll(".win input")].filter((win) => win.id.startsWith(`win-${code}-`));
    return [...spots, ...wins].filter((spot) => spot.closest(".spot").offsetParent);
  }

  function targets(card) {
    const control = controlOf(card);
    if (!isMine(card)) return control.matches(".now") ? [document.getElementById("mine")] : [];
    const places = [...document.querySelectorAll("[data-drop]")];
    if (card.closest(STACK)) return places.filter((place) => place.classList.contains(`fit-${control.value}`));
    if (control.type !== "checkbox") return control.matches(".now, [type=radio]") ? [onBoard()] : [];
    if (document.querySelector("#actions .ticked")) return [onBoard()];
    return places.filter((place) => place.querySelector("[data-picks]") || spotsOn(place, card).length);
  }

  function light() {
    const card = held();
    const lit = card ? targets(card) : [];
    for (const place of document.querySelectorAll(".lit")) if (!lit.includes(place)) place.classList.remove("lit");
    for (const place of lit) place?.classList.add("lit");
    card?.classList.add("carried");
  }

  // A move, made as a form of the page would make it.

  function send(fields, id) {
    const moves = live().querySelector("#poll").getAttribute("hx-get").replace("/live", "/moves").replace(/seen=\d+&?/, "");
    form.setAttribute("action", moves.replace(/\?$/, ""));
    const all = [...fields, ["seen", live().dataset.version]];
    form.replaceChildren(...all.map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value })));
    mark(id);
    form.requestSubmit();
  }

  // Plays a card where it was let go: false if nothing is meant by that place.

  function play(card, on, event) {
    const control = controlOf(card);
    if (!isMine(card)) return on.some((element) => element.id === "mine") && press(control);
    const place = on.map((element) => element.closest("[data-drop]")).find((found) => found);
    if (place) {
      const nearness = (spot) => Math.abs(spot.closest(".spot").getBoundingClientRect().x - event.clientX);
      const spots = card.closest(STACK) ? [] : spotsOn(place, card).sort((one, other) => nearness(one) - nearness(other));
      if (spots.length) return press(spots[0]);
      send([...new URLSearchParams(place.dataset.drop), [control.name, control.value]], control.id);
      return true;
    }
    if (!on.some((element) => element.closest("#board"))) return false;
    if (control.matches("button")) return press(control);
    const lay = document.querySelector("#actions .ticked");
    if (control.type === "checkbox" && !lay) return false;
    if (!control.checked) control.click();
    lay?.click();
    return true;
  }

  function press(control) {
    control.click();
    return true;
  }

  // The card that follows the finger is a picture of it: whatever the page does meanwhile, nothing moves it.

  function lift(card) {
    const face = card.querySelector(".face, .card");
    const picture = face.cloneNode(true);
    const { x, y, width, height } = face.getBoundingClientRect();
    for (const one of [picture, ...picture.querySelectorAll("[id]")]) one.removeAttribute("id");
    const ghost = document.createElement("div");
    ghost.className = "dragged";
    ghost.setAttribute("aria-hidden", "true");
    Object.assign(ghost.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    ghost.append(picture);
    document.body.append(ghost);
    return ghost;
  }

  function follow(event) {
    drag.ghost.style.transform = `translate(${event.clientX - drag.x}px, ${event.clientY - drag.y}px)`;
  }

  function put(event) {
    const card = held();
    const [over] = under(event).map((element) => element.closest(`${HAND} > li`)).filter((other) => other); // the uppermost
    if (!over || over === card || !card.matches(`${HAND} > li`)) return;
    const isAfter = () => (card.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1);
    const by = isAfter();
    while (isAfter() === by && step(card, by));
    drag.isArranged = true;
  }

  // A card that is played stays where it was let go until the room has answered, and is taken from there.

  function end(isToStay) {
    const { ghost, id } = drag;
    drag = null;
    for (const place of document.querySelectorAll(".lit")) place.classList.remove("lit");
    const card = document.getElementById(id);
    if (!isToStay || !card) return land(ghost, id);
    const [from, to] = [card.getBoundingClientRect(), ghost.getBoundingClientRect()];
    card.style.translate = `${to.x - from.x}px ${to.y - from.y}px`;
    played = { ghost, id, from: card.closest("[data-place]") };
  }

  function answered() {
    const { ghost, id, from } = played;
    played = null;
    const card = document.getElementById(id);
    card?.style.removeProperty("translate");
    if (card && card.closest("[data-place]") === from) land(ghost, id);
    else ghost.remove();
  }

  function land(ghost, id) {
    const gone = () => {
      ghost.remove();
      cardAt(document.getElementById(id))?.classList.remove("carried");
    };
    const to = document.getElementById(id)?.getBoundingClientRect();
    if (!to || still.matches) return gone();
    const from = ghost.getBoundingClientRect();
    ghost.style.transform += ` translate(${to.x - from.x}px, ${to.y - from.y}px)`;
    ghost.classList.add("landing");
    setTimeout(gone, LANDING);
  }

  document.addEventListener("pointerdown", (event) => {
    if (drag?.ghost || played) return;
    const card = event.button === 0 && event.isPrimary && cardAt(event.target);
    const id = card && (card.querySelector("[id^=card-]")?.id ?? card.id);
    drag = id ? { id, x: event.clientX, y: event.clientY, pointer: event.pointerId } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FROM || !held()) return;
      drag.ghost = lift(held());
    }
    if (!held()) return end(); // it went while it was held
    follow(event);
    light();
    put(event);
  });
  document.addEventListener("pointerup", (event) => {
    if (!drag?.ghost) return (drag = null);
    const [card, on] = [held(), under(event)];
    isSent = false;
    swallow = true;
    setTimeout(() => (swallow = false)); // after the click
    if (card && on.some((element) => element.closest(HAND)) && card.matches(`${HAND} > li`)) {
      if (drag.isArranged) arranged(card);
    } else if (card) play(card, on, event);
    end(isSent);
  });
  document.addEventListener("submit", () => (isSent = true), true);
  document.addEventListener("htmx:finally:request", (event) => played && event.detail.ctx.request.method === "POST" && answered());
  document.addEventListener("pointercancel", () => (drag?.ghost ? end() : (drag = null)));
  document.addEventListener("keydown", (event) => event.key === "Escape" && drag?.ghost && end());
  document.addEventListener("click", (event) => swallow && event.isTrusted && event.preventDefault(), true);
  document.addEventListener("dragstart", (event) => event.target.closest?.(CARDS) && event.preventDefault());
  document.addEventListener("htmx:after:swap", () => {
    if (drag?.ghost) light();
    measure();
  });
  window.addEventListener("resize", measure);
  measure();

  // A hand too tall for its place is scrolled by the finger that goes up or down.

  function measure() {
    const hand = document.querySelector(HAND);
    hand?.classList.toggle("scrolls", hand.classList.contains("many") && hand.scrollHeight > hand.clientHeight + 1);
  }
}
