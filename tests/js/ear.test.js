import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, run, show } from "./page.js";

const line = (id, words, whose = "") => `<li id="log-1-${id}-1" ${whose}>${words}</li>`;
const theirs = (id, words) => line(id, words, "data-theirs");
const mine = (id, words) => line(id, words, "data-mine");

/** A table on which it is somebody's turn; `log` is newest first. */
const table = ({ turn = "Bob to play.", isMine = false, log = "", hint = "", hand = "", more = "", at = "at-playing" }) => `
  <main id="live" class="${at}" data-my-turn="${isMine}"><strong id="whose-turn">${turn}</strong>${more}
  <ul id="hand" aria-label="Your hand">${hand}</ul><p id="hint">${hint}</p><ol id="log">${log}</ol></main>`;
const card = (code, use = "") => `<li><button class="${use}"><span class="face" id="card-${code}"></span><span class="sr">${code}</span></button></li>`;

async function opened(first, aloud = "all") {
  const page = show(`<p id="told"></p><div id="all">${table(first)}</div>`);
  page.documentElement.dataset.aloud = aloud;
  const { listen, tell, tellNews } = await run("snug/ear.js");
  listen();
  const heard = () => [...page.querySelectorAll("#told span")].splice(0).map((one) => (one.remove(), one.textContent));
  await pass(500);
  const began = heard();
  const come = (next, isAnswer = false) => {
    page.getElementById("all").innerHTML = table(next);
    tellNews(isAnswer);
    return heard();
  };
  return { page, tell, come, heard, began };
}

test("when the page is opened it is told what one holds, whose turn it is, and what one may do", async () => {
  const hand = card("2S") + card("3S") + card("4S");
  assert.deepEqual((await opened({ hand, log: theirs(1, "Ann drew.") })).began, ["Your hand: 2S, 3S, 4S. Bob to play."]);
  assert.deepEqual((await opened({ turn: "Your turn.", isMine: true, hint: "Draw." })).began, ["Your turn. Draw."]);
});

test("moves of others are gathered into one sentence, and a line that became more is told as it is in the end", async () => {
  const { come, heard } = await opened({ log: theirs(1, "Ann drew.") });
  assert.deepEqual(come({ log: theirs(2, "Bob drew.") + theirs(1, "Ann drew.") }), []);
  await pass(2_000);
  assert.deepEqual(come({ log: theirs(3, "Cem drew.") + theirs(2, "Bob drew and discarded.") + theirs(1, "Ann drew.") }), []);
  await pass(3_000);
  assert.deepEqual(heard(), ["Bob drew and discarded. Cem drew."]);
  await pass(7_000);
  assert.deepEqual(heard(), ["Bob to play."], "nothing has come for a while");
  await pass(60_000);
  assert.deepEqual(heard(), []);
});

test("one's own turn is said at once with all that led there, and then what one's moves bring", async () => {
  const { come } = await opened({});
  come({ log: theirs(1, "Bob drew.") });
  const [chip, log] = ['Take <i aria-hidden="true">7</i><span class="sr">seven</span>.', theirs(2, "Bob goes.") + theirs(1, "Bob drew.")];
  assert.deepEqual(come({ log, turn: "Your turn.", isMine: true, hint: chip }), ["Bob drew. Bob goes. Your turn. Take seven."]);
  assert.deepEqual(come({ log, turn: "Your turn.", isMine: true, hint: chip }), []);
  const drawn = mine(3, "You drew.") + log;
  assert.deepEqual(come({ log: drawn, turn: "Your turn.", isMine: true, hint: "Discard." }), ["You drew. Discard."]);
  assert.deepEqual(come({ log: mine(3, "You drew and discarded.") + log }), [], "that is known to whoever did it");
});

