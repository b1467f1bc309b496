// Cards travel from place to place, and a round ends before one's eyes. What moved is read from the page as it was and as
// it is: nothing here knows a game. A place is what carries `data-place`; `data-cards`, on it or on the backs in it, says
// how many cards lie there of which not all are seen.
//
// Who looks at these pages is told by two events on the document: `snug:moved` of all that moved at once, a list of
// {kind, from, to, cards}, and `snug:flight` of each of them that is shown in the air.

const live = () => document.getElementById("live");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const faceOf = (card) => card.id.split("-")[1];
const isPile = (place) => /^(draw-pile|discard-pile|open-)/.test(place);
const isHand = (place) => /^(hand$|mine-|player-|stack-)/.test(place);

// --- A look at the table: its places, how many cards each has, and where every card lies whose face is seen.

function look() {
  const table = live();
  if (!table) return null;
  const places = new Map();
  const cards = new Map();
  for (const element of table.querySelectorAll("[data-place]")) {
    const own = (found) => found.closest("[data-place]") === element;
    const hidden = [...element.querySelectorAll(".backs, .reach")].find(own);
    const faces = [...element.querySelectorAll("[id^=card-]")].filter(own);
    const spot = hidden ?? (isHand(element.dataset.place) ? element : (element.querySelector(".lay") ?? element));
    const counted = hidden ? (hidden.dataset.cards ?? hidden.childElementCount) : element.dataset.cards;
    places.set(element.dataset.place, {
      box: spot.getBoundingClientRect(),
      count: counted === undefined ? undefined : Number(counted),
      top: faces.length === 1 && !isHand(element.dataset.place) ? faces[0].cloneNode(true) : null,
    });
    for (const card of faces) {
      const known = cards.get(faceOf(card)) ?? cards.set(faceOf(card), []).get(faceOf(card));
      known.push({ place: element.dataset.place, element: card, box: card.getBoundingClientRect() });
    }
  }
  return {
    stage: table.className,
    version: table.dataset.version,
    places,
    cards,
    turn: table.querySelector("[data-place].turn")?.dataset.place,
    turned: table.querySelector("[data-turned]")?.dataset.turned,
  };
}

// Whose a place is: a seat's, "me", or nobody's, as the piles and what lies open to all.

function ownerOf(place) {
  const [, seat] = /^(?:player|row|safe|stack)-(\d+)/.exec(place) ?? [];
  if (seat) return document.getElementById(`player-${seat}`) ? seat : "me";
  return isHand(place) ? "me" : null;
}

// --- What moved: each a card, or the back of one, from a place to a place.

