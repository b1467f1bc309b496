// What is said aloud, for whoever plays by ear: at one place, `#told`, where every sentence is a line more, so that none
// takes another's place. One's own moves, what comes of them, and all that is one's turn are said at once; moves of the
// others are gathered for a while into one sentence. How much of them is told is a choice of Looks.

import { live } from "./page.js";

const GATHERS = 3_000; // ms without anything new,
const LONGEST = 10_000; // or so long in all
const QUIET = 10_000; // ms
const HEARD = 500; // ms after which a screen reader knows the page
const MOST = 90; // words that may be said at once,
const A_SECOND = 4; // and how many more as time goes by,
const DEBT = 60; // and how many beyond, for what others did to the table
const KEPT = 4; // sentences; what was said is gone
const NEW_HAND = 3; // cards, of which none was there before
const FEW = 4; // cards that are named where one may play them at once
const LAST = 3; // cards of somebody else that are counted,
const MANY = 4; // and cards that somebody else is rid of at once
const ALIKE = 3; // words that acts end with which are told as one

/** @type {Map<string, string>} */
const lines = new Map(); // of the log, by their ids: those that are known
/** @type {Set<string>} */
let parts = new Set(); // what stands on the page to be told, as it was told
/** @type {Set<string>} */
let hand = new Set(); // the ids of its cards
/** @type {Set<string>} */
const hints = new Set(); // without a card in them: said once a deal, and where one's turn begins
/** @type {Map<string, number>} */
let sizes = new Map(); // of the others' hands, as they were told
let turn = "";
let hinted = ""; // what one may do,
/** @type {string[]} */
let offered = []; // and what may be played at once, if that is little
let isMine = false;
let hasPressed = false; // what is not told yet: others may act for who does not
let isListening = false; // from the first time on that anything was said
/** @typedef {{ words: string, under?: string, short?: string, covers?: boolean, isTheirs?: boolean, isMinor?: boolean, isDone?: boolean, isNext?: boolean }} Line */
/** @type {Map<string, Line>} */
const gathered = new Map();
let spare = MOST; // words that may be said now
let since = 0;
let timer = 0;
let began = 0; // to gather
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

// The focus names a card that was just drawn, by itself or with the hand, and whose turn it is: that is enough.

/** @type {(line: Element) => boolean} */
function isKnown(line) {
  const cards = [...line.querySelectorAll(".chip + .sr")].map((one) => one.textContent ?? "");
  const focused = document.activeElement;
  const named = focused?.closest("#hand .fresh")?.querySelector(".lay > .sr") ?? document.getElementById(focused?.getAttribute("aria-describedby") ?? "");
  return cards.length === 1 && !line.dataset.brief && wordsOf(named).includes(cards[0]);
}

const isTurnKnown = () => Boolean(document.activeElement?.getAttribute("aria-labelledby")?.startsWith("whose-turn "));

// A line as it is told: of one's own in short (`data-brief`), still shorter where one has just pressed what names it
// (`data-done`); of others, where more of the same kind follow one another,
// under their heading (`data-under`), of which some matter only until the next comes (`data-covers`).

/** @type {(one: Element) => Line} */
function lineOf(one) {
  const { brief, done, under, short } = one.dataset;
  const [isTheirs, isMinor] = ["[data-theirs]", "[data-minor]:not([data-mine])"].map((kind) => one.matches(kind));
  const isDone = one.matches("[data-mine][data-brief]");
  return { words: (hasPressed ? done : undefined) ?? brief ?? wordsOf(one), under, short, covers: one.matches("[data-covers]"), isTheirs, isMinor, isDone };
}

/** @type {(one: Element) => boolean} */
function isWanted(one) {
  const much = document.documentElement.dataset.aloud;
  return one.matches("[data-mine]") ? !isKnown(one) : much !== "turn" && (much !== "mine" || !one.matches("[data-theirs]"));
}

// What came to the log since, the oldest first, or has become more: down to what is known.

function news() {
  const log = all("#log li:not(.said)");
  const came = [];
  for (const one of log) {
    const words = wordsOf(one);
    if (lines.get(one.id) === words) break;
    lines.set(one.id, words);
    came.unshift(one);
  }
  const shown = new Set(log.map((one) => one.id)); // a line that is gone may come again
  for (const id of lines.keys()) if (!shown.has(id)) lines.delete(id);
  const wanted = came.filter(isWanted).map((one) => /** @type {const} */ ([one.id, lineOf(one)]));
  if (came.some((one) => one.matches("[data-mine]"))) hasPressed = false;
  return wanted.filter(([, { words }]) => words);
}

// What stands on the page to be told (`data-tell`, with a name where the same may be said twice, or its words change).

/** @type {(isAnswer: boolean) => string[]} */
function told(isAnswer) {
  const shown = all("#live [data-tell]").map((one) => /** @type {const} */ ([one.dataset.tell || wordsOf(one), one]));
  const came = shown.filter(([key, one]) => !parts.has(key) || (isAnswer && one.matches("#refusal")));
  parts = new Set(shown.map(([key]) => key));
  return came.map(([, one]) => wordsOf(one));
}

