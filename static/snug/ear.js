// What is said aloud, for whoever plays by ear: at one place, `#told`, where every sentence is a line more, so that none
// takes another's place. What comes of one's own moves, and all that is one's turn, is said at once; moves of the others
// are gathered for a while into one sentence. How much of them is told is a choice of Looks.

import { live } from "./page.js";

const GATHERS = 5_000; // ms
const QUIET = 10_000; // ms
const HEARD = 500; // ms after which a screen reader knows the page
const MOST = 50; // words that others' moves may bring at once,
const A_SECOND = 3.5; // and how many more as time goes by
const KEPT = 4; // sentences; what was said is gone
const NEW_HAND = 3; // cards, of which none was there before
const FEW = 4; // cards that are named where one may play them at once

/** @type {Map<string, string>} */
let lines = new Map(); // of the log, by their ids: those that are known
/** @type {Set<string>} */
let parts = new Set(); // what stands on the page to be told, as it was told
/** @type {Set<string>} */
let hand = new Set(); // the ids of its cards
/** @type {string[]} */
let held = []; // and their names
/** @type {string[]} */
let holds = []; // before this page came
/** @type {Set<string>} */
const hints = new Set(); // without a card in them: said once a deal
let turn = "";
let may = ""; // what one may do
let isMine = false;
/** @type {Map<string, { words: string, isTheirs?: boolean }>} */
const gathered = new Map();
let spare = MOST; // words that may be said now
let since = 0;
let timer = 0;
let quiet = 0;

/** @type {(one: Element | null | undefined) => string} */
export function wordsOf(one) {
  const copy = /** @type {Element | undefined} */ (one?.cloneNode(true));
  for (const unheard of copy?.querySelectorAll("[aria-hidden=true], [hidden], button, a") ?? []) unheard.remove();
  return copy?.textContent?.replace(/[\s\u2060]+/g, " ").trim() ?? "";
}

/** @type {(words: string) => void} */
export function tell(words) {
  const place = document.getElementById("told");
  if (!place || !words) return;
  place.append(Object.assign(document.createElement("span"), { textContent: words }));
  while (place.children.length > KEPT) place.firstElementChild?.remove();
}

/** @type {(selector: string) => Element[]} */
const all = (selector) => [...document.querySelectorAll(selector)];

/** @type {(cards: string[], card: string) => number} */
const copies = (cards, card) => cards.filter((one) => one.includes(card)).length;

// Of one's own what only says which cards have left the hand, or has become more, is known to whoever did it.

/** @type {(line: Element) => boolean} */
function isKnown(line) {
  const cards = [...line.querySelectorAll(".chip + .sr")].map((one) => one.textContent ?? "");
  return line.matches("[data-mine]") && (lines.has(line.id) || (cards.length > 0 && cards.every((card) => copies(held, card) < copies(holds, card))));
}

// What came to the log since, the oldest first, or has become more: down to what is known.

function news() {
  const much = document.documentElement.dataset.aloud;
  /** @type {(one: Element) => boolean} */
  const isWanted = (one) => (much === "turn" ? isMine && one.matches("[data-mine]") : much !== "mine" || !one.matches("[data-theirs]"));
  const log = all("#log li:not(.said)").map((one) => ({ id: one.id, words: wordsOf(one), isTheirs: one.matches("[data-theirs]"), isTold: isWanted(one) && !isKnown(one) }));
  const known = log.findIndex(({ id, words }) => lines.get(id) === words);
  const came = log.slice(0, known < 0 ? log.length : known).reverse();
  lines = new Map(log.map(({ id, words }) => [id, words]));
  return came.filter(({ words, isTold }) => words && isTold);
}

// What stands on the page to be told (`data-tell`, with a number where the same may be said twice).

/** @type {(isAnswer: boolean) => string[]} */
function told(isAnswer) {
  const shown = all("#live [data-tell]").map((one) => /** @type {const} */ ([`${one.dataset.tell} ${wordsOf(one)}`, one]));
  const came = shown.filter(([key, one]) => !parts.has(key) || (isAnswer && one.matches("#refusal")));
  parts = new Set(shown.map(([key]) => key));
  return came.map(([, one]) => wordsOf(one));
}