function moved(was, now) {
  const moves = [];
  const isDealt = !was.stage.includes("at-playing") || !was.places.has("draw-pile");
  const before = isDealt ? { places: new Map(), cards: new Map() } : was;
  const lacks = new Map(); // how many more cards a place has than came by the moves found so far
  for (const place of new Set([...before.places.keys(), ...now.places.keys()])) {
    const [had, has] = [before.places.get(place)?.count, now.places.get(place)?.count];
    if (had !== undefined || has !== undefined) lacks.set(place, (has ?? 0) - (had ?? 0));
  }
  if (isDealt || !lacks.has("draw-pile")) lacks.set("draw-pile", now.places.has("draw-pile") ? -Infinity : 0); // all there is
  const gives = (place) => lacks.get(place) < 0;
  const takes = (place) => lacks.get(place) > 0;
  const players = [...lacks.keys()].filter((place) => place.startsWith("player-"));
  const safeOf = (owner) => [...lacks.keys()].find((place) => place.startsWith("safe-") && ownerOf(place) === owner);
  const move = (from, to, more) => {
    moves.push({ from, to, ...more });
    if (lacks.has(from)) lacks.set(from, lacks.get(from) + 1);
    if (lacks.has(to)) lacks.set(to, lacks.get(to) - 1);
  };

  const left = [];
  const come = [];
  for (const face of new Set([...before.cards.keys(), ...now.cards.keys()])) {
    const gone = [...(before.cards.get(face) ?? [])];
    const here = (now.cards.get(face) ?? []).filter((card) => {
      const same = gone.findIndex((one) => one.place === card.place);
      if (same >= 0) gone.splice(same, 1);
      return same < 0;
    });
    while (gone.length && here.length) {
      const [start, end] = [gone.shift(), here.shift()];
      move(start.place, end.place, { start, end });
    }
    left.push(...gone);
    come.push(...here);
  }

  for (const end of come) {
    const to = end.place;
    if (lacks.has(to) && !takes(to)) continue; // it lay under what was taken
    const [owner, turn] = [ownerOf(to), before.turn];
    const isDrawn = (owner && isHand(to)) || (to === now.turned && lacks.get(to) === 1);
    const from = isDrawn
      ? ["draw-pile", ...players].find(gives)
      : [`player-${owner}`, turn, ...players, "draw-pile"].find(gives);
    if (!from) continue;
    if (from === "draw-pile" && !owner && turn && now.turned !== to) {
      move(from, turn, {}); // drawn and played at once
      move(turn, to, { end });
    } else move(from, to, { end });
  }
  for (const start of left) {
    const from = start.place;
    if (isPile(from) && (lacks.has(from) ? !gives(from) : moves.some(({ to }) => to === from))) continue; // covered
    const owner = ownerOf(from);
    const eager = players.toSorted((one, other) => lacks.get(other) - lacks.get(one)); // who buys gets more besides
    const to = [owner && safeOf(owner), ...eager, "discard-pile", "draw-pile"].find(takes);
    if (to) move(from, to, { start });
  }
  for (const player of players) {
    const others = players.filter((place) => place !== player);
    for (let from; takes(player) && (from = ["draw-pile", ...others].find(gives)); ) move(from, player, {});
    const sinks = [safeOf(ownerOf(player)), "discard-pile", "draw-pile"];
    for (let to; gives(player) && (to = sinks.find(takes)); ) move(player, to, {});
  }
  while (gives("draw-pile") && takes(now.turned)) move("draw-pile", now.turned, {});
  return grouped(moves, isDealt);
}

// The moves in one direction belong together. What kind they are shows in where they lead: from the pile to several
// players is a deal; from one player to another a theft; from several, or from what lies open before a player, onto the
// discards a sweep; from a pile to whoever draws besides a purchase.

function grouped(moves, isDealt) {
  const dealtTo = new Set(moves.filter(({ from, to }) => from === "draw-pile" && ownerOf(to)).map(({ to }) => ownerOf(to)));
  const most = Math.max(...[...dealtTo].map((owner) => moves.filter((one) => one.from === "draw-pile" && ownerOf(one.to) === owner).length));
  const thrown = moves.filter(({ from, to }) => to === "discard-pile" && ownerOf(from));
  const givers = new Set(thrown.map(({ from }) => ownerOf(from)));
  const isSwept = givers.size > 1 || thrown.some(({ from }) => /^(row|safe)-/.test(from));
  const kindOf = ({ from, to }) => {
    const [giver, taker] = [ownerOf(from), ownerOf(to)];
    if (from === "draw-pile") return isDealt || (dealtTo.size > 1 && most > 1) ? "deal" : "draw";
    if (giver && taker) return giver !== taker ? "steal" : /^(row|safe)-/.test(from) ? "take" : "play";
    if (giver) return (to === "discard-pile" && isSwept) || to === "draw-pile" ? "sweep" : "play";
    if (taker) return from === "discard-pile" && dealtTo.has(taker) ? "buy" : "take";
    return "sweep";
  };
  const groups = new Map();
  for (const move of moves) {
    const key = `${move.from} ${move.to}`;
    if (!groups.has(key)) groups.set(key, { kind: kindOf(move), from: move.from, to: move.to, moves: [] });
    groups.get(key).moves.push(move);
  }
  const order = ["play", "take", "buy", "steal", "sweep", "draw", "deal"];
  const rank = ({ kind, from, to }) => (from === "draw-pile" && !ownerOf(to) ? -1 : order.indexOf(kind)); // turned up first
  return [...groups.values()].sort((one, other) => rank(one) - rank(other));
}