function newHand() {
  const before = hand;
  const shown = document.getElementById("hand");
  const cards = all("#hand .face");
  hand = new Set(cards.map((one) => one.id));
  const held = all("#hand .sr").map((one) => one.textContent);
  if (cards.length < NEW_HAND || cards.some((one) => before.has(one.id))) return "";
  return `${shown?.ariaLabel ?? shown?.getAttribute("aria-label")}: ${held.join(", ")}.`;
}

// Whoever has come down to few cards, or by many, with how many.

const rivals = () => all("#others .rival").map((one) => ({ one, id: one.id, size: Number(one.querySelector(".backs")?.dataset.cards) }));

function fewHeld() {
  if (document.documentElement.dataset.aloud === "turn") return "";
  const fell = rivals().filter(({ id, size }) => size > 0 && size < Math.max(Math.min(sizes.get(id) ?? 0, LAST + 1), (sizes.get(id) ?? 0) - MANY + 1));
  return fell.map(({ one }) => `${one.querySelector(".name")?.textContent?.trim()}: ${wordsOf(one.querySelector(".left"))}.`).join(" ");
}

// Acts that differ in one place, as that of cards that may go to the same, are told as one.

/** @type {(before: string, name: string) => string | undefined} */
function both(before, name) {
  const [one, other] = [before, name].map((act) => act.split(" "));
  const most = Math.min(one.length, other.length) - 1;
  let [head, tail] = [0, 0];
  while (tail < most && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  while (head + tail < most && one[head] === other[head]) head += 1;
  const ways = [one, other].map((act) => act.slice(head, act.length - tail).join(" "));
  const either = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" }).format(ways);
  return tail < ALIKE ? undefined : [...one.slice(0, head), either, ...one.slice(one.length - tail)].join(" ");
}

// What one may do, by name, and at the end by key, too.

const isWithoutKeys = () => document.documentElement.dataset.keys === "off" || matchMedia("(hover: none)").matches;

/** @type {(names: string[], how?: string) => string[]} */
function acts(names, how = "may") {
  /** @type {string[]} */
  const ways = [];
  for (const name of names) {
    const one = ways.length ? both(ways[ways.length - 1], name) : undefined;
    ways.splice(one ? -1 : ways.length, 1, one ?? name);
  }
  return ways.length ? [words(how).replace("{acts}", ways.join(", "))] : [];
}

// What is said once, the first time that it is of use (`data-tip`), which may be where something is on the page
// (`data-where`): of keys only where there are any.

function tips() {
  const came = all("[data-tip]").filter(({ dataset: { tip, where } }) => !sessionStorage.getItem(`tip-${tip}`) && !(isWithoutKeys() && tip?.startsWith("key")) && document.querySelector(where ?? "*"));
  for (const { dataset } of came) sessionStorage.setItem(`tip-${dataset.tip}`, "said");
  return came.map((one) => ({ words: wordsOf(one), isNext: true }));
}

// The hint, and by name what may be played at once, if that is little: what was told in this turn is not said again. What is
// still to do is, when one has done something. Where the focus names the act, a hint without a card is enough once a deal.

/** @type {(begins: boolean, isDone?: boolean) => string} */
function whatMay(begins, isDone = false) {
  const hint = document.getElementById("hint");
  const isNamed = document.activeElement?.closest("#actions .main"); // or whose turn it is says as much
  const can = hint?.matches(isNamed ? "[data-unsaid]" : "[data-unsaid='']") ? "" : wordsOf(hint);
  const isOld = !isDone && (begins ? isTurnKnown() && hints.has(can) : can === hinted || hints.has(can));
  hinted = can;
  if (can && !hint?.querySelector(".sr")) hints.add(can);
  const plays = all("#hand .now, .spot:is(button)").filter((one) => one.getClientRects().length);
  const few = plays.length <= FEW && plays.length < all("#hand > li").length ? plays.map(wordsOf) : [];
  const isNew = begins || few.some((one) => !offered.includes(one));
  offered = few;
  return [isOld ? "" : can, ...acts(isNew ? few : [])].filter(Boolean).join(" ");
}

/** @type {(name: string) => string} */
const words = (name) => document.getElementById("told")?.dataset[name] ?? "";

/** @type {(said: Line[]) => number} */
const count = (said) => said.flatMap((line) => line.words.split(" ")).length;

// Lines of one kind, one after the other, are one.

/** @type {(came: Line[]) => Line[]} */
function joined(came) {
  /** @type {Line[]} */
  const said = [];
  for (const line of came) {
    const before = said.at(-1);
    if (!line.under || before?.under !== line.under) said.push({ ...line });
    else Object.assign(before, { short: `${before.short}, ${line.short}`, words: `${line.under} ${before.short}, ${line.short}.` });
  }
  return said;
}

// Where more has come than anybody can listen to, what matters least is left to the log, the oldest first, and that is
// said; at the end nothing is. The table waits for whoever is to act: who has acted can listen to as much again.

/** @type {(came: Line[]) => Line[]} */
function heard(came) {
  /** @type {(said: Line[], isLess: (line: Line) => boolean | undefined, most: number) => Line[]} */
  const within = (said, isLess, most) => {
    const least = count(joined(said)) > most && said.find(isLess);
    return least ? within(said.filter((line) => line !== least), isLess, most) : said;
  };
  const newest = new Map(came.map((line) => [line.under, line]));
  const minor = within(came, (line) => line.isMinor || (line.covers && newest.get(line.under) !== line), spare);
  const said = within(minor, ({ isTheirs }) => isTheirs, spare + DEBT);
  return said.length < came.length ? [{ words: words("more") }, ...joined(said)] : joined(said);
}

// What led to one's turn is how the name of what has the focus then begins: in one piece, since what gets the focus cuts
// short whatever is being said.

/** @type {(what: string) => void} */
function tellFirst(what) {
  const [place, focused] = [document.getElementById("news"), document.activeElement];
  if (!what || !place) return;
  place.textContent = what;
  focused?.setAttribute("aria-labelledby", `news ${focused.getAttribute("aria-labelledby")}`);
}

function flush(isOver = false, isWithFocus = false) {
  clearTimeout(timer);
  timer = 0;
  isListening = true;
  spare = Math.min(MOST, spare + ((Date.now() - since) / 1000) * A_SECOND);
  since = Date.now();
  sizes = new Map(rivals().map(({ id, size }) => [id, size]));
  const came = [...gathered.values()].filter((line) => line.words);
  const isDealt = Boolean(gathered.get("hand")?.words); // a hand takes its time
  const said = [...(isOver || isDealt ? joined(came) : heard(came)), ...(isMine && !isOver ? tips() : [])];
  spare = isDealt ? MOST : spare - count(said);
  gathered.clear();
  const [first, next] = [false, true].map((isNext) => said.filter((line) => isNext === Boolean(line.isNext)).map((line) => line.words).join(" "));
  if (isWithFocus) tellFirst(first);
  tell([isWithFocus ? "" : first, next].filter(Boolean).join(" "));
}

function gather() {
  if (!timer) began = Date.now();
  clearTimeout(timer);
  timer = setTimeout(flush, Math.min(GATHERS, began + LONGEST - Date.now()));
}

// Whom all wait for is said when nothing has come for a while.

function wait() {
  clearTimeout(quiet);
  if (!isMine && document.documentElement.dataset.aloud !== "turn") quiet = setTimeout(() => tell(wordsOf(document.getElementById("whose-turn"))), QUIET);
}

// When the page is opened it is told what came since one's last turn, and where the game stands.

export function listen() {
  const log = all("#log li");
  const last = log.findIndex((one) => one.matches("[data-mine]"));
  const older = new Set(last < 0 ? [] : log.slice(last).map((one) => one.id));
  for (const [id, line] of news()) if (!older.has(id)) gathered.set(id, line);
  told(false);
  const cards = newHand();
  isMine = live()?.dataset.myTurn === "true";
  turn = wordsOf(document.getElementById("whose-turn"));
  gathered.set("hand", { words: cards }).set("turn", { words: turn }).set("may", { words: isMine ? whatMay(true) : "", isNext: true });
  timer = setTimeout(flush, HEARD); // before, nobody listens to the place
}

/** @type {(isAnswer: boolean) => void} */
export function tellNews(isAnswer) {
  const table = live();
  if (!table) return;
  const [wasMine, isOver] = [isMine, !table.matches(".at-playing")];
  const answers = told(isAnswer).join(" ");
  if (!isOver) tell(answers);
  const cards = newHand();
  const came = news();
  for (const [id, line] of came) gathered.set(id, line);
  isMine = table.dataset.myTurn === "true";
  if (cards) hints.clear();
  for (const last of [...(cards ? ["hand"] : []), "few", "turn", "may"]) gathered.delete(last);
  if (cards) gathered.set("hand", { words: cards });
  gathered.set("few", { words: isOver ? "" : fewHeld() });
  let isWithFocus = false;
  if (isMine) {
    const now = wordsOf(document.getElementById("whose-turn"));
    const begins = !wasMine || now !== turn || !isListening;
    const isDone = came.some(([, line]) => line.isDone);
    gathered.set("turn", { words: begins && !isTurnKnown() ? now : "" }).set("may", { words: whatMay(begins, isDone), isNext: true });
    isWithFocus = begins && isTurnKnown();
    turn = now;
  }
  if (isListening && (isMine || wasMine || cards || isOver)) flush(isOver, isWithFocus);
  else if (came.length) gather();
  if (wasMine) spare = MOST;
  if (came.length) wait();
  if (isOver && answers) tell([answers, ...acts(all("#live form[data-mine] .main").map(wordsOf), isWithoutKeys() ? "may" : "leads")].join(" "));
}

document.addEventListener("submit", () => (hasPressed = true), true);
document.addEventListener("snug:tell", ({ detail }) => tell(detail));