function newHand() {
  const before = hand;
  const shown = document.getElementById("hand");
  const cards = all("#hand .face");
  hand = new Set(cards.map((one) => one.id));
  [holds, held] = [held, all("#hand .sr").map((one) => one.textContent ?? "")];
  if (cards.length < NEW_HAND || cards.some((one) => before.has(one.id))) return "";
  return `${shown?.ariaLabel ?? shown?.getAttribute("aria-label")}: ${held.join(", ")}.`;
}

// The hint, and by name what may be played at once, if that is little.

function whatMay() {
  const hint = document.getElementById("hint");
  const can = wordsOf(hint);
  const isOld = hints.has(can);
  if (can && !hint?.querySelector(".sr")) hints.add(can);
  const plays = all("#hand .now, .spot:is(button)").filter((one) => one.getClientRects().length).map(wordsOf);
  const few = plays.length <= FEW && plays.length < all("#hand > li").length ? plays.join(", ") : "";
  return { can: `${can} ${few}`, said: [isOld ? "" : can, few && `${few}.`].filter(Boolean).join(" ") };
}

/** @type {(words: string) => number} */
const count = (words) => words.split(" ").length;

// Where more has come than anybody can listen to, the oldest of what concerns others is left to the log, but for the end.

function flush(isOver = false) {
  clearTimeout(timer);
  timer = 0;
  spare = Math.min(MOST, spare + ((Date.now() - since) / 1000) * A_SECOND);
  since = Date.now();
  const came = [...gathered.values()].filter(({ words }) => words);
  gathered.clear();
  let number = count(came.map(({ words }) => words).join(" "));
  const said = came.filter(({ words, isTheirs }) => {
    if (isOver || !isTheirs || number <= spare) return true;
    number -= count(words);
    return false;
  });
  spare -= number;
  tell(said.map(({ words }) => words).join(" "));
}

// Whom all wait for is said when nothing has come for a while.

function wait() {
  clearTimeout(quiet);
  if (!isMine && document.documentElement.dataset.aloud !== "turn") quiet = setTimeout(() => tell(wordsOf(document.getElementById("whose-turn"))), QUIET);
}

// When the page is opened it is told where the game stands; what came before is in the log.

export function listen() {
  news();
  told(false);
  const cards = newHand();
  isMine = live()?.dataset.myTurn === "true";
  turn = wordsOf(document.getElementById("whose-turn"));
  const { can, said } = whatMay();
  may = can;
  gathered.set("held", { words: cards }).set("turn", { words: turn }).set("may", { words: isMine ? said : "" });
  timer = setTimeout(flush, HEARD); // before, nobody listens to the place
}

/** @type {(isAnswer: boolean) => void} */
export function tellNews(isAnswer) {
  const table = live();
  if (!table) return;
  const [wasMine, isOver] = [isMine, !table.matches(".at-playing")];
  const answers = told(isAnswer);
  if (!isOver) answers.forEach(tell);
  const cards = newHand();
  const came = news();
  for (const { id, ...line } of came) gathered.set(id, line);
  isMine = table.dataset.myTurn === "true";
  if (cards) hints.clear();
  gathered.set("hand", { words: cards });
  if (isMine) {
    const now = wordsOf(document.getElementById("whose-turn"));
    const { can, said } = whatMay();
    for (const opening of ["turn", "may"]) gathered.delete(opening);
    if (!wasMine || now !== turn) gathered.set("turn", { words: now });
    if (!wasMine || can !== may) gathered.set("may", { words: said });
    turn = now;
    may = can;
  }
  if (isMine || wasMine || cards || isOver) flush(isOver);
  else if (came.length && !timer) timer = setTimeout(flush, GATHERS);
  if (came.length) wait();
  if (isOver) answers.forEach(tell);
}

document.addEventListener("snug:tell", ({ detail }) => tell(detail));