const summary = ({ kind, from, to, moves }) => ({ kind, from, to, cards: moves.length });
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`snug:${name}`, { detail }));

// --- In the air: clones in a layer of their own, over a page that is already as it should be. What has come is not seen
// until its clone has landed; on a pile, what it covers is seen instead.

const MOST = 20; // clones at once
const AIR = 340; // ms that one card flies
const WHOLE = 950; // ms that all of them fly together
const REPLAYED = 1_400; // ms for what happened while nobody looked

const flying = []; // animations

const layer = document.createElement("div");
layer.id = "flights";
layer.setAttribute("aria-hidden", "true");
document.body.append(layer);

function land() {
  for (const animation of flying.splice(0)) animation.cancel();
  layer.replaceChildren();
}

function back() {
  const face = document.createElement("span");
  face.className = "face";
  const picture = live().querySelector(".backs .card, .reach .card, #draw-pile .card, #stock .card");
  if (picture) face.append(picture.cloneNode(true));
  return face;
}

function put(picture, box) {
  const clone = picture.cloneNode(true);
  for (const each of [clone, ...clone.querySelectorAll("[id]")]) each.removeAttribute("id");
  Object.assign(clone.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px` });
  layer.append(clone);
  return clone;
}

// Where a card of a place lies: its own box if it has one, else the middle of the place, as large as a card is there.

function boxOf(card, place, seen, size) {
  if (card?.box.width) return card.box;
  const [, seat] = /-(\d+)/.exec(place) ?? [];
  const spot = seen.places.get(place) ?? seen.places.get(`player-${seat}`) ?? seen.places.get("hand");
  if (!spot?.box.width) return null;
  const { left, top, width: across, height } = spot.box;
  const width = Math.min(size, across, height / 1.4);
  return new DOMRect(left + (across - width) / 2, top + (height - width * 1.4) / 2, width, width * 1.4);
}

function fly(groups, was, now, whole = WHOLE) {
  const clones = bundled(groups);
  const air = whole > WHOLE ? 1.3 * AIR : AIR;
  const apart = Math.min(110, (whole - air) / Math.max(1, clones.length - 1));
  const size = now.places.get("discard-pile")?.box.width || now.places.get("draw-pile")?.box.width || 72;
  const covered = new Set();
  for (const group of groups) tell("flight", summary(group));
  clones.forEach(({ from, to, start, end }, at) => {
    const last = boxOf(end, to, now, size);
    const first = boxOf(start, from, was.places.has(from) ? was : now, size);
    if (!first || !last) return;
    const under = was.places.get(to)?.top;
    if (end && under && !covered.has(to) && now.places.get(to)?.top) {
      covered.add(to);
      const shade = put(under, last);
      layer.prepend(shade);
      flying.push(during(shade.animate([{}, {}], at * apart + air), () => shade.remove()));
    }
    const clone = put(end?.element ?? start?.element ?? back(), last);
    const way = `translate(${first.left - last.left}px, ${first.top - last.top}px) scale(${first.width / last.width})`;
    const lasting = (isPile(to) ? clones.findLastIndex((one) => one.to === to) - at : 0) * apart; // till the top card lies
    const pace = { delay: at * apart, duration: air, endDelay: lasting, easing: "cubic-bezier(0.3, 0.7, 0.3, 1)", fill: "both" };
    flying.push(during(clone.animate([{ transform: way }, { transform: "none" }], pace), () => clone.remove()));
    if (!end) return;
    const hidden = end.element.closest(".held") ?? end.element;
    flying.push(hidden.animate([{ opacity: 0 }, { opacity: 0 }], at * apart + air));
  });
}

// Not more than may be in the air: one of each group at least, then those whose faces are seen. A deal goes round; what
// comes to lie on top of a pile lands last.

function bundled(groups) {
  const shown = groups.slice(0, MOST).map(({ kind, moves }) => ({ kind, moves, many: 1 }));
  let more = MOST - shown.length;
  for (const isSeen of [true, false]) {
    const some = shown.filter(({ moves }) => isSeen === moves.some(({ start, end }) => start || end));
    for (let group; more > 0 && (group = some.find((one) => one.many < one.moves.length)); more -= 1) {
      group.many += 1;
      some.push(some.splice(some.indexOf(group), 1)[0]);
    }
  }
  const turns = shown.flatMap(({ kind, moves, many }) =>
    moves.slice(0, many).map((move, at) => ({ move, round: kind === "deal" ? at : -1 })),
  );
  const clones = turns.sort((one, other) => one.round - other.round).map(({ move }) => move);
  const onTop = ({ to, end }) => end && isPile(to) && clones.some((other) => other.to === to && !other.end);
  return [...clones.filter((one) => !onTop(one)), ...clones.filter(onTop)];
}

function during(animation, done) {
  animation.onfinish = done;
  return animation;
}

// --- A page that changes: before it does all cards land; what happens behind one's back is shown when one is back.

const BACK = 500; // ms within which the room answers somebody who is back

let was = null;
let away = document.hidden ? look() : null; // the table as it was when it went out of sight

const holds = (seen, place) => seen.places.get(place)?.count ?? [...seen.cards.values()].flat().filter((card) => card.place === place).length;

function show(from, whole) {
  const now = look();
  if (!from || !now?.stage.includes("at-playing") || from.version === now.version) return;
  const groups = moved(from, now);
  if (!groups.length) return;
  const hands = [...now.places.keys()].filter((place) => /^(hand$|player-)/.test(place));
  const isLastCard = hands.some((place) => holds(now, place) === 1 && holds(from, place) > 1);
  tell("moved", { moves: groups.map(summary), isLastCard });
  if (!still.matches) fly(groups, from, now, whole);
}

window.addEventListener(
  "htmx:before:swap",
  (event) => {
    const next = event.detail.tasks.map(({ fragment }) => fragment.querySelector("#live")).find(Boolean);
    const isEnd = next?.matches(OVER) && live()?.matches(".at-playing");
    const replay = isEnd && [...next.querySelectorAll("a[id^=replay-]")].at(-1);
    if (replay && !isSeen && !still.matches && !document.hidden) return hold(event, replay);
    if (next && ending) {
      clearTimeout(ending);
      ending = null;
    }
    land();
    was = away ? null : look();
  },
  true,
);
document.addEventListener("htmx:after:swap", () => {
  isSeen = false;
  if (was && was.stage !== live()?.className) arrive();
  if (!away) show(was);
  else if (!document.hidden) catchUp();
  was = null;
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    land();
    away ??= look();
  } else setTimeout(catchUp, BACK);
});

function catchUp() {
  if (away?.stage.includes("at-playing")) show(away, REPLAYED);
  away = null;
}

// --- The end of a round: the table as it was left is fetched from the replay and stays a while, until somebody taps or
// presses a key; then the page of scores is asked for again.

const OVER = ".at-scores, .at-finished";
const STAY = 2_000; // ms
const PATIENCE = 4_000; // ms for the last moment of the replay to come
const LAST = 99_999; // a moment that no round has: the nearest is the last

let ending = null; // the timer while the end is looked at
let isSeen = false; // it was looked at: what comes next may be put onto the page

function hold(event, replay) {
  event.preventDefault();
  event.stopImmediatePropagation();
  if (ending) return;
  ending = setTimeout(goOn, PATIENCE + STAY);
  lastMoment(`${replay.href}?step=${LAST}`).then(stay, () => {});
}

async function lastMoment(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
  if (!answer.ok) throw new Error(answer.statusText);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

const idIn = (held) => held.querySelector("[id^=card-]")?.id;

function stay(page) {
  if (!ending) return;
  land();
  const from = look();
  const [mine, theirs] = [document, page].map((one) => [...(one.getElementById("hand")?.children ?? [])]);
  const placeOf = (held) => mine.findIndex((one) => idIn(one) === idIn(held));
  if (theirs.length) theirs[0].parentElement.append(...theirs.sort((one, other) => placeOf(one) - placeOf(other)));
  for (const id of ["others", "board", "mine"]) {
    const [old, now] = [document.getElementById(id), page.getElementById(id)];
    if (old && now) old.replaceChildren(...document.adoptNode(now).childNodes);
  }
  document.getElementById("say")?.replaceChildren(...page.querySelectorAll("#say > span"));
  document.getElementById("bar")?.classList.remove("mine");
  document.getElementById("actions")?.style.setProperty("visibility", "hidden"); // nobody may do anything any more
  show({ ...from, version: null });
  clearTimeout(ending);
  ending = setTimeout(goOn, STAY);
}

function goOn() {
  clearTimeout(ending);
  ending = null;
  isSeen = true;
  land();
  htmx.trigger("#poll", "wake");
}

function skip(event) {
  if (!ending || ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  goOn();
}

for (const act of ["click", "keydown"]) window.addEventListener(act, skip, true);
window.addEventListener(
  "htmx:before:request",
  (event) => {
    if (!ending || event.target.id !== "poll") return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// --- The scores: totals are counted up, to the eye alone; whoever won is celebrated.

const COUNTED = 900; // ms
const SHOWER = 36; // pips

function arrive() {
  if (!live()?.matches(OVER)) return;
  const laurels = live().querySelector(".laurels");
  tell("ended", { isWon: Boolean(laurels) });
  if (still.matches) return;
  for (const cell of live().querySelectorAll("[data-from]")) countUp(cell);
  if (laurels) shower([...laurels.querySelectorAll(".pip")]);
}

function countUp(cell) {
  const said = cell.textContent;
  const [written] = /[-−]?\d+(\.\d+)?/.exec(said) ?? [];
  const [from, to] = [Number(cell.dataset.from), Number(written?.replace("−", "-"))];
  if (!written || from === to) return;
  const heard = Object.assign(document.createElement("span"), { className: "sr", textContent: said });
  const seen = document.createElement("span");
  seen.setAttribute("aria-hidden", "true");
  cell.replaceChildren(heard, seen);
  const start = performance.now();
  const tick = () => {
    if (!seen.isConnected) return;
    const part = Math.min(1, (performance.now() - start) / COUNTED);
    if (part === 1) return cell.replaceChildren(said);
    seen.textContent = said.replace(written, String(Math.round(from + (to - from) * (1 - (1 - part) ** 3))));
    requestAnimationFrame(tick);
  };
  tick();
}

function shower(pips) {
  for (let at = 0; at < SHOWER; at += 1) {
    const size = 14 + ((at * 7) % 18);
    const pip = put(pips[at % pips.length], { left: (innerWidth * (at + 0.5)) / SHOWER, top: -2 * size, width: size });
    pip.classList.toggle("gold", at % 3 === 0);
    const drift = ((at * 53) % 160) - 80;
    const fall = [
      { transform: "none", opacity: 1 },
      { transform: `translate(${drift}px, ${0.7 * innerHeight}px) rotate(${3 * drift}deg)`, opacity: 1, offset: 0.7 },
      { transform: `translate(${1.4 * drift}px, ${innerHeight + 3 * size}px) rotate(${5 * drift}deg)`, opacity: 0 },
    ];
    const pace = { delay: (at * 37) % 900, duration: 1_300 + ((at * 97) % 600), easing: "cubic-bezier(0.3, 0.1, 0.7, 1)", fill: "both" };
    flying.push(during(pip.animate(fall, pace), () => pip.remove()));
  }
}