test("that a card has left one's hand is known to whoever played it", async () => {
  const chip = (words) => `<span class="chip" aria-hidden="true">x</span><span class="sr">${words}</span>`;
  const { come } = await opened({ hand: card("2S") + card("3S") + card("3S"), isMine: true });
  assert.deepEqual(come({ hand: card("2S") + card("3S"), isMine: true, log: mine(1, `You laid ${chip("3S")}.`) }), []);
  assert.deepEqual(come({ hand: card("2S") + card("3S") + card("2S"), isMine: true, log: mine(2, `You drew ${chip("2S")}.`) + mine(1, `You laid ${chip("3S")}.`) }), ["You drew 2S."]);
});

test("a hint without a card is said once a deal, one with a card each time", async () => {
  const { come } = await opened({ hand: card("2S") + card("3S") + card("4S") });
  const yours = { turn: "Your turn.", isMine: true, hint: "Draw." };
  const held = { hand: card("2S") + card("3S") + card("4S") };
  assert.deepEqual(come({ ...yours, ...held }), ["Your turn. Draw."]);
  come(held);
  assert.deepEqual(come({ ...yours, ...held }), ["Your turn."]);
  come(held);
  const dealt = { hand: card("5S") + card("6S") + card("7S", "now") };
  assert.deepEqual(come({ ...yours, ...dealt }), ["Your hand: 5S, 6S, 7S. Your turn. Draw. 7S."]);
});

test("where more has come than can be listened to, the oldest of what concerns nobody here is left out", async () => {
  const { come } = await opened({});
  const long = (number) => theirs(number, `Bob does thing ${number} and then ${"one more ".repeat(7)}`);
  const log = long(4) + line(3, "You are robbed.") + long(2) + long(1);
  const [said] = come({ log, turn: "Your turn.", isMine: true });
  assert.match(said, /^Bob does thing 2 .* You are robbed\. Bob does thing 4 .* Your turn\.$/);
});

test("Looks choose how much: what concerns me, or only my turn", async () => {
  for (const [aloud, first, then] of [["mine", "You are robbed. Your turn.", "You drew."], ["turn", "Your turn.", "You drew."]]) {
    const { come, heard } = await opened({}, aloud);
    const log = line(2, "You are robbed.") + theirs(1, "Bob drew.");
    assert.deepEqual(come({ log, turn: "Your turn.", isMine: true }), [first]);
    assert.deepEqual(come({ log: mine(3, "You drew.") + log, turn: "Your turn.", isMine: true }), [then]);
    come({ log: theirs(4, "Bob drew.") + mine(3, "You drew.") + log });
    await pass(60_000);
    assert.deepEqual(heard(), [], aloud);
  }
});

test("what stands there to be told is told when it comes; a refusal each time it is an answer", async () => {
  const { come } = await opened({ more: "<p data-tell>Old.</p>" });
  const refused = { more: '<p data-tell>Old.</p><p id="refusal" data-tell>No. <a>The rule</a></p>' };
  assert.deepEqual(come(refused, true), ["No."]);
  assert.deepEqual(come(refused), []);
  assert.deepEqual(come(refused, true), ["No."]);
  assert.deepEqual(come({ more: '<p data-tell="7">Ann says: hi</p>' }), ["Ann says: hi"]);
  assert.deepEqual(come({ more: '<p data-tell="8">Ann says: hi</p>' }), ["Ann says: hi"]);
});

test("at the end all of it is told, and then who leads", async () => {
  const { come } = await opened({});
  const log = theirs(2, "Bob goes out. ".repeat(20).trim()) + theirs(1, "Bob drew.");
  const said = come({ log, at: "at-scores", more: "<b data-tell>Bob leads.</b>" });
  assert.deepEqual([said.length, said[0].startsWith("Bob drew. Bob goes out."), said[1]], [2, true, "Bob leads."]);
});

test("every sentence is a line more, others too can tell, and only the last ones are kept", async () => {
  const { page, tell } = await opened({});
  for (const words of ["One.", "One.", "", "Two.", "Three."]) tell(words);
  page.dispatchEvent(new CustomEvent("snug:tell", { detail: "Four." }));
  assert.deepEqual([...page.querySelectorAll("#told span")].map((one) => one.textContent), ["One.", "Two.", "Three.", "Four."]);
});
